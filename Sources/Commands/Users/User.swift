// SPDX-License-Identifier: Apache-2.0
public import Events

/// An account as the ledger knows it; passwords and tokens lie elsewhere.
public struct User: Fold {
    public let id: UserID
    /// How it was made; `nil` before.
    public private(set) var account: UserCreated?
    /// Whether the last thing that happened was signing in.
    public private(set) var isLoggedIn = false

    public init(_ id: UserID) {
        self.id = id
    }

    public static func source(of id: UserID) -> FoldSource { .subject(.user(id)) }

    /// Takes in an event of the user's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .user(let fact) = event.fact else { return }
        switch fact {
        case .created(let created): account = created
        case .loggedIn: isLoggedIn = true
        case .loggedOut: isLoggedIn = false
        }
    }
}

extension Problem {
    static func userUnknown(_ user: UserID, attempt: String) -> Problem {
        Problem(
            .notFound,
            "user-unknown",
            "\(attempt) refused: there is no user \(user); create the account first",
            facts: ["user": "\(user)"]
        )
    }
}
