// SPDX-License-Identifier: Apache-2.0
public import Events

/// The accounts have one that no event made, as behind a log of an earlier day than theirs: it has ended, and the ledger says so.
public struct EndUnknownAccount: Command {
    public let user: UserID
    public let reason: String

    public init(_ user: UserID, reason: String) {
        self.user = user
        self.reason = reason
    }

    /// Why it was not recorded.
    public enum Refusal: CommandRefusal {
        case known(UserID)

        public var problem: Problem {
            switch self {
            case .known(let user):
                Problem(
                    .conflict,
                    "user-known",
                    "ending an unknown account refused: an event made \(user); disable it instead",
                    facts: ["user": "\(user)"]
                )
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
        guard state.account == nil else { throw .known(user) }
        guard !state.isDisabled else { return .already(()) }
        return .record([.user(user, .disabled(UserDisabled(reason: reason)))])
    }
}
