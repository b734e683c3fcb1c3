// SPDX-License-Identifier: Apache-2.0
public import Events

/// A colleague takes the session that was offered, or does not.
///
/// What was asked of the caller waits on, and is answered to the new owner.
public struct AnswerOffer: Command {
    public let session: SessionID
    /// The colleague.
    public let by: UserID
    public let answer: Answer

    public init(_ session: SessionID, by: UserID, _ answer: Answer) {
        self.session = session
        self.by = by
        self.answer = answer
    }

    /// What the colleague says.
    public enum Answer: String, Codable, Hashable, Sendable, CaseIterable {
        case accepted
        case declined
    }

    /// Why it does not count.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        /// Nothing is offered to this colleague now: it never was, was withdrawn or answered, or came too late.
        case noOffer(SessionID)
        case operatorBusy(OperatorBusy)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "answering an offer")
            case .noOffer(let session):
                Problem(
                    .conflict,
                    "offer-over",
                    "answering an offer refused: session \(session) is not offered to you now; "
                        + "ask its owner to offer it again",
                    facts: ["session": "\(session)"]
                )
            case .operatorBusy(let busy): busy.problem(of: "answering an offer")
            }
        }
    }

    public var subject: Subject { .session(session) }

    public func read(
        _ ledger: inout LedgerView
    ) throws -> (session: Session, workload: Workload) {
        (try ledger.read(Session.self, session), try Workload.read(by, &ledger))
    }

    public func decide(
        _ state: (session: Session, workload: Workload),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        let session = state.session
        _ = try session.contact(at: context.now, else: Refusal.unavailable)
        guard let owner = session.owner, let offer = session.offer, offer.to == by,
            context.now < offer.expiresAt
        else { throw .noOffer(self.session) }
        guard answer == .accepted else {
            return .record([.session(self.session, .offerDeclined(SessionOfferDeclined(by: by)))])
        }
        try state.workload.check(
            addingText: session.isTextOnly,
            at: context.now,
            else: Refusal.operatorBusy
        )
        let transferred = SessionTransferred(from: owner, to: by, reason: .handedOver)
        let overdue = state.workload.open.compactMap { $0.overdueExpiry(at: context.now) }
        return .record(overdue + [.session(self.session, .transferred(transferred))])
    }
}
