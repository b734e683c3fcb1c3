// SPDX-License-Identifier: Apache-2.0
import Events

/// Finds the subjects of an incident, or of a report, in the log itself, and when each belonged to it.
///
/// An incident has itself, each session that was ever linked to it, the streams of those sessions, the guard's alarm with which it was opened, the reports attached to it, the alerts caused by
/// any of them, and all that each incident has that was ever merged into it: each as long as it belonged there. A report
/// has itself and its alerts, a guard's round itself, the guard's check-ins on it, refused or not, and the guard's alarms; a citizen's call for help itself and its alerts.
struct CaseSubjects {
    private let ledger: LedgerReader
    /// Only entries before this position count.
    private let end: UInt64
    private var found: [Subject: [Range<UInt64>]] = [:]
    private var order: [Subject] = []
    /// Where something left the case: the entry stands on the incident to which it went.
    private(set) var departures: Set<UInt64> = []
    private var read: [Subject: (own: [RecordedEvent], linked: [RecordedEvent])] = [:]

    init(_ ledger: LedgerReader, before end: UInt64) {
        self.ledger = ledger
        self.end = end
    }

    /// A subject of a case.
    struct Member {
        let subject: Subject
        /// From which positions on, and before which, it belonged there; never empty.
        let spans: [Range<UInt64>]

        /// Whether it is of many cases, and gives each only what belonged there.
        var isShared: Bool { subject.category == "patrol_point" }

        func has(_ position: LogPosition) -> Bool {
            spans.contains { $0.contains(position.rawValue) }
        }

        /// Behind what it did last while it belonged there.
        var until: UInt64 { spans.map(\.upperBound).max() ?? 0 }
    }

    /// What an id, or a subject's name, stands for: an incident for its sessions, streams and alerts.
    mutating func root(of reference: String) throws -> Subject {
        let bare = reference.split(separator: "/").last.map(String.init) ?? reference
        guard UUIDv7(bare) != nil else { throw TimelineError.notAReference(reference) }
        for category in [
            "incident", "report", "round", "sos", "session", "stream", "alert", "call_out",
        ]
        where !reference.contains("/") || reference.hasPrefix("\(category)/") {
            let subject = Subject(unchecked: "\(category)/\(bare)")
            if let first = try events(of: subject).own.first { return try above(subject, first) }
            // Within the append that opened it, its session names the incident before it has an entry.
            if category == "incident", try !events(of: subject).linked.isEmpty { return subject }
        }
        throw TimelineError.unknown(reference)
    }

    /// All subjects of a case, the root first.
    mutating func members(of root: Subject) throws -> [Member] {
        try add(root, 0..<end)
        return order.map { Member(subject: $0, spans: found[$0] ?? []) }
    }

    private mutating func above(_ subject: Subject, _ first: RecordedEvent) throws -> Subject {
        switch first.fact {
        case .session(.created): return try stays(of: subject).last?.incident ?? subject
        case .stream(.started(let started)):
            return try stays(of: .session(started.session)).last?.incident
                ?? .incident(started.incident)
        case .alert(.queued(let queued)):
            guard let cause = try events(of: queued.cause).own.first else { return subject }
            return try above(queued.cause, cause)
        case .callOut(.opened(let opened)):
            guard let cause = opened.cause, let first = try events(of: cause).own.first else {
                return subject
            }
            return try above(cause, first)
        default: return subject
        }
    }

    /// Adds a subject for a time, and what belongs to the case because it does.
    private mutating func add(_ subject: Subject, _ span: Range<UInt64>) throws {
        guard !span.isEmpty, found[subject]?.contains(span) != true else { return }
        if found[subject] == nil { order.append(subject) }
        found[subject, default: []].append(span)
        if subject.category == "incident" { try addSessions(of: subject, span) }
        for event in try events(of: subject).linked {
            let position = event.envelope.position.rawValue
            switch event.fact {
            case .stream(.started(let fact)) where .session(fact.session) == subject:
                try add(event.envelope.subject, (position..<end).clamped(to: span))
            case .alert(.queued(let fact)) where fact.cause == subject:
                try add(event.envelope.subject, (position..<end).clamped(to: span))
            case .callOut(.opened(let fact)) where fact.cause == subject:
                try add(event.envelope.subject, (position..<end).clamped(to: span))
            case .patrol(.guardAlarmRaised(let fact)) where fact.round.map { .round($0) } == subject:
                try add(event.envelope.subject, (position..<end).clamped(to: span))
            case .patrol(.guardAlarmAnswered(let fact))
            where fact.incident.map { .incident($0) } == subject:
                try add(event.envelope.subject, (position..<end).clamped(to: span))
            case .patrol(.checkedIn), .patrol(.checkInRefused):
                // A patrol point is many rounds': one of its entries belongs to this one.
                guard subject.category == "round" else { continue }
                try lend(event.envelope.subject, (position..<position + 1).clamped(to: span))
            case .report(.attached(let fact)) where .incident(fact.incident) == subject:
                let until = try leaving(of: event.envelope.subject, after: position)
                try add(event.envelope.subject, (position..<until).clamped(to: span))
            case .incident(.merged(let fact)) where .incident(fact.into) == subject:
                let until = try unmerging(
                    of: event.envelope.subject,
                    from: subject,
                    after: position
                )
                note(departureAt: until, within: span)
                try add(event.envelope.subject, (position..<until).clamped(to: span))
            default: break
            }
        }
    }

