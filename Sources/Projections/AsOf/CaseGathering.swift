// SPDX-License-Identifier: Apache-2.0
import Events

/// Collects the entries of an incident's subjects, up to a point, from the log's own indexes.
///
/// From the incident the way leads to its sessions, their streams, the guard's alarm with which it was opened, the reports attached to it, alerts caused by any of these, the incidents that were
/// merged into it, and the accounts, devices and erasures that they name.
struct CaseGathering {
    private let source: EntrySource
    private let kinds: Set<Kind>
    private let point: AsOf.Point
    private let entriesMax: Int
    private let decoder = EventDecoder()
    private var found: [LogPosition: Entry] = [:]
    private var visited: Set<Subject> = []
    /// Entries read so far, kept or not.
    private var entriesRead = 0

    init(_ source: EntrySource, kinds: Set<Kind>, until point: AsOf.Point, entriesMax: Int) {
        self.source = source
        self.kinds = kinds
        self.point = point
        self.entriesMax = entriesMax
    }

    /// The entries that the projector handles, each once, in the order of the log.
    ///
    /// - Throws: ``CaseTooLarge`` rather than leave something out.
    mutating func entries(of references: [CaseReference]) throws -> [Entry] {
        for reference in references {
            if let root = try root(of: reference.description) { try visit(root) }
        }
        return found.values.sorted { $0.envelope.position < $1.envelope.position }
    }

    /// What an id names; for a session, stream or alert the incident above it.
    private mutating func root(of id: String) throws -> Subject? {
        for category in ["incident", "report", "round", "sos"] {
            let subject = Subject(unchecked: "\(category)/\(id)")
            // Within an append something may name an incident that has no event of its own yet.
            if try first(of: subject) != nil || isLinked(to: subject) { return subject }
        }
        for category in ["session", "stream", "alert", "call_out"] {
            if let first = try first(of: Subject(unchecked: "\(category)/\(id)")) {
                return try incident(above: first)
            }
        }
        return nil
    }

    private mutating func incident(above entry: Entry) throws -> Subject? {
        switch try decoder.decode(entry).fact {
        case .session(.created(let fact)):
            return try lastIncident(of: entry.envelope.subject) ?? .incident(fact.incident)
        case .stream(.started(let fact)):
            guard let session = try first(of: .session(fact.session)) else { return nil }
            return try incident(above: session)
        case .alert(.queued(let fact)):
            guard let cause = try first(of: fact.cause) else { return fact.cause }
            return try incident(above: cause) ?? fact.cause
        case .callOut(.opened(let fact)):
            guard let cause = fact.cause else { return nil }
            guard let first = try first(of: cause) else { return cause }
            return try incident(above: first) ?? cause
        default: return nil
        }
    }

    /// Where a session was linked to last.
    private mutating func lastIncident(of session: Subject) throws -> Subject? {
        var incident: Subject?
        try eachLinked(to: session) { _, entry in
            guard entry.envelope.kind == IncidentSessionLinked.kind else { return }
            incident = entry.envelope.subject
        }
        return incident
    }

    private mutating func visit(_ subject: Subject) throws {
        guard visited.insert(subject).inserted else { return }
        try eachOwn(of: subject) { gathering, entry in
            gathering.keep(entry)
            try gathering.follow(entry)
        }
        let leading: [Substring] = [
            "incident", "session", "stream", "alert", "call_out", "report", "round",
            "guard_alarm", "sos",
        ]
        guard leading.contains(subject.category) else { return }
        try visitLinked(to: subject)
    }

    private mutating func visitLinked(to subject: Subject) throws {
        try eachLinked(to: subject) { gathering, entry in
            switch entry.envelope.kind {
            case SessionCreated.kind, StreamStarted.kind, AlertQueued.kind, IncidentMerged.kind,
                GuardAlarmRaised.kind, GuardAlarmAnswered.kind, CallOutOpened.kind,
                ReportAttached.kind:
                try gathering.visit(entry.envelope.subject)
            case IncidentSessionLinked.kind, PatrolCheckedIn.kind, PatrolCheckInRefused.kind:
                gathering.keep(entry)
            default: break
            }
        }
    }

    /// Goes on to what an entry names beyond its links.
    private mutating func follow(_ entry: Entry) throws {
        switch entry.envelope.kind {
        case IncidentSessionLinked.kind:
            guard case .incident(.sessionLinked(let fact)) = try decoder.decode(entry).fact else {
                return
            }
            try visit(.session(fact.session))
        case SessionCreated.kind:
            guard case .session(.created(let fact)) = try decoder.decode(entry).fact else { return }
            try refer(to: fact.device.map { .device($0) })
            try refer(to: .person(fact.caller))
            try refer(to: fact.openedByUser.map { .user($0) })
        case SessionClaimed.kind:
            guard case .session(.claimed(let fact)) = try decoder.decode(entry).fact else { return }
            try refer(to: .user(fact.owner))
        case SessionTransferred.kind:
            guard case .session(.transferred(let fact)) = try decoder.decode(entry).fact else {
                return
            }
            try refer(to: .user(fact.to))
        default: break
        }
    }

    /// Keeps the entries of an account, a device or a person, without going on from there.
    private mutating func refer(to subject: Subject?) throws {
        guard let subject, visited.insert(subject).inserted else { return }
        try eachOwn(of: subject) { gathering, entry in gathering.keep(entry) }
    }

    private mutating func keep(_ entry: Entry) {
        guard kinds.contains(entry.envelope.kind) else { return }
        found[entry.envelope.position] = entry
    }

    private func first(of subject: Subject) throws -> Entry? {
        guard let entry = try source.ofSubject(subject, Revision(0)).first,
            point.includes(entry.envelope)
        else { return nil }
        return entry
    }

    /// Whether something happened to a subject; who only asked for it may have named what there is not.
    private mutating func isLinked(to subject: Subject) throws -> Bool {
        var isLinked = false
        try eachLinked(to: subject) { gathering, entry in
            if case .access = try gathering.decoder.decode(entry).fact { return }
            isLinked = true
        }
        return isLinked
    }

    /// Goes through a subject's entries up to the point.
    private mutating func eachOwn(
        of subject: Subject,
        _ take: (inout Self, Entry) throws -> Void
    ) throws {
        var next = Revision?.some(Revision(0))
        while let from = next {
            let page = try counted(source.ofSubject(subject, from))
            for entry in page { try take(&self, entry) }
            next = page.last?.envelope.revision.next
        }
    }

    /// Goes through the entries that link to a subject, up to the point.
    private mutating func eachLinked(
        to subject: Subject,
        _ take: (inout Self, Entry) throws -> Void
    ) throws {
        var next = LogPosition?.some(LogPosition(0))
        while let from = next {
            let page = try counted(source.linkedTo(subject, from))
            for entry in page { try take(&self, entry) }
            next = page.last?.envelope.position.next
        }
    }

    /// Those of a page that the point includes, if there may be so many.
    private mutating func counted(_ page: [Entry]) throws -> [Entry] {
        if Task.isCancelled { throw CancellationError() }
        // Both orders are the log's, so nothing behind the first that is too new is wanted.
        let wanted = Array(page.prefix { point.includes($0.envelope) })
        entriesRead += wanted.count
        guard entriesRead <= entriesMax else { throw CaseTooLarge(entriesMax: entriesMax) }
        return wanted
    }
}
