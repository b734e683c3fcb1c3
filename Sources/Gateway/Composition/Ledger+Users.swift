// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Logging

/// A new account with its first password, at the only moment when that can be read.
struct NewUser: Sendable, Hashable {
    let user: UserAccount
    let password: String
}

extension Ledger {
    /// Makes an account: the person's key, the password, and the event that tells of it.
    ///
    /// - Parameters:
    ///   - login: The name to sign in with.
    ///   - role: What the user may do.
    ///   - organisation: Whom the user belongs to.
    ///   - name: What people call the user; sealed.
    ///   - password: `nil` for a random temporary one.
    ///   - id: What events and file names call the user; `nil` for nine random digits.
    ///   - context: Who makes it, in the organisation to which the user is to belong.
    /// - Returns: The user, and the password at the only moment when it can be read.
    /// - Throws: `AccountError` for a name or password that cannot be, and when accounts or log cannot be written; there is no
    ///   account then.
    func createUser(
        login: String,
        role: Role,
        organisation: OrganisationID,
        name: String? = nil,
        password: String? = nil,
        id: String? = nil,
        _ context: CommandContext
    ) async throws -> NewUser {
        let secret = password ?? TemporaryPassword.random()
        let user = try await accounts.createUser(
            login: login,
            password: secret,
            role: role,
            org: organisation.text,
            id: id,
            isTemporary: password == nil
        )
        do {
            try await tell(of: user, name: name, context)
        } catch {
            // Nobody has the password yet. But what may be recorded all the same, the next start tells.
            if case EventLogError.outcomeUnknown = error { throw error }
            try await accounts.forget(user: user.id)
            throw error
        }
        return NewUser(user: user, password: secret)
    }

    /// Makes the first account of a ledger without accounts, tells the log of accounts that a crash kept from it, and brings
    /// the others to what the log says of them.
    ///
    /// Entries that were imported, or outlived their accounts, know an admin already, whose key may be lost: the login is
    /// then another user's.
    ///
    /// - Returns: The first admin, if this start gave one a password.
    func ensureFirstAdmin() async throws -> NewUser? {
        let users = try await accounts.users()
        let context = context(actor: .ledger, organisation: configuration.organisation)
        guard !users.isEmpty else {
            let id = UserID(unchecked: "admin")
            let isKnown = try handler.current(User.self, id).account != nil
            return try await createUser(
                login: id.text,
                role: .admin,
                organisation: configuration.organisation,
                id: isKnown ? nil : id.text,
                context
            )
        }
        var untold: NewUser?
        for user in users {
            if try handler.current(User.self, UserID(unchecked: user.id)).account == nil {
                let owner = OrganisationID(unchecked: user.org)
                let context = self.context(actor: .ledger, organisation: owner)
                if users.count == 1, user.isTemporary { untold = try await renewed(user) }
                try await tell(of: user, name: nil, context)
            }
            try await followOrTell(user)
            if OwnActors.reserve(userID: user.id) {
                logger.warning(
                    "an account is called like a part of the gateway",
                    metadata: ["category": "security", "user": "\(user.id)"]
                )
            }
        }
        try await followNewest()
        return untold
    }

    /// Gives the first admin another password: a start that ended before the log knew the account told nobody the first one.
    private func renewed(_ user: UserAccount) async throws -> NewUser {
        let password = TemporaryPassword.random()
        try await accounts.resetPassword(ofUser: user.id, to: password)
        return NewUser(user: user, password: password)
    }

    private func tell(of user: UserAccount, name: String?, _ context: CommandContext) async throws {
        let person: PersonID = newID()
        var context = context
        context.newcomers = [person]
        let command = CreateUser(
            UserID(unchecked: user.id),
            in: OrganisationID(unchecked: user.org),
            as: user.role,
            person: person,
            name: name,
            password: user.isTemporary ? .temporary : .chosen
        )
        _ = try await handler.handle(command, context)
    }
}

/// Passwords that are told once and changed at the first sign-in.
enum TemporaryPassword {
    private static let alphabet = Array("23456789abcdefghjkmnpqrstuvwxyz")

    /// Four groups of four that can be read out: 79 bits.
    static func random() -> String {
        let letters = (0..<16).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] }
        return stride(from: 0, to: 16, by: 4)
            .map { String(letters[$0..<$0 + 4]) }
            .joined(separator: "-")
    }
}
