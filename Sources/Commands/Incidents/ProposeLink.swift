// SPDX-License-Identifier: Apache-2.0
public import Events

/// The owner of a session asks another's owner to make both one incident (ruling 36).
///
/// Who is asked that by the other already, agrees by asking: two who have the same thought at once are done.
public struct ProposeLink: Command {
    public typealias Refusal = LinkProposalRefusal

    /// The asker's session.
    public let session: SessionID
    public let with: SessionID
    public let by: UserID

    public init(_ session: SessionID, with: SessionID, by: UserID) {
        self.session = session
        self.with = with
        self.by = by
    }

    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// The other's owner may answer until then.
        case asked(until: Timestamp)
        /// Both are one incident.
        case linked(IncidentID)
    }

    public var subject: Subject { .session(with) }

    public func read(_ ledger: inout LedgerView) throws -> SessionPair {
        try SessionPair.read(session, with, &ledger)
    }

    public func decide(
        _ state: SessionPair,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        let (mine, theirs) = (state.mine.session, state.theirs.session)
        let contact = try mine.contact(at: context.now, else: Refusal.unavailable)
        guard mine.owner == by else { throw .notOwner(NotOwner(mine)) }
        let other = try theirs.contact(at: context.now, else: Refusal.unavailable)
        guard contact.organisation == other.organisation else { throw .otherOrganisation(with) }
        guard let owner = theirs.owner, owner != by else { throw .notAnothers(with) }
        if let asked = mine.proposer(with, by: owner, at: context.now) {
            guard let writes = state.joining(proposedBy: asked) else { throw .bothLinked(with) }
            return .record(writes)
        }
        if let brake = theirs.brake(on: self, at: context.now) { throw brake }
        let mayJoin =
            state.mine.incident == state.theirs.incident || state.mine.isAlone
            || state.theirs.isAlone
        guard mayJoin else { throw .bothLinked(with) }
        let proposed = SessionLinkProposed(
            from: session,
            by: by,
            expiresAt: context.now + .seconds(CommandLimits.offerSeconds)
        )
        return .record([.session(with, .linkProposed(proposed))])
    }

    public func outcome(of recorded: [Write]) -> Outcome? {
        if let accepted = recorded.first(SessionLinkAccepted.self) {
            return .linked(accepted.payload.incident)
        }
        return recorded.first(SessionLinkProposed.self).map { .asked(until: $0.payload.expiresAt) }
    }
}

extension Session {
    /// That the owner of another session asks for it now; who that is.
    func proposer(_ other: SessionID, by owner: UserID, at now: Timestamp) -> UserID? {
        guard let asked = proposals[other], asked.by == owner, asked.isPending(at: now) else {
            return nil
        }
        return asked.by
    }

    /// Why nobody asks its owner just now, who is not to be asked without end; `nil` if the command may.
    ///
    /// One at a time for each asker, whose other sessions take no place from colleagues.
    fileprivate func brake(on command: ProposeLink, at now: Timestamp) -> LinkProposalRefusal? {
        let standing = proposals.filter { $0.value.stands(at: now) }
        if let last = standing[command.session] {
            return last.declinedAt == nil
                ? .pending(id, until: last.until) : .declined(id, until: last.until)
        }
        let pending = standing.values.filter { $0.declinedAt == nil }
        if let own = pending.first(where: { $0.by == command.by }) {
            return .pending(id, until: own.until)
        }
        let isCrowded = pending.count >= CommandLimits.proposalsAtOnceMax
        guard isCrowded || standing.count >= CommandLimits.proposalsKeptMax else { return nil }
        let next = (isCrowded ? pending : Array(standing.values)).map(\.until).min()
        return .crowded(id, until: next ?? now)
    }
}
