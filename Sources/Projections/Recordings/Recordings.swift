// SPDX-License-Identifier: Apache-2.0
public import Events

/// Every stream with its recording: where its bytes are, what is missing, and how to find it again.
public struct Recordings: Sendable {
    /// The rows.
    public let database: ReadDatabase

    public init(_ database: ReadDatabase) {
        self.database = database
    }

    /// One stream.
    public func recording(_ id: StreamID) async throws -> Recording? {
        try await database.read { view in
            try view.first(Recording.selection + " WHERE id = ?1", id, read: Recording.init)
        }
    }

    /// The streams of a session, or of all sessions of an incident, oldest first.
    public func recordings(of reference: CaseReference) async throws -> [Recording] {
        try await database.read { view in
            try view.all(
                Recording.selection + " WHERE session = ?1 OR incident = ?1 ORDER BY number",
                reference.description,
                read: Recording.init
            )
        }
    }

    /// The chunks of a stream in order.
    ///
    /// - Parameters:
    ///   - stream: Which stream.
    ///   - number: The first chunk wanted.
    ///   - limit: At most ``ProjectionLimits/listRowsMax``.
    /// - Returns: The chunks; empty if there is no such stream.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func chunks(
        of stream: StreamID,
        from number: Int = 0,
        limit: Int = ProjectionLimits.listRowsMax
    ) async throws -> [RecordedChunk] {
        try await database.read { view in
            try view.all(
                RecordedChunk.selection
                    + " WHERE stream = ?1 AND number >= ?2 ORDER BY number LIMIT ?3",
                stream,
                number,
                bounded(limit),
                read: RecordedChunk.init
            )
        }
    }

    /// The gaps of a stream, in order.
    public func gaps(of stream: StreamID) async throws -> [RecordedGap] {
        try await database.read { view in
            try view.all(
                "SELECT from_ms, to_ms, cause FROM gap WHERE stream = ?1 ORDER BY from_ms, position",
                stream,
                read: RecordedGap.init
            )
        }
    }

    /// What the decoder saw in the stream's chunks, in the order of the log.
    public func inspections(of stream: StreamID) async throws -> [RecordedInspection] {
        try await database.read { view in
            try view.all(
                """
                SELECT position, first_chunk, last_chunk, outcome, frames, undecodable, width, height,
                mean_luma, thumbnail FROM inspection WHERE stream = ?1 ORDER BY position
                """,
                stream,
                read: RecordedInspection.init
            )
        }
    }
}
