// SPDX-License-Identifier: Apache-2.0
/// A chunk of video, at most a second, is on disk.
public struct StreamChunkArchived: EventPayload {
    public static let kind: Kind = "stream.chunk_archived/1"

    /// Gapless from 0 within the stream.
    public let number: Int
    /// Path below the media folder.
    public let file: String
    /// Where the chunk begins in the file, in bytes.
    public let offset: Int
    /// Bytes.
    public let length: Int
    public let sha256: SHA256Digest
    /// Time of the first frame on the recording's own clock.
    public let firstMilliseconds: Int
    /// Time of the last frame.
    public let lastMilliseconds: Int
    /// Whether the chunk begins with a key frame.
    public let keyFrame: Bool
    /// Which part of the sender's bytes it came from, from 0.
    public let part: Int
    /// Bytes of that part which are archived with this chunk.
    public let through: Int

    public init(
        number: Int,
        file: String,
        offset: Int,
        length: Int,
        sha256: SHA256Digest,
        firstMilliseconds: Int,
        lastMilliseconds: Int,
        keyFrame: Bool,
        part: Int,
        through: Int
    ) {
        self.number = number
        self.file = file
        self.offset = offset
        self.length = length
        self.sha256 = sha256
        self.firstMilliseconds = firstMilliseconds
        self.lastMilliseconds = lastMilliseconds
        self.keyFrame = keyFrame
        self.part = part
        self.through = through
    }
}
