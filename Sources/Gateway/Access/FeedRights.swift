// SPDX-License-Identifier: Apache-2.0
import Commands
import Events

/// Which entries of the log somebody may read as they stand: for feeds and single entries.
///
/// What is personal in an entry is sealed; still an entry of a private session is private.
struct FeedRights: Sendable {
    let reader: Principal
    let rights: ReadingRights

    /// Whether a feed shows an entry to its reader, by what is so now.
    ///
    /// - Throws: When the log cannot be read.
    func admits(_ entry: Entry) throws -> Bool {
        try ReadingRights.holds { try check(entry) }
    }

    /// Lets the reader have an entry, or throws why not.
    func check(_ entry: Entry) throws {
        let envelope = entry.envelope
        let subject = envelope.subject
        guard reader.seesAllOrganisations || envelope.organisation == reader.organisation else {
            throw ReadingRights.Refusal.unknown(subject)
        }
        switch subject.category {
        case "session", "stream": try rights.check(contents: subject, for: reader)
        case "incident":
            try rights.check(contents: subject, for: reader)
            try checkNamed(in: entry)
        case "alert":
            try requireDesk(subject)
            try rights.check(contents: subject, for: reader)
        case "report", "patrol_point", "device", "policy", "clock":
            try requireDesk(subject)
            try checkNamed(in: entry)
        default:
            // Who reads what, who is erased or held, who works here: for those who supervise.
            guard reader.role.reach == .everything else {
                throw ReadingRights.Refusal.role(subject)
            }
        }
    }

    /// Refuses an entry that names a session which the reader may not read; of a phone, whose owner is in one.
    private func checkNamed(in entry: Entry) throws {
        guard reader.role.reach != .everything else { return }
        let subject = entry.envelope.subject
        var named = EntryNames(try EventDecoder().decode(entry).fact)
        if subject.category == "device" {
            for person in named.persons {
                let open = try rights.handler.current(Caller.self, person).openSession
                if let open { named.sessions.insert(open) }
            }
        }
        try ReadingRights.Refusal.about(subject) {
            for session in named.sessions { try rights.check(session, for: reader) }
        }
    }

    private func requireDesk(_ subject: Subject) throws {
        guard [.desk, .everything].contains(reader.role.reach) else {
            throw ReadingRights.Refusal.role(subject)
        }
    }
}

/// The sessions and people that a fact names, in whatever member: what a new kind of event names is found as well.
struct EntryNames {
    var sessions: Set<SessionID> = []
    private(set) var persons: Set<PersonID> = []

    init(_ fact: Fact) {
        add(fact.payload)
    }

    private mutating func add(_ value: Any) {
        switch value {
        case let id as SessionID: sessions.insert(id)
        case let id as PersonID: persons.insert(id)
        case let subject as Subject:
            if let id = subject.session { sessions.insert(id) }
            if subject.category == "person", let id = PersonID(String(subject.name)) {
                persons.insert(id)
            }
        default:
            for child in Mirror(reflecting: value).children { add(child.value) }
        }
    }
}