    /// Adds a single entry of a subject that is not the case's.
    private mutating func lend(_ subject: Subject, _ span: Range<UInt64>) throws {
        guard !span.isEmpty else { return }
        if found[subject] == nil { order.append(subject) }
        found[subject, default: []].append(span)
    }

    /// What leaves while what it belongs to is a part of the case, leaves the case.
    private mutating func note(departureAt position: UInt64, within span: Range<UInt64>) {
        guard position < end, span.contains(position) else { return }
        departures.insert(position)
    }

    private mutating func addSessions(of incident: Subject, _ span: Range<UInt64>) throws {
        var sessions: [Subject] = []
        let (own, linked) = try events(of: incident)
        for event in linked {
            if case .session(.created) = event.fact { sessions.append(event.envelope.subject) }
        }
        for event in own {
            guard case .incident(.sessionLinked(let link)) = event.fact else { continue }
            let session = Subject.session(link.session)
            if !sessions.contains(session) { sessions.append(session) }
        }
        for session in sessions {
            for stay in try stays(of: session) where stay.incident == incident {
                note(departureAt: stay.span.upperBound, within: span)
                try add(session, stay.span.clamped(to: span))
            }
        }
    }

    /// Where a session was, one incident after the other.
    private mutating func stays(
        of session: Subject
    ) throws -> [(incident: Subject, span: Range<UInt64>)] {
        var moves: [(incident: Subject, at: UInt64)] = []
        let (own, linked) = try events(of: session)
        for event in own + linked {
            let position = event.envelope.position.rawValue
            switch event.fact {
            case .session(.created(let created)):
                moves.append((.incident(created.incident), position))
            case .incident(.sessionLinked(let fact)) where .session(fact.session) == session:
                // Linked again where it is, it stays.
                guard moves.last?.incident != event.envelope.subject else { continue }
                moves.append((event.envelope.subject, position))
            default: break
            }
        }
        let ends = moves.dropFirst().map(\.at) + [end]
        return zip(moves, ends).map { ($0.incident, $0.at..<max($0.at, $1)) }
    }

    /// Behind the entry by which a report went to another incident, or to none.
    private mutating func leaving(of report: Subject, after position: UInt64) throws -> UInt64 {
        try events(of: report).own.first { event in
            guard event.envelope.position.rawValue > position else { return false }
            return switch event.fact {
            case .report(.attached), .report(.detached): true
            default: false
            }
        }.map { $0.envelope.position.rawValue + 1 } ?? end
    }

    /// When an incident was taken out again of the one that it was merged into.
    private mutating func unmerging(
        of part: Subject,
        from whole: Subject,
        after position: UInt64
    ) throws -> UInt64 {
        try events(of: part).own.first { event in
            guard case .incident(.unmerged(let fact)) = event.fact else { return false }
            return Subject.incident(fact.from) == whole
                && event.envelope.position.rawValue > position
        }?.envelope.position.rawValue ?? end
    }

    /// A subject's own events, and those of others that link to it.
    private mutating func events(
        of subject: Subject
    ) throws -> (own: [RecordedEvent], linked: [RecordedEvent]) {
        if let known = read[subject] { return known }
        let events = (
            own: try decoded(ledger.positions(of: subject)),
            linked: try decoded(ledger.positions(linkedTo: subject))
        )
        read[subject] = events
        return events
    }

    private func decoded(_ positions: [LogPosition]) throws -> [RecordedEvent] {
        try ledger.entries(at: positions.filter { $0.rawValue < end }).map {
            try EventDecoder().decode($0)
        }
    }
}
