// SPDX-License-Identifier: Apache-2.0
import Commands
import Events

/// Which entries of the log somebody may read: the one place for feeds, single entries, timelines and topics, now and as of
/// then.
///
/// What is personal in an entry is sealed; still an entry of a private session is private.
struct FeedRights: Sendable {
    let reader: Principal
    let rights: ReadingRights

    /// Whether an entry is shown to its reader, by what is so now.
    ///
    /// - Throws: When the log cannot be read.
    func admits(_ entry: Entry) throws -> Bool {
        try ReadingRights.holds { try check(entry) }
    }

    /// Lets the reader have an entry, or throws why not.
    func check(_ entry: Entry) throws {
        let envelope = entry.envelope
        let (subject, audience) = (
            envelope.subject, audience(of: envelope.kind, on: envelope.subject)
        )
        guard reader.reaches(envelope.organisation) else {
            throw ReadingRights.Refusal.unknown(subject)
        }
        // What the centre writes about a conversation is refused behind the question whose conversation it is.
        guard has(audience) || audience == .centre else {
            throw ReadingRights.Refusal.role(subject)
        }
        try rights.check(contents: subject, for: reader)
        guard has(audience) else { throw ReadingRights.Refusal.role(subject) }
        if mayNameOthers(subject) { try checkNamed(in: entry) }
    }

    /// Whether a row that stands for an entry is shown, as the entry would be.
    ///
    /// - Parameters:
    ///   - subject: The entry's subject.
    ///   - kind: What happened.
    ///   - position: Its place.
    ///   - known: What was found of subjects in the same answer, so that a long one costs what differs in it.
    /// - Returns: The same as ``admits(_:)`` for the entry there.
    /// - Throws: When the log cannot be read.
    func admits(
        rowOf subject: Subject,
        _ kind: Kind,
        at position: LogPosition,
        known: inout [Subject: Bool]
    ) throws -> Bool {
        guard has(audience(of: kind, on: subject)) else { return false }
        if known[subject] == nil {
            let organisation = try rights.organisation(of: subject)
            known[subject] = try ReadingRights.holds {
                guard reader.reaches(organisation) else {
                    throw ReadingRights.Refusal.unknown(subject)
                }
                try rights.check(contents: subject, for: reader)
            }
        }
        guard known[subject] == true else { return false }
        guard mayNameOthers(subject) else { return true }
        return try rights.log.entry(at: position).map(admits) ?? false
    }

    /// Who reads a kind; `nil` for one that this program does not know, which nobody reads.
    private func audience(of kind: Kind, on subject: Subject) -> EventAudience? {
        // A scan that names no point stands on the guard, and who works here is for those who supervise.
        let isOfStaff = subject.category == "user"
        return EventCatalog.current[kind].map { isOfStaff ? .supervision : $0.traits.audience }
    }

    private func has(_ audience: EventAudience?) -> Bool {
        switch audience {
        case .conversation: reader.role.reach != .nothing
        case .centre, .desk: reader.role.reach == .desk || reader.role.reach == .everything
        case .supervision: reader.role.reach == .everything
        case nil: false
        }
    }

    /// Whether the entries of a subject tell of sessions next to the one that they stand on, and not everybody has them all.
    private func mayNameOthers(_ subject: Subject) -> Bool {
        reader.role.reach != .everything && !["session", "stream"].contains(subject.category)
    }

    /// Refuses an entry that names a session which the reader may not read.
    private func checkNamed(in entry: Entry) throws {
        let named = EntryNames(try EventDecoder().decode(entry).fact)
        try ReadingRights.Refusal.about(entry.envelope.subject) {
            for session in named.sessions { try rights.check(session, for: reader) }
        }
    }
}

/// The sessions that a fact names, in whatever member: what a new kind of event names is found as well.
private struct EntryNames {
    private(set) var sessions: Set<SessionID> = []

    init(_ fact: Fact) {
        add(fact.payload)
    }

    private mutating func add(_ value: Any) {
        switch value {
        case let id as SessionID: sessions.insert(id)
        case let subject as Subject:
            if let id = subject.session { sessions.insert(id) }
        default:
            for child in Mirror(reflecting: value).children { add(child.value) }
        }
    }
}
