// SPDX-License-Identifier: Apache-2.0
public import Events

/// Makes an ended session private again, or lifts that (ruling 33).
///
/// While a session is open it is private anyway. Who may ask is for the gateway to say: those who supervise.
public struct SealSession: Command {
    public let session: SessionID
    public let by: UserID
    public let act: Act
    public let reason: String

    public init(_ session: SessionID, _ act: Act = .seal, by: UserID, reason: String) {
        self.session = session
        self.by = by
        self.act = act
        self.reason = reason
    }

    /// What is asked.
    public enum Act: Hashable, Sendable {
        case seal
        case unseal
    }

    /// Why nothing changed.
    public enum Refusal: CommandRefusal {
        case unknown(SessionID)
        case notEnded(SessionID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unknown(let id): SessionUnavailable.unknown(id).problem(of: "sealing")
            case .notEnded(let id):
                Problem(
                    .conflict,
                    "session-not-ended",
                    "sealing refused: session \(id) is open, and private as long as it is; close it first",
                    facts: ["session": "\(id)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .session(session) }

    public func read(_ ledger: inout LedgerView) throws -> (session: Session, caller: Person?) {
        let known = try ledger.read(Session.self, session)
        return (known, try known.contact.map { try ledger.read(Person.self, $0.caller) })
    }

    public func decide(
        _ state: (session: Session, caller: Person?),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            reason,
            "reason",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        guard let caller = state.caller else { throw .unknown(session) }
        guard state.session.ending != nil else { throw .notEnded(session) }
        guard state.session.isSealed != (act == .seal) else { return .already(()) }
        let why = caller.sealed(reason)
        switch act {
        case .seal:
            return .record([.session(session, .sealed(SessionSealed(by: by, reason: why)))])
        case .unseal:
            return .record([.session(session, .unsealed(SessionUnsealed(by: by, reason: why)))])
        }
    }
}
