// SPDX-License-Identifier: Apache-2.0
public import Events

/// An operator's last page is gone, without a sign-out: what they have stands unattended from now on (ruling 34).
public struct LeaveDesk: Command {
    public let user: UserID

    public init(_ user: UserID) {
        self.user = user
    }

    /// Why it was not recorded.
    public enum Refusal: CommandRefusal {
        case unknown(UserID)

        public var problem: Problem {
            switch self {
            case .unknown(let user): .userUnknown(user, attempt: "leaving the desk")
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
        let writes = LogOut.unattended(state.open, by: user, state.policy, at: context.now)
        return writes.isEmpty ? .already(()) : .record(writes)
    }
}
