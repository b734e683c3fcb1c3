// SPDX-License-Identifier: Apache-2.0
public import Events

/// A caller starts to chat: in the open session if there is one, else in a new one.
///
/// The caller's key must exist before. A session that a caller opens has no start limit.
public struct StartChat: Command {
    public let caller: PersonID
    /// The number, if the device proved one.
    public let phone: PhoneNumber?
    public let device: DeviceID?

    public init(caller: PersonID, phone: PhoneNumber? = nil, device: DeviceID? = nil) {
        self.caller = caller
        self.phone = phone
        self.device = device
    }

    /// What the caller is told; the wire's `IncidentID` is the session (ruling 17).
    public struct Outcome: Hashable, Sendable {
        public let session: SessionID
        /// Whether the session was open before.
        public let isReused: Bool
    }

    /// Why no chat was started.
    public enum Refusal: CommandRefusal {
        case personErased(PersonID)

        public var problem: Problem {
            switch self {
            case .personErased(let person): .personErased(person, attempt: "starting a chat")
            }
        }
    }

    public var subject: Subject { .person(caller) }

    public func read(_ ledger: inout LedgerView) throws -> Opening {
        try Opening.read(of: caller, by: nil, &ledger)
    }

    public func decide(
        _ state: Opening,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        guard !state.person.isErased else { throw .personErased(caller) }
        if let open = state.openSession, open.isOpen(at: context.now) {
            // A page that comes back again and again says nothing new.
            if open.wasResumed(by: .caller, at: context.now) {
                return .already(Outcome(session: open.id, isReused: true))
            }
            return .record([.session(open.id, .resumed(SessionResumed(by: .caller)))])
        }
        return .record(state.chat(of: caller, phone: phone, device: device, &context).writes)
    }

    public func outcome(of recorded: [Write]) -> Outcome? {
        if let session = recorded.first(SessionCreated.self)?.subject.sessionID {
            return Outcome(session: session, isReused: false)
        }
        return recorded.first(SessionResumed.self)?.subject.sessionID
            .map { Outcome(session: $0, isReused: true) }
    }
}
