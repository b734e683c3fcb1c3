// SPDX-License-Identifier: Apache-2.0
import Events

/// An account as the interface shows it.
struct UserBody: Encodable {
    let id: String
    let login: String
    let role: Role
    let organisation: String
    let mustChangePassword: Bool
    let disabled: Bool
    let createdAt: Timestamp
    /// Whom an erasure would forget; in lists only, as what follows.
    let person: PersonID?
    /// What people call the user; `nil` where none was given, or it was erased.
    let name: String?
    let lastSignInAt: Timestamp?

    init(
        _ user: UserAccount,
        person: PersonID? = nil,
        name: String? = nil,
        lastSignIn: Timestamp? = nil
    ) {
        id = user.id
        login = user.login
        role = user.role
        organisation = user.org
        mustChangePassword = user.isTemporary
        disabled = user.isDisabled
        createdAt = Timestamp(user.created)
        (self.person, self.name, lastSignInAt) = (person, name, lastSignIn)
    }
}

/// A token as lists show it; the token itself is never shown again.
struct TokenBody: Encodable {
    let id: String
    let createdAt: Timestamp
    let expires: Timestamp
    let lastUsedAt: Timestamp
    let revokedAt: Timestamp?
    let scopes: [String]

    init(_ token: TokenSummary) {
        id = token.id
        createdAt = Timestamp(token.created)
        expires = Timestamp(token.expires)
        lastUsedAt = Timestamp(token.lastUsed)
        revokedAt = token.revoked.map { Timestamp($0) }
        scopes = token.scopes.sorted()
    }
}
