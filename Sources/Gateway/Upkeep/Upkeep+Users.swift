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
                context(in: ledger, for: owner)
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
    ///
    /// - Parameters:
    ///   - login: Whose.
    ///   - password: The user's; `nil` will do for the role service alone (ruling 40).
    ///   - life: How long it lasts; `nil` for half a day.
    /// - Returns: The token, which cannot be read again.
    /// - Throws: ``UpkeepError/refused(_:)`` for a wrong password.
    public func addToken(
        of login: String,
        password: String?,
        life: Duration?
    ) async throws -> AddedToken {
        try await work { ledger in
            let user = try await ledger.user(login: login)
            if user.role != .service { try await ledger.confirm(user, password: password) }
            let issued = try await ledger.issueToken(
                of: user,
                life: life,
                by: .console,
                context(in: ledger, of: user.org)
            )
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
            try await ledger.revokeToken(id, of: user, context(in: ledger, of: user.org))
        }
    }
}

/// What is changed about accounts, from the console.
extension Upkeep {
    /// One coming or going of a user.
    public struct ListedSignIn: Codable, Hashable, Sendable {
        public let at: String
        public let what: String
        public let how: String
        public let address: String?
    }

    /// Forbids a user to sign in, or lets the user sign in again.
    public func setDisabled(_ isDisabled: Bool, _ login: String, reason: String) async throws {
        try await change(login) { ledger, user in
            let context = context(in: ledger, of: user.org)
            if isDisabled {
                try await ledger.disable(user, reason: reason, by: .console, context)
            } else {
                try await ledger.enable(user, reason: reason, by: .console, context)
            }
        }
    }

    /// Changes what a user may do.
    public func setRole(_ role: Role, of login: String, reason: String) async throws {
        try await change(login) { ledger, user in
            try await ledger.setRole(
                role,
                of: user,
                reason: reason,
                by: .console,
                context(in: ledger, of: user.org)
            )
        }
    }

    /// Sets a temporary password.
    ///
    /// - Returns: The password, which cannot be read again.
    public func resetPassword(of login: String) async throws -> String {
        try await change(login) { ledger, user in
            try await ledger.resetPassword(
                of: user,
                by: .console,
                context(in: ledger, of: user.org)
            )
        }
    }

    /// When a user signed in and out, newest first.
    public func signIns(of login: String, limit: Int) async throws -> [ListedSignIn] {
        try await change(login) { ledger, user in
            let keys = ledger.keys.unrecorded(.console)
            let found = try ledger.signIns(of: UserID(unchecked: user.id), limit: limit, keys)
            return found.map { signIn in
                ListedSignIn(
                    at: "\(signIn.at)",
                    what: signIn.isIn ? "signed in" : "signed out",
                    how: signIn.how,
                    address: signIn.address
                )
            }
        }
    }

    /// Ends a registered phone.
    public func revokeDevice(_ id: String, reason: String) async throws {
        guard let device = DeviceID(id) else {
            throw UpkeepError.notAnID(id, wanted: "id of a device")
        }
        try await work { ledger in
            let owner = try await ledger.organisation(of: device)
            try await ledger.revokeDevice(
                device,
                reason: reason,
                owner.map { context(in: ledger, of: $0) } ?? context(in: ledger)
            )
        }
    }

    private func change<Value: Sendable>(
        _ login: String,
        _ body: @escaping @Sendable (Ledger, UserAccount) async throws -> Value
    ) async throws -> Value {
        try await work { ledger in
            do {
                return try await body(ledger, try await ledger.user(login: login))
            } catch let error as AccountError {
                throw UpkeepError.refused(error.problem.detail ?? error.problem.type.title)
            }
        }
    }
}

extension Ledger {
    /// Checks that a user's password is at hand.
    fileprivate func confirm(_ user: UserAccount, password: String?) async throws {
        guard let password else {
            throw UpkeepError.refused(
                "a token of \(user.login) needs the password of \(user.login)"
            )
        }
        do {
            _ = try await accounts.verifyPassword(
                login: user.login,
                password: password,
                from: SignInOrigin(address: "console")
            )
        } catch let error as AccountError {
            throw UpkeepError.refused(error.problem.detail ?? error.problem.type.title)
        }
    }

    /// The account with a login.
    fileprivate func user(login: String) async throws -> UserAccount {
        let found = try await accounts.users().first {
            $0.login.lowercased() == login.lowercased()
        }
        guard let found else { throw UpkeepError.unknownUser(login) }
        return found
    }
}
