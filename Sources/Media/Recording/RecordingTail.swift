// SPDX-License-Identifier: Apache-2.0

/// What stands behind the chunks that a ledger knows of a recording that is not final, for whoever only looks.
public struct RecordingTail: Hashable, Sendable {
    /// The bytes behind the last known chunk.
    public let bytes: Range<UInt64>
    /// Where the last cluster ends that carries the recording's seal: the archive's next start takes them up.
    public let sealedThrough: UInt64
    /// Whether what follows is no more than a torn cluster, which the archive cuts off.
    public let isTorn: Bool

    /// Whether the archive wrote all of it, as far as can be told.
    public var isVouchedFor: Bool { sealedThrough == bytes.upperBound || isTorn }

    /// Looks at a file, also while it grows.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - seal: The recording's own.
    ///   - chunks: How many chunks the ledger knows.
    ///   - end: Where the last of them ends; 0 where it knows none.
    /// - Throws: ``RecordingError`` when the file cannot be read.
    public init(
        of path: String,
        seal: RecordingSeal,
        behind chunks: Int,
        end: UInt64
    ) throws(RecordingError) {
        let file = try ArchiveFile(path, .read)
        let first = max(end, UInt64(RecordingHead.byteCount))
        var scan = try ClusterScan(file, from: first, index: chunks)
        var ahead = scan
        while let found = try ahead.next(),
            ClusterRecord.isSealed(
                cluster: try file.read(at: found.offset, count: found.length),
                by: seal
            )
        { scan = ahead }
        bytes = end..<max(end, scan.fileSize)
        sealedThrough = scan.offset > first ? scan.offset : end
        isTorn = try scan.isAtTornEnd()
    }
}
