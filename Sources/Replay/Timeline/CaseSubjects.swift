// SPDX-License-Identifier: Apache-2.0
import Events

/// Finds the subjects of an incident, or of a report, in the log itself.
///
/// An incident has itself, each session that was ever linked to it, the streams of those sessions, the alerts caused by
/// any of them, and all that each incident has that was ever merged into it. A report has itself and its alerts.
struct CaseSubjects {
    private let ledger: LedgerReader
    /// Only entries before this position count.
    private let end: UInt64

    init(_ ledger: LedgerReader, before end: UInt64) {
        self.ledger = ledger
        self.end = end
    }

    /// What an id, or a subject's name, stands for: an incident for its sessions, streams and alerts.
    func root(of reference: String) throws -> Subject {
        let bare = reference.split(separator: "/").last.map(String.init) ?? reference
        guard UUIDv7(bare) != nil else { throw TimelineError.notAReference(reference) }
        for category in ["incident", "report", "session", "stream", "alert"]
        where !reference.contains("/") || reference.hasPrefix("\(category)/") {
            let subject = Subject(unchecked: "\(category)/\(bare)")
            if let first = try entries(of: subject).first { return try above(subject, first) }
            // Within the append that opened it, its session names the incident before it has an entry.
            if category == "incident", try !linked(to: subject).isEmpty { return subject }
        }
        throw TimelineError.unknown(reference)
    }

    /// All subjects of a case, the root first.
    func all(of root: Subject) throws -> [Subject] {
        var found = [root]
        var known: Set<Subject> = [root]
        var next = 0
        while next < found.count {
            for subject in try below(found[next]) where known.insert(subject).inserted {
                found.append(subject)
            }
            next += 1
        }
        return found
    }

    private func above(_ subject: Subject, _ first: RecordedEvent) throws -> Subject {
        switch first.fact {
        case .session(.created(let created)):
            return try presentIncident(of: subject) ?? .incident(created.incident)
        case .stream(.started(let started)):
            return try presentIncident(of: .session(started.session))
                ?? .incident(started.incident)
        case .alert(.queued(let queued)):
            guard let cause = try entries(of: queued.cause).first else { return subject }
            return try above(queued.cause, cause)
        default: return subject
        }
    }

    /// The incident that a session was moved to last; `nil` if it stayed where it was created.
    private func presentIncident(of session: Subject) throws -> Subject? {
        try linked(to: session).last { event in
            if case .incident(.sessionLinked) = event.fact { true } else { false }
        }?.envelope.subject
    }

    /// Subjects that belong to a case because this one does.
    private func below(_ subject: Subject) throws -> [Subject] {
        var found: [Subject] = []
        for event in try entries(of: subject) {
            if case .incident(.sessionLinked(let linked)) = event.fact {
                found.append(.session(linked.session))
            }
        }
        for event in try linked(to: subject) {
            switch event.fact {
            case .session(.created), .stream(.started), .alert(.queued), .incident(.merged):
                found.append(event.envelope.subject)
            default: break
            }
        }
        return found
    }

    private func entries(of subject: Subject) throws -> [RecordedEvent] {
        try decoded(ledger.positions(of: subject))
    }

    private func linked(to subject: Subject) throws -> [RecordedEvent] {
        try decoded(ledger.positions(linkedTo: subject))
    }

    private func decoded(_ positions: [LogPosition]) throws -> [RecordedEvent] {
        try ledger.entries(at: positions.filter { $0.rawValue < end }).map {
            try EventDecoder().decode($0)
        }
    }
}
