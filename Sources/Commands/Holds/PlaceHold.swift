// SPDX-License-Identifier: Apache-2.0
public import Events

/// Data about a person, a session or an incident must be kept, whoever asks for erasure, or all footage of a camera for as long as
/// the hold stands.
///
/// An organisation holds what is its own: a session, incident or camera of it, or a person who appears in it.
public struct PlaceHold: Command {
    public let scope: Scope
    public let reason: String
    public let authority: String

    public init(on scope: Scope, reason: String, authority: String) {
        self.scope = scope
        self.reason = reason
        self.authority = authority
    }

    /// What is held.
    public enum Scope: Hashable, Sendable {
        case person(PersonID)
        case session(SessionID)
        case incident(IncidentID)
        case camera(CameraID)

        /// The subject that the event names.
        public var subject: Subject {
            switch self {
            case .person(let id): .person(id)
            case .session(let id): .session(id)
            case .incident(let id): .incident(id)
            case .camera(let id): .camera(id)
            }
        }
    }

    /// The hold's id.
    public typealias Outcome = HoldID

    /// Why nothing is held.
    public enum Refusal: CommandRefusal {
        /// There is no such thing, or not in the organisation that asks: told alike.
        case scopeUnknown(Subject)
        case personErased(PersonID)
        case tooManyPersons(Subject, count: Int)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .scopeUnknown(let scope):
                Problem(
                    .notFound,
                    "hold-scope-unknown",
                    "placing a hold refused: this organisation has no \(scope); check the id",
                    facts: ["scope": "\(scope)"]
                )
            case .personErased(let person): .personErased(person, attempt: "placing a hold")
            case .tooManyPersons(let scope, let count):
                Problem(
                    .unprocessable,
                    "hold-too-wide",
                    "placing a hold refused: \(scope) is about \(count) people, at most "
                        + "\(CommandLimits.personsPerHoldMax) are taken; hold its sessions one by one",
                    facts: ["scope": "\(scope)", "count": String(count)]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    /// Whom the hold covers at the time.
    public struct State {
        let organisations: Set<OrganisationID>
        let persons: [Person]
    }

    /// All holds of all organisations wait for one another.
    public var subject: Subject { HoldingOrganisations.lane }

    public func read(_ ledger: inout LedgerView) throws -> State {
        var callers: [PersonID] = []
        var organisations: Set<OrganisationID> = []
        switch scope {
        case .person(let id):
            callers = [id]
            organisations = try ledger.glance(Footprint.self, id).organisations
        case .session(let id):
            if let contact = try ledger.glance(Session.self, id).contact {
                callers = [contact.caller]
                organisations = [contact.organisation]
            }
        case .incident(let id):
            let incident = try ledger.read(Incident.self, id)
            organisations = Set([incident.organisation].compactMap(\.self))
            for session in incident.sessions {
                let caller = try ledger.glance(Session.self, session).contact?.caller
                if let caller, !callers.contains(caller) { callers.append(caller) }
            }
        case .camera(let id):
            organisations = Set(
                [try ledger.glance(Camera.self, id).organisation].compactMap(\.self)
            )
        }
        return State(
            organisations: organisations,
            // An erasure that comes at the same time must see the hold, or the hold the erasure.
            persons: try callers.prefix(CommandLimits.personsPerHoldMax + 1)
                .map { try ledger.read(Person.self, $0) }
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        for (field, text) in [("reason", reason), ("authority", authority)] {
            try InputFault.check(
                text,
                field,
                bytesMax: CommandLimits.noteBytesMax,
                else: Refusal.unacceptable
            )
        }
        guard state.organisations.contains(context.organisation) else {
            throw .scopeUnknown(scope.subject)
        }
        guard state.persons.count <= CommandLimits.personsPerHoldMax else {
            throw .tooManyPersons(scope.subject, count: state.persons.count)
        }
        if case .person(let id) = scope, state.persons.contains(where: \.isErased) {
            throw .personErased(id)
        }
        let placed = HoldPlaced(
            hold: context.newID(),
            scope: scope.subject,
            persons: state.persons.filter { !$0.isErased }.map(\.id),
            reason: reason,
            authority: authority
        )
        return .record([.hold(context.organisation, .placed(placed))])
    }

    public func outcome(of recorded: [Write]) -> Outcome? {
        recorded.first(HoldPlaced.self)?.payload.hold
    }
}
