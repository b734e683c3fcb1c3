// SPDX-License-Identifier: Apache-2.0
public import Events

/// One chunk on disk: where to find it in the file and in time.
public struct RecordedChunk: Hashable, Sendable {
    public let number: Int
    public let file: String
    /// Where it begins in the file, in bytes.
    public let offset: Int
    public let length: Int
    public let sha256: SHA256Digest
    public let firstMilliseconds: Int
    public let lastMilliseconds: Int
    public let keyFrame: Bool
    public let part: Int
    /// Bytes of the part that are archived with it.
    public let through: Int
    public let position: LogPosition
    public let archivedAt: Timestamp

    static let selection = """
        SELECT number, file, start, length, sha256, first_ms, last_ms, key_frame, part, through,
        position, archived_at FROM chunk
        """

    init(_ row: inout RowReader) throws {
        number = try row.integer()
        file = try row.text()
        offset = try row.integer()
        length = try row.integer()
        sha256 = try row.value()
        firstMilliseconds = try row.integer()
        lastMilliseconds = try row.integer()
        keyFrame = try row.flag()
        part = try row.integer()
        through = try row.integer()
        position = try row.position()
        archivedAt = try row.time()
    }
}

/// Time of a recording for which no video arrived.
public struct RecordedGap: Hashable, Sendable {
    public let fromMilliseconds: Int
    public let toMilliseconds: Int
    public let cause: String

    init(_ row: inout RowReader) throws {
        fromMilliseconds = try row.integer()
        toMilliseconds = try row.integer()
        cause = try row.text()
    }
}

/// What the decoder saw in some chunks.
public struct RecordedInspection: Hashable, Sendable {
    public let position: LogPosition
    public let chunks: ClosedRange<Int>
    public let outcome: StreamChunksInspected.Outcome
    public let frames: Int
    public let undecodable: Int
    public let width: Int
    public let height: Int
    public let meanLuma: Double?
    public let thumbnail: SHA256Digest?

    init(_ row: inout RowReader) throws {
        position = try row.position()
        let first = try row.integer()
        chunks = first...max(first, try row.integer())
        outcome = try row.word()
        frames = try row.integer()
        undecodable = try row.integer()
        width = try row.integer()
        height = try row.integer()
        meanLuma = try row.optionalReal()
        thumbnail = try row.optional()
    }
}
