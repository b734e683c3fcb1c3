// SPDX-License-Identifier: Apache-2.0
public import Events

/// Something about an account is otherwise from now on: its tokens, its password, whether it may sign in, its role.
///
/// Who may ask that is for the gateway to say, which has the accounts; passwords and tokens never come here.
public struct ChangeAccount: Command {
    public let user: UserID
    public let change: Change

    public init(_ user: UserID, _ change: Change) {
        self.user = user
        self.change = change
    }

    /// What changes.
    public enum Change: Hashable, Sendable {
        case tokenIssued(String, until: Timestamp)
        case tokenRevoked(String)
        case passwordChanged(UserPasswordChanged.Cause)
        case disabled(reason: String)
        case enabled(reason: String)
        case role(Role, reason: String)

        /// The words that somebody gave.
        var reason: String? {
            switch self {
            case .tokenIssued, .tokenRevoked, .passwordChanged: nil
            case .disabled(let reason), .enabled(let reason), .role(_, let reason): reason
            }
        }
    }

    /// Why nothing was recorded.
    public enum Refusal: CommandRefusal {
        case unknown(UserID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unknown(let user): .userUnknown(user, attempt: "changing an account")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .user(user) }

    public func read(_ ledger: inout LedgerView) throws -> User {
        try ledger.read(User.self, user)
    }

    public func decide(
        _ state: User,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        if let reason = change.reason {
            try InputFault.check(
                reason,
                "reason",
                bytesMax: CommandLimits.noteBytesMax,
                else: Refusal.unacceptable
            )
        }
        guard let role = state.role else { throw .unknown(user) }
        switch change {
        case .tokenIssued(let token, let expires):
            return record(.tokenIssued(UserTokenIssued(token: token, expires: expires)))
        case .tokenRevoked(let token): return record(.tokenRevoked(UserTokenRevoked(token: token)))
        case .passwordChanged(let cause):
            return record(.passwordChanged(UserPasswordChanged(cause: cause)))
        case .disabled(let reason):
            guard !state.isDisabled else { return .already(()) }
            return record(.disabled(UserDisabled(reason: reason)))
        case .enabled(let reason):
            guard state.isDisabled else { return .already(()) }
            return record(.enabled(UserEnabled(reason: reason)))
        case .role(let new, let reason):
            guard role != new else { return .already(()) }
            return record(.roleChanged(UserRoleChanged(from: role, to: new, reason: reason)))
        }
    }

    private func record(_ event: UserEvent) -> Decision<Void> {
        .record([.user(user, event)])
    }
}
