// SPDX-License-Identifier: Apache-2.0
/// The tables behind ``OperatorDesk``.
enum OperatorDeskTables {
    static let all = [
        session, proposal, incident, note, message, request, consent, location, stream, caller,
        device, user, searched,
    ]
    static let search = [SearchTable("desk_search", columns: ["caller", "message", "place"])]

    static let session = Table(
        "session",
        key: ["id"],
        columns: [
            "id TEXT NOT NULL", "incident TEXT NOT NULL", "caller TEXT NOT NULL",
            "org TEXT NOT NULL",
            "device TEXT", "channel TEXT NOT NULL", "opened_by TEXT NOT NULL",
            "opened_by_user TEXT",
            "phone TEXT", "phone_key TEXT", "sealed_phone TEXT", "state TEXT NOT NULL",
            "owner TEXT",
            "last_owner TEXT", "created_at INTEGER NOT NULL", "created_position INTEGER NOT NULL",
            "expires_at INTEGER", "started_at INTEGER", "claimed_at INTEGER",
            "activity_at INTEGER NOT NULL", "pending_since INTEGER", "ended_at INTEGER",
            "disposition TEXT", "note TEXT", "sealed INTEGER NOT NULL",
            "unattended_at INTEGER", "take_over_at INTEGER",
            "offered_to TEXT", "offered_by TEXT", "offer_reason TEXT", "offer_until INTEGER",
            "first_words TEXT", "last_words TEXT", "wishes_video_until INTEGER",
            "who TEXT NOT NULL", "telephone TEXT", "is_muted INTEGER NOT NULL",
        ],
        opened: ["phone"],
        lookups: [["phone_key"], ["incident"]],
        indexes: [
            ["created_position"], ["org", "created_position"],
            ["org", "state", "created_position"], ["owner", "created_position"],
            ["caller", "created_position"], ["who", "created_position"],
            ["last_owner", "incident"],
            ["pending_since", "created_position"], ["org", "pending_since", "created_position"],
        ]
    )

    /// Which other sessions' owners asked to make both one incident, and have no answer.
    static let proposal = Table(
        "proposal",
        key: ["session", "asker"],
        columns: [
            "session TEXT NOT NULL", "asker TEXT NOT NULL", "owner TEXT NOT NULL",
            "until INTEGER NOT NULL", "position INTEGER NOT NULL",
        ]
    )

    /// What is known of an incident itself; its sessions come and go.
    static let incident = Table(
        "incident",
        key: ["id"],
        columns: [
            "id TEXT NOT NULL", "address TEXT", "type TEXT NOT NULL", "priority INTEGER NOT NULL",
            "classified_by TEXT", "classified_at INTEGER",
        ]
    )

    /// What was written down about incidents.
    static let note = Table(
        "note",
        key: ["id"],
        columns: [
            "id TEXT NOT NULL", "incident TEXT NOT NULL", "position INTEGER NOT NULL",
            "session TEXT NOT NULL", "author TEXT NOT NULL", "at INTEGER NOT NULL",
            "text TEXT NOT NULL",
        ],
        indexes: [["incident", "position"]]
    )

    /// Which messages the other side has seen.
    static let message = Table(
        "message",
        key: ["session", "position"],
        columns: [
            "session TEXT NOT NULL", "position INTEGER NOT NULL", "message TEXT NOT NULL",
            "sender TEXT NOT NULL", "seen INTEGER NOT NULL",
        ],
        lookups: [["message"], ["session", "seen", "sender"]]
    )

    static let request = Table(
        "request",
        key: ["id"],
        columns: [
            "id TEXT NOT NULL", "session TEXT NOT NULL", "ask TEXT NOT NULL",
            "sent_at INTEGER NOT NULL", "expires_at INTEGER", "opened_at INTEGER", "answer TEXT",
            "answered_at INTEGER",
        ],
        indexes: [["session", "sent_at"]]
    )

    static let consent = Table(
        "consent",
        key: ["session", "scope"],
        columns: [
            "session TEXT NOT NULL", "scope TEXT NOT NULL", "decision TEXT NOT NULL",
            "text_version TEXT NOT NULL", "at INTEGER NOT NULL",
        ]
    )

    static let location = Table(
        "location",
        key: ["session", "position"],
        columns: [
            "session TEXT NOT NULL", "position INTEGER NOT NULL", "at INTEGER NOT NULL", "fix TEXT",
            "method TEXT", "unavailable TEXT", "request TEXT",
        ]
    )

    static let stream = Table(
        "stream",
        key: ["id"],
        columns: [
            "id TEXT NOT NULL", "session TEXT NOT NULL", "state TEXT NOT NULL",
            "started_at INTEGER NOT NULL",
        ],
        indexes: [["session", "started_at"]]
    )

    /// Whoever has sessions or a phone; `who` is the same for all who turned out to be one person.
    static let caller = Table(
        "caller",
        key: ["person"],
        columns: [
            "person TEXT NOT NULL", "phone TEXT", "sealed_phone TEXT", "sessions INTEGER NOT NULL",
            "last_session TEXT", "last_at INTEGER NOT NULL", "org TEXT NOT NULL",
            "who TEXT NOT NULL",
        ],
        opened: ["phone"],
        lookups: [["who"]],
        indexes: [["phone"]]
    )

    static let device = Table(
        "device",
        key: ["id"],
        columns: [
            "id TEXT NOT NULL", "person TEXT NOT NULL", "phone TEXT", "sealed_phone TEXT",
            "verification TEXT NOT NULL", "public_key TEXT", "registered_at INTEGER NOT NULL",
            "revoked_at INTEGER",
        ],
        opened: ["phone"],
        lookups: [["person"]],
        indexes: [["phone"]]
    )

    static let user = Table(
        "user",
        key: ["id"],
        columns: [
            "id TEXT NOT NULL", "org TEXT NOT NULL", "role TEXT NOT NULL", "person TEXT NOT NULL",
            "name TEXT", "signed_in INTEGER NOT NULL", "changed_at INTEGER NOT NULL",
        ],
        indexes: [["org", "id"], ["org", "signed_in", "id"]]
    )

    /// What each event is of that has words in the full text, or had, and whose key sealed them.
    static let searched = Table(
        "searched",
        key: ["position"],
        columns: [
            "position INTEGER NOT NULL", "kind TEXT NOT NULL", "session TEXT NOT NULL",
            "person TEXT", "at INTEGER NOT NULL", "sender TEXT",
        ],
        lookups: [["person"]],
        indexes: [["at"]]
    )
}
