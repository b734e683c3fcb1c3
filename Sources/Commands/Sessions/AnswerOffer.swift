// SPDX-License-Identifier: Apache-2.0
public import Events

/// A colleague takes the session that was offered, or does not.
///
/// What was asked of the caller waits on, and is answered to the new owner.
public struct AnswerOffer: TakingCommand {
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
    public enum Refusal: TakingRefusal {
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

    public func decide(
        _ state: Taking,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try state.checkOpen(at: context.now, else: Refusal.self)
        guard let offer = state.session.offer, offer.to == by, context.now < offer.expiresAt else {
            throw .noOffer(session)
        }
        guard answer == .accepted else {
            return .record([.session(session, .offerDeclined(SessionOfferDeclined(by: by)))])
        }
        let taken: SessionEvent =
            state.session.owner.map {
                .transferred(SessionTransferred(from: $0, to: by, reason: .handedOver))
            } ?? .claimed(SessionClaimed(owner: by))
        return try state.taken(by: taken, at: context.now, else: Refusal.self)
    }
}
