// SPDX-License-Identifier: Apache-2.0
public import Events

/// A session turns out to be about another incident, and moves there.
public struct LinkSession: Command {
    public let session: SessionID
    public let incident: IncidentID
    public let reason: String

    public init(_ session: SessionID, to incident: IncidentID, reason: String) {
        self.session = session
        self.incident = incident
        self.reason = reason
    }

    /// Why it did not move.
    public enum Refusal: CommandRefusal {
        case sessionUnknown(SessionID)
        case incidentUnknown(IncidentID)
        case merged(IncidentID, into: IncidentID)
        case otherOrganisation(IncidentID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .sessionUnknown(let id): SessionUnavailable.unknown(id).problem(of: "linking")
            case .incidentUnknown(let id): .incidentUnknown(id, attempt: "linking")
            case .merged(let id, let into): .incidentMerged(id, into: into, attempt: "linking")
            case .otherOrganisation(let id): .incidentElsewhere(id, attempt: "linking")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .session(session) }

    public func read(
        _ ledger: inout LedgerView
    ) throws -> (session: Session, incident: Incident, membership: Membership) {
        // A session that exists, exists for good: no condition, so that a chat does not delay it.
        (
            try ledger.glance(Session.self, session),
            try ledger.read(Incident.self, incident),
            try ledger.read(Membership.self, session)
        )
    }

    public func decide(
        _ state: (session: Session, incident: Incident, membership: Membership),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            reason,
            "reason",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        guard let contact = state.session.contact else { throw .sessionUnknown(session) }
        guard state.incident.isOpened else { throw .incidentUnknown(incident) }
        // Neither organisation could read an incident of both.
        guard contact.organisation == state.incident.organisation else {
            throw .otherOrganisation(incident)
        }
        guard state.membership.incident != incident else { return .already(()) }
        if let merger = state.incident.merger { throw .merged(incident, into: merger.into) }
        let linked = IncidentSessionLinked(
            session: session,
            from: state.membership.incident,
            reason: reason
        )
        return .record([.incident(incident, .sessionLinked(linked))])
    }
}

extension Problem {
    static func incidentUnknown(_ incident: IncidentID, attempt: String) -> Problem {
        Problem(
            .notFound,
            "incident-unknown",
            "\(attempt) refused: there is no incident \(incident); check the id",
            facts: ["incident": "\(incident)"]
        )
    }

    /// Nothing that is one organisation's joins what is another's.
    static func incidentElsewhere(_ incident: IncidentID, attempt: String) -> Problem {
        Problem(
            .conflict,
            "incident-of-other-organisation",
            "\(attempt) refused: incident \(incident) is another organisation's; "
                + "each keeps an incident of its own",
            facts: ["incident": "\(incident)"]
        )
    }
}
