// SPDX-License-Identifier: Apache-2.0
public import Events

/// The owner of a session agrees that it is one event with another's, or does not.
public struct AnswerLinkProposal: Command {
    public typealias Refusal = LinkProposalRefusal

    /// The answerer's session.
    public let session: SessionID
    /// The proposer's.
    public let from: SessionID
    public let by: UserID
    public let answer: AnswerOffer.Answer

    public init(
        _ session: SessionID,
        from: SessionID,
        by: UserID,
        _ answer: AnswerOffer.Answer
    ) {
        self.session = session
        self.from = from
        self.by = by
        self.answer = answer
    }

    public var subject: Subject { .session(session) }

    public func read(_ ledger: inout LedgerView) throws -> SessionPair {
        try SessionPair.read(session, from, &ledger)
    }

    public func decide(
        _ state: SessionPair,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        let mine = state.mine.session
        _ = try mine.contact(at: context.now, else: Refusal.unavailable)
        guard mine.owner == by else { throw .notOwner(NotOwner(mine)) }
        // Who asked must have the other session still: agreeing opens it to the answerer.
        guard state.theirs.session.isOpen(at: context.now),
            let owner = state.theirs.session.owner,
            let proposer = mine.proposer(from, by: owner, at: context.now)
        else { throw .noProposal(from) }
        guard answer == .accepted else {
            let declined = SessionLinkDeclined(from: from, proposer: proposer)
            return .record([.session(session, .linkDeclined(declined))])
        }
        guard let writes = state.joining(proposedBy: proposer) else { throw .bothLinked(from) }
        return .record(writes)
    }
}
