// SPDX-License-Identifier: Apache-2.0
import Events

/// Collects the entries of an incident's subjects, up to a point, from the log's own indexes.
///
/// From the incident the way leads to its sessions, their streams, alerts caused by any of these, and the accounts,
/// devices and erasures that they name.
struct CaseGathering {
    private let source: EntrySource
    private let kinds: Set<Kind>
    private let point: AsOf.Point
    private let decoder = EventDecoder()
    private var found: [LogPosition: Entry] = [:]
    private var visited: Set<Subject> = []

    init(_ source: EntrySource, kinds: Set<Kind>, until point: AsOf.Point) {
        self.source = source
        self.kinds = kinds
        self.point = point
    }

    /// The entries that the projector handles, each once, in the order of the log.
    mutating func entries(of reference: CaseReference) throws -> [Entry] {
        guard let root = try root(of: reference.description) else { return [] }
        try visit(root)
        return found.values.sorted { $0.envelope.position < $1.envelope.position }
    }

    /// What an id names; for a session, stream or alert the incident above it.
    private func root(of id: String) throws -> Subject? {
        for category in ["incident", "report"] {
            let subject = Subject(unchecked: "\(category)/\(id)")
            // Within an append something may name an incident that has no event of its own yet.
            if try first(of: subject) != nil || !linked(to: subject).isEmpty { return subject }
        }
        for category in ["session", "stream", "alert"] {
            if let first = try first(of: Subject(unchecked: "\(category)/\(id)")) {
                return try incident(above: first)
            }
        }
        return nil
    }

    private func incident(above entry: Entry) throws -> Subject? {
        switch try decoder.decode(entry).fact {
        case .session(.created(let fact)):
            let moves = try linked(to: entry.envelope.subject).last {
                $0.envelope.kind == IncidentSessionLinked.kind
            }
            return moves?.envelope.subject ?? .incident(fact.incident)
        case .stream(.started(let fact)):
            return try first(of: .session(fact.session)).flatMap { try incident(above: $0) }
        case .alert(.queued(let fact)):
            return try first(of: fact.cause).flatMap { try incident(above: $0) } ?? fact.cause
        default: return nil
        }
    }

    private mutating func visit(_ subject: Subject) throws {
        guard visited.insert(subject).inserted else { return }
        for entry in try own(subject) {
            keep(entry)
            try follow(entry)
        }
        guard ["incident", "session", "stream", "report"].contains(subject.category) else { return }
        for entry in try linked(to: subject) {
            switch entry.envelope.kind {
            case SessionCreated.kind, StreamStarted.kind, AlertQueued.kind:
                try visit(entry.envelope.subject)
            case IncidentSessionLinked.kind: keep(entry)
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
        default: break
        }
    }

    /// Keeps the entries of an account, a device or a person, without going on from there.
    private mutating func refer(to subject: Subject?) throws {
        guard let subject, visited.insert(subject).inserted else { return }
        for entry in try own(subject) { keep(entry) }
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

    /// All entries of a subject up to the point.
    private func own(_ subject: Subject) throws -> [Entry] {
        try pages { last in
            try source.ofSubject(subject, last.map { $0.revision.next } ?? Revision(0))
        }
    }

    /// All entries that link to a subject, up to the point.
    private func linked(to subject: Subject) throws -> [Entry] {
        try pages { last in
            try source.linkedTo(subject, last.map { $0.position.next } ?? LogPosition(0))
        }
    }

    private func pages(_ read: (Envelope?) throws -> [Entry]) throws -> [Entry] {
        var all: [Entry] = []
        while all.count < ProjectionLimits.asOfEntriesMax {
            let page = try read(all.last?.envelope)
            let wanted = page.prefix { point.includes($0.envelope) }
            all += wanted
            if page.isEmpty || wanted.count < page.count { break }
        }
        return all
    }
}
