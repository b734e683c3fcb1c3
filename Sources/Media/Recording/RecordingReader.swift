// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Reads a recording beside its writer, while it grows or afterwards.
///
/// All calls block; use it on one thread.
///
/// It sees whole clusters only, but may see one before the ledger does.
public final class RecordingReader {
    public let path: String
    /// The chunks seen so far, in the order of the file.
    public private(set) var chunks: [ChunkPlace] = []
    /// The codec; `nil` before the first chunk.
    public private(set) var codec: VideoCodec?
    /// The size of the first picture; `nil` before the first chunk.
    public private(set) var firstSize: PictureSize?

    private let file: ArchiveFile
    private var scanned = UInt64(RecordingHead.byteCount)
    private var sources: [(part: UInt32, source: Range<UInt64>)] = []

    /// Opens a recording and reads where its chunks lie.
    public init(path: String) throws(RecordingError) {
        self.path = path
        file = try ArchiveFile(path, .read)
        try refresh()
    }

    /// Looks for chunks that were appended.
    ///
    /// - Returns: The new ones.
    @discardableResult
    public func refresh() throws(RecordingError) -> [ChunkPlace] {
        var scan = try ClusterScan(file, from: scanned, index: chunks.count)
        var new: [ChunkPlace] = []
        while let found = try scan.next() {
            let record = found.record
            if codec == nil { (codec, firstSize) = (record.position.track.codec, record.size) }
            sources.append((record.part, record.source))
            let chunk = ArchivedChunk(
                record: record,
                offset: found.offset,
                length: found.length,
                sha256: ""
            )
            new.append(ChunkPlace(chunk))
        }
        chunks += new
        scanned = scan.offset
        return new
    }

    /// The chunks by time.
    public var index: RecordingIndex { RecordingIndex(chunks) }

    /// The bytes that a player needs before any cluster; `nil` before the first chunk.
    public var initialisation: [UInt8]? {
        guard let codec, let firstSize else { return nil }
        return Self.initialisation(codec: codec, size: firstSize)
    }

    /// The bytes that a player needs before any cluster, for chunks known from elsewhere.
    public static func initialisation(codec: VideoCodec, size: PictureSize) -> [UInt8] {
        let track = VideoTrack(codec: codec, width: size.width, height: size.height)
        return RecordingHead(track: track, start: .init(timeIntervalSinceReferenceDate: 0))
            .initialisation()
    }

    /// The bytes of a chunk.
    public func cluster(_ chunk: ChunkPlace) throws(RecordingError) -> [UInt8] {
        try file.read(at: chunk.offset, count: chunk.length)
    }

    /// The bytes of a chunk; `nil` where the archive did not write them into this recording.
    public func cluster(
        _ chunk: ChunkPlace,
        sealedBy seal: RecordingSeal
    ) throws(RecordingError) -> [UInt8]? {
        let bytes = try cluster(chunk)
        return ClusterRecord.isSealed(cluster: bytes, by: seal) ? bytes : nil
    }

    /// Any bytes of the file, for players that ask for ranges.
    public func bytes(_ range: Range<UInt64>) throws(RecordingError) -> [UInt8] {
        try file.read(at: range.lowerBound, count: range.count)
    }

    /// The SHA-256 of any bytes of the file, in lower-case hexadecimal, to hold against the ledger.
    public func sha256(_ range: Range<UInt64>) throws(RecordingError) -> String {
        try file.sha256(range)
    }

    /// The size of the file in bytes.
    public func size() throws(RecordingError) -> UInt64 { try file.size() }

    /// The frames of a chunk.
    public func frames(of chunk: ChunkPlace) throws(RecordingError) -> [RecordedFrame] {
        guard let frames = Cluster.frames(try cluster(chunk)) else {
            throw .damaged(path: path, chunk: chunk.index, offset: chunk.offset)
        }
        return frames
    }

    /// Gives a part back, byte for byte as the sender sent it, as far as it is on the disk.
    public func source(ofPart part: UInt32) throws(RecordingError) -> [UInt8] {
        var bytes: [UInt8] = []
        for (chunk, source) in zip(chunks, sources) where source.part == part {
            guard let original = Cluster.source(try cluster(chunk)) else {
                throw .damaged(path: path, chunk: chunk.index, offset: chunk.offset)
            }
            bytes += original
        }
        return bytes
    }

    /// The frames in the bytes of one cluster that was read elsewhere; `nil` when it is none of the archive's.
    public static func frames(cluster: [UInt8]) -> [RecordedFrame]? { Cluster.frames(cluster) }
}
