// SPDX-License-Identifier: Apache-2.0
public import Events

/// A person is forgotten: after this is recorded the gateway destroys the person's key.
///
/// A hold on the person, or on a session or incident of that person, blocks it.
public struct ErasePerson: Command {
    public let person: PersonID
    public let by: UserID?
    public let reason: String

    public init(_ person: PersonID, by: UserID? = nil, reason: String) {
        self.person = person
        self.by = by
        self.reason = reason
    }

    /// Why nothing was erased.
    public enum Refusal: CommandRefusal {
        case held(PersonID, hold: HoldID, authority: String)
        case inSession(PersonID, SessionID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .held(let person, let hold, let authority):
                Problem(
                    .conflict,
                    "person-held",
                    "erasing person \(person) refused: hold \(hold) by \(authority) keeps the data; "
                        + "have it lifted first",
                    facts: ["person": "\(person)", "hold": "\(hold)"]
                )
            case .inSession(let person, let session):
                Problem(
                    .conflict,
                    "person-in-session",
                    "erasing person \(person) refused: session \(session) is open; close it first",
                    facts: ["person": "\(person)", "session": "\(session)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    /// What the decision depends on.
    public struct State {
        let person: Person
        let openSession: Session?
        /// The hold that covers the person, if there is one.
        let hold: HoldPlaced?
    }

    public var subject: Subject { .person(person) }

    public func read(_ ledger: inout LedgerView) throws -> State {
        let caller = try ledger.read(Caller.self, person)
        let holds = try ledger.read(Holds.self, ledger.organisation)
        var covering: HoldPlaced?
        for hold in holds.active.values where try covers(hold, caller, ledger) {
            // The oldest is named, so that the same refusal comes again.
            if covering.map({ hold.hold.description < $0.hold.description }) ?? true {
                covering = hold
            }
        }
        return State(
            person: try ledger.read(Person.self, person),
            openSession: try caller.openSession.map { try ledger.read(Session.self, $0) },
            hold: covering
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
        guard !state.person.isErased else { return .already(()) }
        if let hold = state.hold {
            throw .held(person, hold: hold.hold, authority: hold.authority)
        }
        if let open = state.openSession, open.isOpen(at: context.now) {
            throw .inSession(person, open.id)
        }
        let overdue = [state.openSession?.overdueExpiry(at: context.now)].compactMap(\.self)
        let erased = PersonErased(person: person, by: by, reason: reason)
        return .record(overdue + [.person(person, .erased(erased))])
    }

    /// Whether a hold keeps this person's data: by name, or through a session of the person, even
    /// one that came after the hold was placed.
    private func covers(
        _ hold: HoldPlaced,
        _ caller: Caller,
        _ ledger: LedgerView
    ) throws -> Bool {
        if hold.persons.contains(person) || hold.scope == .person(person) { return true }
        if let session = hold.scope.sessionID { return caller.sessions[session] != nil }
        guard hold.scope.category == "incident",
            let incident = IncidentID(String(hold.scope.name))
        else { return false }
        // No condition: of a session that moves there at the same time, either order is as true.
        return try ledger.glance(Incident.self, incident).sessions
            .contains { caller.sessions[$0] != nil }
    }
}
