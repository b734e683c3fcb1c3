// SPDX-License-Identifier: Apache-2.0
public import Events

/// A session turns out not to be about an incident, and leaves it.
///
/// It goes back to the incident that was opened with it while nobody is there, else to a new one: it
/// comes to lie beside no other session, as that would open both to the owners of both.
public struct UnlinkSession: Command {
    public let session: SessionID
    public let incident: IncidentID
    public let reason: String

    public init(_ session: SessionID, from incident: IncidentID, reason: String) {
        self.session = session
        self.incident = incident
        self.reason = reason
    }

    /// Why it stays.
    public enum Refusal: CommandRefusal {
        case incidentUnknown(IncidentID)
        case notLinked(SessionID, IncidentID)
        case alone(SessionID, IncidentID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .incidentUnknown(let id): .incidentUnknown(id, attempt: "unlinking")
            case .notLinked(let session, let incident):
                Problem(
                    .conflict,
                    "session-not-linked",
                    "unlinking refused: session \(session) does not belong to incident \(incident); "
                        + "look where it is now",
                    facts: ["session": "\(session)", "incident": "\(incident)"]
                )
            case .alone(let session, let incident):
                Problem(
                    .conflict,
                    "session-alone",
                    "unlinking refused: incident \(incident) has no session but \(session); "
                        + "link it to another incident instead",
                    facts: ["session": "\(session)", "incident": "\(incident)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    /// What the decision depends on.
    public struct State {
        let incident: Incident
        let membership: Membership
        /// The incident that was opened with the session.
        let home: Incident?
        /// How many sessions belong to the incident now.
        let members: Int
        /// How many sessions belong to the home now.
        let membersOfHome: Int

        /// Whether the session may go home: it is not there, and nobody else is.
        var isHomeFree: Bool {
            guard let home else { return false }
            return home.id != incident.id && home.merger == nil && membersOfHome == 0
        }
    }

    public var subject: Subject { .incident(incident) }

    public func read(_ ledger: inout LedgerView) throws -> State {
        let incident = try ledger.read(Incident.self, self.incident)
        let contact = try ledger.glance(Session.self, session).contact
        let home = try contact.map { try ledger.read(Incident.self, $0.incident) }
        return State(
            incident: incident,
            membership: try ledger.read(Membership.self, session),
            home: home,
            members: try ledger.members(of: incident),
            membersOfHome: try home.map { try ledger.members(of: $0) } ?? 0
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<IncidentID> {
        try InputFault.check(
            reason,
            "reason",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        guard state.incident.isOpened else { throw .incidentUnknown(incident) }
        guard state.membership.incident == incident else { throw .notLinked(session, incident) }
        guard state.members > 1 else { throw .alone(session, incident) }
        let to: IncidentID
        var writes: [Write] = []
        if let home = state.home, state.isHomeFree {
            to = home.id
        } else {
            to = context.newID()
            let opened = IncidentOpened(type: "unclassified", priority: 3)
            writes.append(.incident(to, .opened(opened)))
        }
        let left = IncidentSessionUnlinked(session: session, to: to, reason: reason)
        let joined = IncidentSessionLinked(session: session, from: incident, reason: reason)
        writes.append(.incident(incident, .sessionUnlinked(left)))
        writes.append(.incident(to, .sessionLinked(joined)))
        return .record(writes)
    }

    /// The incident to which it belongs now.
    public func outcome(of recorded: [Write]) throws(Refusal) -> IncidentID? {
        recorded.first(IncidentSessionUnlinked.self)?.payload.to
    }
}

extension LedgerView {
    /// How many sessions belong to an incident that was read now: one that joins or leaves meanwhile changes the incident,
    /// or is found alone later.
    fileprivate func members(of incident: Incident) throws -> Int {
        try incident.sessions.count { try glance(Membership.self, $0).incident == incident.id }
    }
}
