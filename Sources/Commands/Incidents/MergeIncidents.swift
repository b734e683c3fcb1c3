// SPDX-License-Identifier: Apache-2.0
public import Events

/// Two incidents turn out to be the same event: one goes on, the id of the other means it from now on.
public struct MergeIncidents: Command {
    /// The incident that goes on.
    public let incident: IncidentID
    /// The incident that becomes part of it.
    public let other: IncidentID
    public let reason: String

    public init(_ other: IncidentID, into incident: IncidentID, reason: String) {
        self.incident = incident
        self.other = other
        self.reason = reason
    }

    /// Why they stay two.
    public enum Refusal: CommandRefusal {
        case incidentUnknown(IncidentID)
        case same(IncidentID)
        case merged(IncidentID, into: IncidentID)
        case otherOrganisation(IncidentID)
        case tooManySessions(count: Int)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .incidentUnknown(let id): .incidentUnknown(id, attempt: "merging")
            case .same(let id):
                Problem(
                    .unprocessable,
                    "incident-same",
                    "merging refused: \(id) is both incidents; name two",
                    facts: ["incident": "\(id)"]
                )
            case .merged(let id, let into): .incidentMerged(id, into: into, attempt: "merging")
            case .otherOrganisation(let id): .incidentElsewhere(id, attempt: "merging")
            case .tooManySessions(let count):
                Problem(
                    .unprocessable,
                    "incident-sessions-max",
                    "merging refused: \(count) sessions would move, at most "
                        + "\(CommandLimits.sessionsPerMergeMax) can; merge the other way round, or link them one by one",
                    facts: [
                        "count": String(count), "max": String(CommandLimits.sessionsPerMergeMax),
                    ]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    /// What the decision depends on.
    public struct State {
        let incident: Incident
        let other: Incident
        /// The sessions that belong to the other now.
        let sessions: [SessionID]
    }

    public var subject: Subject { .incident(incident) }

    public func read(_ ledger: inout LedgerView) throws -> State {
        let other = try ledger.read(Incident.self, self.other)
        let sessions = try other.sessions.filter {
            try ledger.glance(Membership.self, $0).incident == other.id
        }
        // Those that left do not come back unseen; those that are here must still be here.
        for session in sessions.prefix(CommandLimits.sessionsPerMergeMax) {
            _ = try ledger.read(Membership.self, session)
        }
        return State(
            incident: try ledger.read(Incident.self, incident),
            other: other,
            sessions: sessions
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            reason,
            "reason",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        guard incident != other else { throw .same(incident) }
        guard state.other.isOpened else { throw .incidentUnknown(other) }
        guard state.incident.isOpened else { throw .incidentUnknown(incident) }
        guard state.incident.organisation == state.other.organisation else {
            throw .otherOrganisation(other)
        }
        if let merger = state.other.merger {
            guard merger.into != incident else { return .already(()) }
            throw .merged(other, into: merger.into)
        }
        if let merger = state.incident.merger { throw .merged(incident, into: merger.into) }
        guard state.sessions.count <= CommandLimits.sessionsPerMergeMax else {
            throw .tooManySessions(count: state.sessions.count)
        }
        let merged = IncidentMerged(into: incident, sessions: state.sessions, reason: reason)
        var writes: [Write] = [.incident(other, .merged(merged))]
        for session in state.sessions {
            let linked = IncidentSessionLinked(session: session, from: other, reason: reason)
            writes.append(.incident(incident, .sessionLinked(linked)))
        }
        return .record(writes)
    }
}

extension Problem {
    static func incidentMerged(
        _ incident: IncidentID,
        into: IncidentID,
        attempt: String
    ) -> Problem {
        Problem(
            .conflict,
            "incident-merged",
            "\(attempt) refused: incident \(incident) is part of \(into) now; "
                + "name that, or unmerge it first",
            facts: ["incident": "\(incident)", "into": "\(into)"]
        )
    }
}
