// SPDX-License-Identifier: Apache-2.0
public import Events

/// An incident that was merged into another turns out to be one of its own after all.
///
/// The sessions that moved with it come back, but for those that went elsewhere meanwhile.
public struct UnmergeIncident: Command {
    /// The incident in which it is found now, on however many steps.
    public let incident: IncidentID
    /// The incident that becomes one of its own again.
    public let other: IncidentID
    public let reason: String

    public init(_ other: IncidentID, from incident: IncidentID, reason: String) {
        self.incident = incident
        self.other = other
        self.reason = reason
    }

    /// Why it stays a part.
    public enum Refusal: CommandRefusal {
        case incidentUnknown(IncidentID)
        case notMerged(IncidentID, into: IncidentID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .incidentUnknown(let id): .incidentUnknown(id, attempt: "unmerging")
            case .notMerged(let id, let into):
                Problem(
                    .conflict,
                    "incident-not-merged",
                    "unmerging refused: incident \(id) is no part of \(into); look where it is now",
                    facts: ["incident": "\(id)", "into": "\(into)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    /// What the decision depends on.
    public struct State {
        let other: Incident
        /// The incident that the other's id means now.
        let present: Incident
        /// The sessions that moved with it and are still there.
        let sessions: [SessionID]
    }

    public var subject: Subject { .incident(incident) }

    public func read(_ ledger: inout LedgerView) throws -> State {
        let other = try ledger.read(Incident.self, self.other)
        let present = try Incident.present(self.other) { try ledger.read(Incident.self, $0) }
        let sessions = try (other.merger?.sessions ?? []).filter {
            try ledger.read(Membership.self, $0).incident == present.id
        }
        return State(other: other, present: present, sessions: sessions)
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
        guard state.other.isOpened else { throw .incidentUnknown(other) }
        guard let merger = state.other.merger, state.present.id == incident else {
            throw .notMerged(other, into: incident)
        }
        let unmerged = IncidentUnmerged(
            from: merger.into,
            sessions: state.sessions,
            reason: reason
        )
        var writes: [Write] = [.incident(other, .unmerged(unmerged))]
        for session in state.sessions {
            let left = IncidentSessionUnlinked(session: session, to: other, reason: reason)
            let joined = IncidentSessionLinked(session: session, from: incident, reason: reason)
            writes.append(.incident(incident, .sessionUnlinked(left)))
            writes.append(.incident(other, .sessionLinked(joined)))
        }
        return .record(writes)
    }
}
