// SPDX-License-Identifier: Apache-2.0
/// The tables behind ``Conversations``.
enum ConversationTables {
    static let all = [conversation, message, rejection]

    static let conversation = Table(
        "conversation",
        key: ["session"],
        columns: [
            "session TEXT NOT NULL", "incident TEXT NOT NULL", "caller TEXT NOT NULL",
            "org TEXT NOT NULL", "channel TEXT NOT NULL", "opened_at INTEGER NOT NULL",
            "ended_at INTEGER", "owner TEXT",
        ],
        indexes: [["incident"], ["caller", "opened_at"]]
    )

    static let message = Table(
        "message",
        key: ["session", "position"],
        columns: [
            "session TEXT NOT NULL", "position INTEGER NOT NULL", "id TEXT NOT NULL",
            "temporary_id TEXT NOT NULL", "sender TEXT NOT NULL", "actor TEXT NOT NULL",
            "text TEXT", "client_timestamp TEXT NOT NULL", "channel TEXT NOT NULL",
            "sent_at INTEGER NOT NULL", "delivered_at INTEGER", "seen_at INTEGER",
            // Of a picture, which has no text.
            "person TEXT", "blob TEXT", "bytes INTEGER", "media_type TEXT", "width INTEGER",
            "height INTEGER", "quick_response TEXT",
        ],
        lookups: [["id"], ["session", "sender", "seen_at"]],
        indexes: [["session", "temporary_id"]]
    )

    static let rejection = Table(
        "rejection",
        key: ["session", "position"],
        columns: [
            "session TEXT NOT NULL", "position INTEGER NOT NULL", "temporary_id TEXT NOT NULL",
            "sender TEXT NOT NULL", "reason TEXT NOT NULL", "at INTEGER NOT NULL",
        ]
    )
}
