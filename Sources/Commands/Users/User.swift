// SPDX-License-Identifier: Apache-2.0
public import Events

/// An account as the ledger knows it; passwords and tokens lie elsewhere.
public struct User: Fold {
    public let id: UserID
    /// How it was made; `nil` before.
    public private(set) var account: UserCreated?
    /// Whether the last thing that happened was signing in.
    public private(set) var isLoggedIn = false
    /// What it may do today; `nil` before it was made.
    public private(set) var role: Role?
    /// Whether it may not sign in.
    public private(set) var isDisabled = false
    /// When others last made this account what it is, each by the name of their actor.
    private var changes: [Substring: Timestamp] = [:]

    public init(_ id: UserID) {
        self.id = id
    }

    public static func source(of id: UserID) -> FoldSource { .subject(.user(id)) }

    /// When somebody last made, opened or promoted this account, or set its password; `nil` for never.
    public func changed(by user: UserID) -> Timestamp? { changes[user.text[...]] }

    /// Takes in an event of the user's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .user(let fact) = event.fact else { return }
        switch fact {
        case .created(let created):
            (account, role) = (created, created.role)
            note(event)
        case .loggedIn: isLoggedIn = true
        case .loggedOut: isLoggedIn = false
        case .passwordChanged(let changed): if changed.cause == .reset { note(event) }
        case .disabled: isDisabled = true
        case .enabled:
            isDisabled = false
            note(event)
        case .roleChanged(let changed):
            role = changed.to
            note(event)
        case .tokenIssued, .tokenRevoked: break
        }
    }

    private mutating func note(_ event: RecordedEvent) {
        let actor = event.envelope.actor.text
        let name = actor.lastIndex(of: "/").map { actor[actor.index(after: $0)...] } ?? actor[...]
        changes[name] = event.envelope.time
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
