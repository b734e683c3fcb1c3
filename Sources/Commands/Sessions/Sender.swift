// SPDX-License-Identifier: Apache-2.0
public import Events

/// Which side of a session acts, and who that is.
public enum Sender: Hashable, Sendable {
    /// The person whose device or link proved it.
    case caller(PersonID)
    case `operator`(UserID)
    /// The centre itself: a policy, a greeting.
    case system

    /// The side.
    public var party: Party {
        switch self {
        case .caller: .caller
        case .operator: .operator
        case .system: .system
        }
    }

    /// Says no if the sender has no part in a session; for what must not even be prepared for strangers.
    ///
    /// - Throws: ``SendRefusal``.
    public func requirePart(in session: Session) throws(SendRefusal) {
        try check(on: session, else: SendRefusal.notYours)
    }

    /// Says no if the session is not this sender's.
    func check<Refusal: Error>(
        on session: Session,
        else refuse: (SenderMismatch) -> Refusal
    ) throws(Refusal) {
        switch self {
        case .caller(let person):
            guard session.contact?.caller == person else {
                throw refuse(.otherCaller(session.id))
            }
        case .operator(let user):
            guard session.owner == user else { throw refuse(.notOwner(NotOwner(session))) }
        case .system: break
        }
    }
}

/// The sender has no part in the session.
public enum SenderMismatch: Hashable, Sendable {
    case otherCaller(SessionID)
    case notOwner(NotOwner)

    func problem(of attempt: String) -> Problem {
        switch self {
        case .otherCaller(let session):
            Problem(
                .forbidden,
                "session-of-other-caller",
                "\(attempt) refused: session \(session) is another caller's; "
                    + "start your own session",
                facts: ["session": "\(session)"]
            )
        case .notOwner(let why): why.problem(of: attempt)
        }
    }
}
