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

    init(_ user: UserAccount) {
        id = user.id
        login = user.login
        role = user.role
        organisation = user.org
        mustChangePassword = user.isTemporary
        disabled = user.isDisabled
        createdAt = Timestamp(user.created)
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
