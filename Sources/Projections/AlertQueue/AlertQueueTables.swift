// SPDX-License-Identifier: Apache-2.0
/// The tables behind ``AlertQueue``.
enum AlertQueueTables {
    static let all = [alert, part, template] + CallOutTables.all + WebhookTables.all

    static let alert = Table(
        "alert",
        key: ["id"],
        columns: [
            "id TEXT NOT NULL", "number INTEGER NOT NULL", "place INTEGER NOT NULL",
            "org TEXT NOT NULL", "cause TEXT NOT NULL", "severity TEXT NOT NULL",
            "template TEXT NOT NULL", "contact TEXT NOT NULL", "sms TEXT", "email TEXT",
            "push TEXT", "deduplication_key TEXT NOT NULL", "queued_at INTEGER NOT NULL",
            "expires_at INTEGER NOT NULL", "state TEXT NOT NULL", "event TEXT NOT NULL",
            "acknowledged_at INTEGER", "answer TEXT", "answered_at INTEGER",
        ],
        lookups: [["cause"]],
        indexes: [
            ["state", "place"], ["cause", "number"], ["deduplication_key", "number"], ["number"],
            ["state", "number"], ["org", "number"], ["org", "state", "number"],
        ]
    )

    /// A part has the contact, the place and the end of its alert, so that what is due is found in one table; of an SMS the number, by which its answers come.
    static let part = Table(
        "alert_part",
        key: ["alert", "channel"],
        columns: [
            "alert TEXT NOT NULL", "channel TEXT NOT NULL", "state TEXT NOT NULL",
            "attempts INTEGER NOT NULL", "error TEXT", "provider_id TEXT",
            "changed_at INTEGER NOT NULL", "contact TEXT NOT NULL", "number INTEGER NOT NULL",
            "retry_at INTEGER NOT NULL", "report TEXT", "phone TEXT",
        ],
        opened: ["phone"],
        lookups: [["contact", "channel", "number"]],
        indexes: [
            ["state", "channel", "retry_at"], ["channel", "changed_at"], ["phone", "number"],
        ]
    )

    /// What somebody wrote for messages of one purpose, in one language.
    static let template = Table(
        "template",
        key: ["name", "language"],
        columns: [
            "name TEXT NOT NULL", "language TEXT NOT NULL", "subject TEXT", "text TEXT NOT NULL",
        ]
    )
}
