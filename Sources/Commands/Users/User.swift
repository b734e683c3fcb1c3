// SPDX-License-Identifier: Apache-2.0
public import Events

/// An account as the ledger knows it; passwords and tokens lie elsewhere.
public struct User: Fold {
    public let id: UserID
    /// How it was made; `nil` before.
    public private(set) var account: UserCreated?
    /// Whether the last thing that happened was signing in.
    public private(set) var isLoggedIn = false
    /// When the last sign-in ended with a closed tab, to which its user may come back; `nil` where something else came last.
    public private(set) var tabClosed: Timestamp?
    /// The tokens that were issued for programs and are good by the ledger: another role or password, and who may not sign in
    /// any more, ends them all.
    public private(set) var issuedTokens: Set<String> = []
    /// What it may do today; `nil` before it was made.
    public private(set) var role: Role?
    /// Whether it may not sign in.
    public private(set) var isDisabled = false
    /// Where the ledger tells of its password: of its last change, 0 for the one that it was made with.
    public private(set) var passwordAt: UInt64 = 0
    /// When all of its tokens last ended: by another role or password, or by disabling.
    public private(set) var tokensEnded: Timestamp?
    /// When it last left, with a sign-in.
    public private(set) var leftAt: Timestamp?
    /// When each user last made, opened or promoted this account, or set its password; what the console and the ledger
    /// itself did is nobody's.
    public private(set) var makers: [UserID: Timestamp] = [:]

    public init(_ id: UserID) {
        self.id = id
    }

    public static func source(of id: UserID) -> FoldSource { .subject(.user(id)) }

    /// Takes in an event of the user's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .user(let fact) = event.fact else { return }
        noteEnds(fact, event.envelope)
        switch fact {
        case .created(let created):
            (account, role) = (created, created.role)
            note(event)
        case .loggedIn: (isLoggedIn, tabClosed) = (true, nil)
        case .loggedOut(let left):
            isLoggedIn = false
            tabClosed = left.reason == .tabClosed ? event.envelope.time : nil
        case .passwordChanged(let changed):
            issuedTokens = []
            if changed.cause == .reset { note(event) }
        case .disabled: (isDisabled, issuedTokens) = (true, [])
        case .enabled:
            isDisabled = false
            note(event)
        case .roleChanged(let changed):
            (role, issuedTokens) = (changed.to, [])
            note(event)
        case .tokenIssued(let issued): issuedTokens.insert(issued.token)
        case .tokenRevoked(let revoked): issuedTokens.remove(revoked.token)
        }
    }

    private mutating func noteEnds(_ fact: UserEvent, _ envelope: Envelope) {
        switch fact {
        case .passwordChanged:
            (passwordAt, tokensEnded) = (envelope.position.rawValue, envelope.time)
        case .disabled, .roleChanged: tokensEnded = envelope.time
        case .loggedOut: leftAt = envelope.time
        case .created, .enabled, .loggedIn, .tokenIssued, .tokenRevoked: break
        }
    }

    private mutating func note(_ event: RecordedEvent) {
        guard let maker = event.envelope.actor.user, maker.id != id else { return }
        makers[maker.id] = event.envelope.time
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
