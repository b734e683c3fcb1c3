// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Media
import Threads

/// A recording's file, read for a viewer on a thread that may block.
actor MediaFile {
    private let path: String
    /// Throws while the folder of recordings is not there.
    private let check: @Sendable () throws -> Void
    private let thread: DedicatedThread
    private var handle: FileHandle?

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - path: The file.
    ///   - check: Throws while the folder of recordings is not there; asked before the file is opened.
    ///   - thread: Where it blocks.
    init(path: String, check: @escaping @Sendable () throws -> Void, thread: DedicatedThread) {
        self.path = path
        self.check = check
        self.thread = thread
    }

    deinit {
        // Reading leaves nothing behind that closing could lose.
        try? handle?.close()
    }

    /// Opens the file and looks whether it reaches so far, while an answer can still say that it does not.
    ///
    /// - Throws: ``RecordingFileFault``; what the folder's check throws.
    func open(reaching length: UInt64) throws {
        var facts = stat()
        guard fstat(try opened().fileDescriptor, &facts) == 0 else {
            throw RecordingFileFault.unreadable(code: errno)
        }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw RecordingFileFault.unreadable(code: EISDIR)
        }
        guard UInt64(facts.st_size) >= length else {
            throw RecordingFileFault.short(bytes: UInt64(facts.st_size), logged: length)
        }
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

    /// Reads a chunk that is the one that was archived.
    ///
    /// - Throws: ``RecordingFileFault/changed(_:)`` when it is another; what reading throws.
    func bytes(of chunk: IndexedChunk) throws -> [UInt8] {
        let found = try bytes(chunk.place.bytes)
        guard SHA256Digest(of: found) == chunk.sha256 else {
            throw RecordingFileFault.changed(chunk.place.bytes)
        }
        return found
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
        try check()
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            throw code == ENOENT
                ? RecordingFileFault.missing : RecordingFileFault.unreadable(code: code)
        }
        let fresh = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        handle = fresh
        return fresh
    }
}

/// Why a recording that the log knows cannot be shown.
enum RecordingFileFault: Error, Hashable, ProblemRepresentable {
    /// It was deleted for an erasure, or lost.
    case missing
    case unreadable(code: Int32)
    /// The file ends before what the log has of it.
    case short(bytes: UInt64, logged: UInt64)
    /// These bytes are not those that were archived.
    case changed(Range<UInt64>)

    var problem: Problem {
        switch self {
        case .missing:
            Problem(
                .notFound,
                detail:
                    "the file of the recording is not there: its person was erased, or it has to come back from a backup"
            )
        case .unreadable(let code):
            .tryLater(
                .unavailable,
                "the recording cannot be read just now: \(String(cString: strerror(code)))"
            )
        case .short(let bytes, let logged):
            Problem(
                .unavailable,
                detail:
                    "the file of the recording ends at byte \(bytes) of the \(logged) that are logged: it has to come back from a backup"
            )
        case .changed(let range):
            Problem(
                ProblemType("recording-changed", .serviceUnavailable, "Recording changed"),
                detail:
                    "bytes \(range.lowerBound) to \(range.upperBound) of the recording are not what was archived: it has to come back from a backup; run daybook verify"
            )
        }
    }
}
