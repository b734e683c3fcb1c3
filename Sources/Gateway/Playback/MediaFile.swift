// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import Threads

/// A recording's file, read for a viewer on a thread that may block.
actor MediaFile {
    private let path: String
    private let thread: DedicatedThread
    private var handle: FileHandle?

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(path: String, thread: DedicatedThread) {
        self.path = path
        self.thread = thread
    }

    deinit {
        // Reading leaves nothing behind that closing could lose.
        try? handle?.close()
    }

    /// Reads exactly these bytes.
    ///
    /// - Throws: `RecordingError` when the file is shorter, or cannot be read.
    func bytes(_ range: Range<UInt64>) throws -> [UInt8] {
        let handle = try opened()
        try handle.seek(toOffset: range.lowerBound)
        let bytes = try handle.read(upToCount: range.count) ?? Data()
        guard bytes.count == range.count else {
            throw RecordingError.truncated(
                path: path,
                expected: range.upperBound,
                actual: range.lowerBound + UInt64(bytes.count)
            )
        }
        return Array(bytes)
    }

    /// What a player needs before any cluster: by the size of the first picture.
    ///
    /// - Parameters:
    ///   - first: The first chunk of the recording.
    ///   - codec: Its codec.
    /// - Returns: The head of the file that a player is given.
    /// - Throws: ``RecordingError`` for a chunk that is not there or has no key frame.
    func initialisation(first: ChunkPlace, codec: VideoCodec) throws -> [UInt8] {
        let frames = RecordingReader.frames(cluster: try bytes(first.bytes)) ?? []
        guard let key = frames.first(where: \.isKey),
            let size = try FrameHeader(key.bytes, codec: codec).size
        else { throw RecordingError.damaged(path: path, chunk: first.index, offset: first.offset) }
        return RecordingReader.initialisation(codec: codec, size: size)
    }

    private func opened() throws -> FileHandle {
        if let handle { return handle }
        let fresh = try FileHandle(forReadingFrom: URL(filePath: path))
        handle = fresh
        return fresh
    }
}
