// SPDX-License-Identifier: Apache-2.0
public import Events

/// A command on a session: the session alone decides.
public protocol SessionCommand: Command where State == Session {
    /// The session that it is about.
    var session: SessionID { get }
}

extension SessionCommand {
    public var subject: Subject { .session(session) }

    public func read(_ ledger: inout LedgerView) throws -> Session {
        try ledger.read(Session.self, session)
    }
}

/// A command by which a session becomes an operator's: the session decides, and what the operator has already.
public protocol TakingCommand: Command where State == Taking, Refusal: TakingRefusal {
    /// The session that it is about.
    var session: SessionID { get }
    /// Who would have it.
    var by: UserID { get }
}

extension TakingCommand {
    public var subject: Subject { .session(session) }

    public func read(_ ledger: inout LedgerView) throws -> Taking {
        Taking(
            session: try ledger.read(Session.self, session),
            workload: try Workload.read(by, &ledger)
        )
    }
}

/// What every taking may be refused for.
public protocol TakingRefusal: CommandRefusal {
    static func unavailable(_ why: SessionUnavailable) -> Self
    static func operatorBusy(_ busy: OperatorBusy) -> Self
}

/// A session, and what whoever would have it has already.
public struct Taking: Hashable, Sendable {
    let session: Session
    let workload: Workload

    /// Says no if the session is over, or was never there.
    func checkOpen<Refusal: TakingRefusal>(at now: Timestamp, else _: Refusal.Type) throws(Refusal)
    {
        _ = try session.contact(at: now, else: Refusal.unavailable)
    }

    /// What makes it the operator's, if one more is not too many; what the clock alone had ended is recorded before it.
    func taken<Refusal: TakingRefusal>(
        by change: SessionEvent,
        at now: Timestamp,
        else _: Refusal.Type
    ) throws(Refusal) -> Decision<Void> {
        try workload.check(addingText: session.isTextOnly, at: now, else: Refusal.operatorBusy)
        let overdue = workload.open.compactMap { $0.overdueExpiry(at: now) }
        return .record(overdue + [.session(session.id, change)])
    }
}
