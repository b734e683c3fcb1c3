// SPDX-License-Identifier: Apache-2.0

/// One cluster of a recording: on the disk, synced, and ready to be logged as `stream.chunk_archived`.
public struct ArchivedChunk: Hashable, Sendable {
    /// The place among the recording's chunks, from 0 without gaps.
    public let index: Int
    /// Where the cluster begins in the file, in bytes.
    ///
    /// Chunks lie one behind the other, and never move.
    public let offset: UInt64
    /// The length of the cluster in bytes.
    public let length: Int
    /// The SHA-256 of those bytes, in lower-case hexadecimal.
    public let sha256: String
    /// The time of the first frame on the recording's timeline, in milliseconds.
    public let firstMilliseconds: Int64
    /// The time of the last frame, in milliseconds.
    public let lastMilliseconds: Int64
    public let startsWithKeyFrame: Bool
    /// How many frames it holds.
    ///
    /// The last chunk of a part may hold none, only the part's last bytes.
    public let frames: Int
    public let codec: VideoCodec
    /// The size that the newest key frame gave.
    public let size: PictureSize
    /// The part that the frames came from.
    public let part: UInt32
    /// The bytes of the part that this chunk covers; the upper bound is the part's `through`.
    public let source: Range<UInt64>
    /// Whether the sender's clock leapt right before it, so that its times follow the pictures alone; known while it is taken.
    public var followsLeap = false

    /// The byte of the file behind the cluster.
    public var end: UInt64 { offset + UInt64(length) }
    /// The bytes of the file that are the cluster.
    public var bytes: Range<UInt64> { offset..<end }
}

/// What the ledger says of a chunk; enough to recover a recording.
public struct LoggedChunk: Hashable, Sendable {
    public let place: ChunkPlace
    /// The bytes of its part that are archived with it.
    public let through: UInt64
    /// The SHA-256 of its bytes, in lower-case hexadecimal.
    public let sha256: String

    public init(_ place: ChunkPlace, through: UInt64, sha256: String) {
        self.place = place
        self.through = through
        self.sha256 = sha256
    }

    public init(_ chunk: ArchivedChunk) {
        self.init(ChunkPlace(chunk), through: chunk.source.upperBound, sha256: chunk.sha256)
    }

    /// Whether a chunk that was found in the file is this one, as far as it tells of itself.
    func isTold(by found: ArchivedChunk) -> Bool {
        place == ChunkPlace(found) && through == found.source.upperBound
    }
}
