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

    /// Who reads the entries of a category, next to what ``ReadingRights/check(contents:for:)`` says of each subject.
    private enum Audience {
        /// Whoever may read the conversation.
        case conversation
        /// The centre's desk, and who supervises.
        case desk
        /// Who supervises.
        case supervision

        init(_ category: Substring) {
            switch category {
            case "session", "stream", "incident": self = .conversation
            case "alert", "report", "patrol_point", "device", "policy", "clock": self = .desk
            // Who reads what, who is erased or held, who works here.
            default: self = .supervision
            }
        }

        func has(_ reach: Role.Reach) -> Bool {
            switch self {
            case .conversation: reach != .nothing
            case .desk: reach == .desk || reach == .everything
            case .supervision: reach == .everything
            }
        }
    }

    /// Whether an entry is shown to its reader, by what is so now.
    ///
    /// - Throws: When the log cannot be read.
    func admits(_ entry: Entry) throws -> Bool {
        try ReadingRights.holds { try check(entry) }
    }

    /// Lets the reader have an entry, or throws why not.
    func check(_ entry: Entry) throws {
        let envelope = entry.envelope
        try check(envelope.subject, of: envelope.organisation)
        guard isTold(envelope.kind) else { throw ReadingRights.Refusal.role(envelope.subject) }
        if mayNameOthers(envelope.subject) { try checkNamed(in: entry) }
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
        let isAdmitted: Bool
        if let before = known[subject] {
            isAdmitted = before
        } else {
            isAdmitted = try ReadingRights.holds {
                try check(subject, of: rights.organisation(of: subject))
            }
            known[subject] = isAdmitted
        }
        guard isAdmitted, isTold(kind) else { return false }
        guard mayNameOthers(subject) else { return true }
        return try rights.log.entry(at: position).map(admits) ?? false
    }

    private func check(_ subject: Subject, of organisation: OrganisationID?) throws {
        guard reader.reaches(organisation) else { throw ReadingRights.Refusal.unknown(subject) }
        guard Audience(subject.category).has(reader.role.reach) else {
            throw ReadingRights.Refusal.role(subject)
        }
        try rights.check(contents: subject, for: reader)
    }

    /// What the centre writes for itself about an incident or a session, or asks one another, is not told to the callers.
    private func isTold(_ kind: Kind) -> Bool {
        reader.role.reach != .own || !Self.ofTheCentre.contains(kind)
    }

    private static let ofTheCentre: Set<Kind> = SessionOffered.kinds.union(SessionSealed.kinds)
        .union(SessionUnsealed.kinds).union([
            IncidentClassified.kind, IncidentNoteAdded.kind, SessionOfferDeclined.kind,
            SessionLinkProposed.kind, SessionLinkDeclined.kind, SessionLinkAccepted.kind,
        ])

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
