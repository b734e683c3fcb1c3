// SPDX-License-Identifier: Apache-2.0
/// The tables behind ``Pushes``.
enum PushesTables {
    static let all = [session, device, due, delivery]

    /// Open sessions.
    private static let session = Table(
        "session",
        key: ["id"],
        columns: ["id TEXT NOT NULL", "person TEXT NOT NULL", "created_at INTEGER NOT NULL"]
    )

    /// Devices that take pushes.
    private static let device = Table(
        "device",
        key: ["id"],
        columns: ["id TEXT NOT NULL", "person TEXT NOT NULL", "subscription TEXT NOT NULL"],
        lookups: [["person"]]
    )

    /// What may be worth a push and is not over; `item` is the request or the message.
    private static let due = Table(
        "due",
        key: ["event"],
        columns: [
            "event TEXT NOT NULL", "session TEXT NOT NULL", "person TEXT NOT NULL",
            "org TEXT NOT NULL", "cause TEXT NOT NULL", "item TEXT", "created_at INTEGER NOT NULL",
            "at INTEGER NOT NULL", "expires_at INTEGER", "position INTEGER NOT NULL",
        ],
        lookups: [["session", "cause"], ["item"]]
    )

    /// Pushes that were queued, with how far each has come; `event` is what it tells of.
    private static let delivery = Table(
        "delivery",
        key: ["alert"],
        columns: [
            "alert TEXT NOT NULL", "event TEXT NOT NULL", "device TEXT NOT NULL",
            "session TEXT NOT NULL", "org TEXT NOT NULL", "cause TEXT NOT NULL", "item TEXT",
            "created_at INTEGER NOT NULL", "state TEXT NOT NULL", "attempts INTEGER NOT NULL",
            "retry_at INTEGER", "position INTEGER NOT NULL", "queued_by TEXT NOT NULL",
        ],
        indexes: [["event", "device"], ["device", "session", "position"], ["state", "position"]]
    )
}
