// SPDX-License-Identifier: Apache-2.0
public import Events

/// Which channels there are, and where in the log their messages stand.
///
/// A channel's own state and the words are read from the log.
public struct Channels: Sendable {
    /// The rows.
    public let database: ReadDatabase

    public init(_ database: ReadDatabase) {
        self.database = database
    }

    /// The channels of the scope's organisation, in the order in which they were opened.
    ///
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func channels(in scope: Scope) async throws -> [ChannelID] {
        try await database.read { view in
            var query = Query("SELECT id FROM channel")
            query.filter(scope)
            query.order(by: "id", limit: ProjectionLimits.listRowsMax)
            return try view.all(query) { try $0.value() }
        }
    }

    /// Where the newest messages of a channel stand, or those before one of them.
    ///
    /// - Parameters:
    ///   - channel: Which one.
    ///   - number: Only messages with a smaller one; `nil` for the newest.
    ///   - limit: At most ``ProjectionLimits/listRowsMax``.
    /// - Returns: Their positions, the oldest first.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func messages(
        of channel: ChannelID,
        before number: Int? = nil,
        limit: Int
    ) async throws -> [LogPosition] {
        try await database.read { view in
            var query = Query("SELECT position FROM message")
            query.filter(leading: "channel = ?", channel)
            query.filter("number < ?", number)
            query.order(by: "number DESC", limit: bounded(limit))
            return try view.all(query) { try $0.position() }.reversed()
        }
    }

    /// Where one message stands; `nil` where there is none of that number.
    public func message(_ number: Int, of channel: ChannelID) async throws -> LogPosition? {
        try await database.read { view in
            try view.first(
                "SELECT position FROM message WHERE channel = ?1 AND number = ?2 LIMIT 1",
                channel,
                number
            ) { try $0.position() }
        }
    }
}

/// Builds ``Channels``.
public struct ChannelsProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("channels", version: 1)
    public var tables: [Table] { [Self.channel, Self.message] }
    public var handlers: Handlers { Self.handlers }

    private static let channel = Table(
        "channel",
        key: ["id"],
        columns: ["id TEXT NOT NULL", "org TEXT NOT NULL"]
    )

    private static let message = Table(
        "message",
        key: ["channel", "number"],
        columns: [
            "channel TEXT NOT NULL", "number INTEGER NOT NULL", "position INTEGER NOT NULL",
        ]
    )

    private static let handlers = Handlers {
        On(ChannelSet.self) { _, event, rows in
            rows.run(
                "INSERT OR IGNORE INTO channel VALUES (?1, ?2)",
                event.subjectName,
                event.envelope.organisation
            )
        }
        On(ChannelMessageSent.self) { sent, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO message VALUES (?1, ?2, ?3)",
                event.subjectName,
                sent.number,
                event.position
            )
        }
    }
}
