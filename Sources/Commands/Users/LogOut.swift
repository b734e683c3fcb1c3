// SPDX-License-Identifier: Apache-2.0
public import Events

/// Someone signs out, or is signed out.
///
/// Whoever leaves gives up the open sessions, so that a caller is not left waiting for nobody; a
/// closed tab gives up nothing, because the operator may come back to it (source, iteration 4).
public struct LogOut: Command {
    public let user: UserID
    public let reason: UserLoggedOut.Reason

    public init(_ user: UserID, reason: UserLoggedOut.Reason) {
        self.user = user
        self.reason = reason
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

    public func read(_ ledger: inout LedgerView) throws -> (user: User, open: [Session]) {
        (try ledger.read(User.self, user), try ledger.openSessions(of: user))
    }

    public func decide(
        _ state: (user: User, open: [Session]),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.user.account != nil else { throw .unknown(user) }
        guard state.user.isLoggedIn else { return .already(()) }
        let released = reason == .tabClosed ? [] : state.open
        let releases = LogOut.releases(released, of: user, at: context.now)
        return .record([.user(user, .loggedOut(UserLoggedOut(reason: reason)))] + releases)
    }

    /// What frees the sessions that a user who leaves has open.
    static func releases(_ sessions: [Session], of user: UserID, at now: Timestamp) -> [Write] {
        sessions.filter { $0.isOpen(at: now) }.map { session in
            .session(session.id, .released(SessionReleased(owner: user, reason: .logout)))
        }
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
