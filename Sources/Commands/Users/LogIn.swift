// SPDX-License-Identifier: Apache-2.0
public import Events

/// Someone signed in; the gateway has checked the password or token.
public struct LogIn: Command {
    public let user: UserID
    public let method: UserLoggedIn.Method
    /// The network address it came from.
    public let address: String?

    public init(_ user: UserID, method: UserLoggedIn.Method, address: String? = nil) {
        self.user = user
        self.method = method
        self.address = address
    }

    /// Why it was not recorded.
    public enum Refusal: CommandRefusal {
        case unknown(UserID)
        /// The person behind the account was erased, and the account ended with that.
        case ended(UserID)

        public var problem: Problem {
            switch self {
            case .unknown(let user): .userUnknown(user, attempt: "signing in")
            case .ended(let user):
                Problem(
                    .gone,
                    "account-ended",
                    "signing in refused: the person behind account \(user) was erased; "
                        + "ask an admin for another account",
                    facts: ["user": "\(user)"]
                )
            }
        }
    }

    public var subject: Subject { .user(user) }

    public func read(_ ledger: inout LedgerView) throws -> (user: User, person: Person?) {
        let state = try ledger.read(User.self, user)
        return (state, try state.account.map { try ledger.read(Person.self, $0.person) })
    }

    public func decide(
        _ state: (user: User, person: Person?),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.user.account != nil, let person = state.person else { throw .unknown(user) }
        guard !person.isErased else { throw .ended(user) }
        let loggedIn = UserLoggedIn(
            method: method,
            address: address.map { .open($0, of: person.id) }
        )
        return .record([.user(user, .loggedIn(loggedIn))])
    }
}
