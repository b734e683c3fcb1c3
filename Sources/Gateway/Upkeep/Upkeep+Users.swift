// SPDX-License-Identifier: Apache-2.0
public import Events
public import Foundation

/// Accounts and tokens, from the console.
extension Upkeep {
    /// An account that was made, with its first password, which cannot be read again.
    public struct AddedUser: Codable, Hashable, Sendable {
        public let id: String
        public let login: String
        public let role: Role
        public let temporaryPassword: String
    }

    /// An account as lists show it.
    public struct ListedUser: Codable, Hashable, Sendable {
        public let id: String
        public let login: String
        public let role: Role
        public let organisation: String
        public let mustChangePassword: Bool
        public let disabled: Bool
    }

    /// A token that was made; its text cannot be read again.
    public struct AddedToken: Codable, Hashable, Sendable {
        public let id: String
        public let token: String
        public let expires: Date
    }

    /// A token as lists show it.
    public struct ListedToken: Codable, Hashable, Sendable {
        public let id: String
        public let created: Date
        public let expires: Date
        public let lastUsed: Date
        public let revoked: Date?
    }

    /// Makes an account with a temporary password.
    public func addUser(
        _ login: String,
        role: Role,
        name: String?,
        organisation: String?
    ) async throws -> AddedUser {
        try await work { ledger in
            let owner = organisation.flatMap { OrganisationID($0) } ?? configuration.organisation
            let new = try await ledger.createUser(
                login: login,
                role: role,
                organisation: owner,
                name: name,
                context(in: ledger)
            )
            return AddedUser(
                id: new.user.id,
                login: new.user.login,
                role: new.user.role,
                temporaryPassword: new.password
            )
        }
    }

    /// All accounts, by login.
    public func users() async throws -> [ListedUser] {
        try await work { ledger in
            try await ledger.accounts.users().map { user in
                ListedUser(
                    id: user.id,
                    login: user.login,
                    role: user.role,
                    organisation: user.org,
                    mustChangePassword: user.isTemporary,
                    disabled: user.isDisabled
                )
            }
        }
    }

    /// Issues a token of a user, for a program.
    public func addToken(of login: String, life: Duration?) async throws -> AddedToken {
        try await work { ledger in
            let user = try await ledger.user(login: login)
            let issued = try await ledger.accounts.issueToken(forUser: user.id, life: life)
            return AddedToken(id: issued.id, token: issued.token, expires: issued.expires)
        }
    }

    /// The tokens of a user, newest first.
    public func tokens(of login: String) async throws -> [ListedToken] {
        try await work { ledger in
            let user = try await ledger.user(login: login)
            return try await ledger.accounts.tokens(ofUser: user.id).map { token in
                ListedToken(
                    id: token.id,
                    created: token.created,
                    expires: token.expires,
                    lastUsed: token.lastUsed,
                    revoked: token.revoked
                )
            }
        }
    }

    /// Ends a token of a user.
    public func revokeToken(_ id: String, of login: String) async throws {
        try await work { ledger in
            let user = try await ledger.user(login: login)
            let tokens = try await ledger.accounts.tokens(ofUser: user.id)
            guard tokens.contains(where: { $0.id == id }) else {
                throw UpkeepError.unknownToken(id)
            }
            try await ledger.accounts.revoke(tokenID: id)
        }
    }
}

extension Ledger {
    /// The account with a login.
    fileprivate func user(login: String) async throws -> UserAccount {
        let found = try await accounts.users().first {
            $0.login.lowercased() == login.lowercased()
        }
        guard let found else { throw UpkeepError.unknownUser(login) }
        return found
    }
}
