// SPDX-License-Identifier: Apache-2.0
public import Events

/// Someone signs out, or is signed out.
///
/// Whoever leaves gives up the open sessions, so that a caller is not left waiting for nobody, also who had signed out before:
/// an account has several sign-ins. Whom silence signs out keeps them, and they stand there unattended (ruling 34). A closed
/// tab says nothing by itself, because the operator may come back to it (source, iteration 4).
public struct LogOut: Command {
    public let user: UserID
    public let reason: UserLoggedOut.Reason
    /// Whether the user is signed in elsewhere, too, and so keeps the sessions.
    public let isElsewhere: Bool

    public init(_ user: UserID, reason: UserLoggedOut.Reason, isElsewhere: Bool = false) {
        self.user = user
        self.reason = reason
        self.isElsewhere = isElsewhere
    }

    /// Why it was not recorded.
    public enum Refusal: CommandRefusal {
        case unknown(UserID)

        public var problem: Problem {
            switch self {
            case .unknown(let user): .userUnknown(user, attempt: "signing out")
            }
        }
    }

    public var subject: Subject { .user(user) }

    public func read(
        _ ledger: inout LedgerView
    ) throws -> (user: User, open: [Session], policy: Policy) {
        (
            try ledger.read(User.self, user),
            try ledger.openSessions(of: user),
            try ledger.read(Policy.self, Policy.unattended)
        )
    }

    public func decide(
        _ state: (user: User, open: [Session], policy: Policy),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.user.account != nil else { throw .unknown(user) }
        let left = isElsewhere ? [] : state.open
        let writes =
            reason == .idle
            ? silent(state.user, left, state.policy, at: context.now)
            : LogOut.leaving(state.user, left, reason, at: context.now)
        return writes.isEmpty ? .already(()) : .record(writes)
    }

    /// What tells that a user was signed out by silence, and that nobody attends what the user has.
    private func silent(
        _ user: User,
        _ sessions: [Session],
        _ policy: Policy,
        at now: Timestamp
    ) -> [Write] {
        let open = LogOut.unattended(sessions, by: user.id, policy, at: now)
        let left = user.isLoggedIn || !open.isEmpty
        return (left ? [.user(user.id, .loggedOut(UserLoggedOut(reason: reason)))] : []) + open
    }

    /// What tells that nobody attends what a user has open.
    static func unattended(
        _ sessions: [Session],
        by user: UserID,
        _ policy: Policy,
        at now: Timestamp
    ) -> [Write] {
        let set = policy.settings["takeOverSeconds"] ?? CommandLimits.takeOverSeconds
        let kept = min(max(0, set), CommandLimits.takeOverSecondsMax)
        let unattended = SessionUnattended(owner: user, takeOverAt: now + .seconds(kept))
        return sessions.filter { $0.isOpen(at: now) && $0.absence == nil }
            .map { .session($0.id, .unattended(unattended)) }
    }

    /// What tells that a user left, and frees the sessions that are left; nothing of whoever had left before, and has none.
    static func leaving(
        _ user: User,
        _ sessions: [Session],
        _ reason: UserLoggedOut.Reason,
        at now: Timestamp
    ) -> [Write] {
        let open = sessions.filter { $0.isOpen(at: now) }
        guard user.isLoggedIn || !open.isEmpty else { return [] }
        let left = Write.user(user.id, .loggedOut(UserLoggedOut(reason: reason)))
        guard reason != .tabClosed else { return [left] }
        let release = SessionEvent.released(SessionReleased(owner: user.id, reason: .logout))
        return [left] + open.map { .session($0.id, release) }
    }
}

extension LedgerView {
    /// The sessions that a user has.
    mutating func openSessions(of user: UserID) throws -> [Session] {
        var open: [Session] = []
        for session in try read(Operator.self, user).sessions {
            open.append(try read(Session.self, session))
        }
        return open
    }
}
