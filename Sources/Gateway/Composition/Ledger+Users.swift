// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import GRDB
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

    /// Brings the accounts to what the log says of them, and makes an admin where nobody may manage them: in a ledger without
    /// accounts, or where by the log no admin of those that are here is left.
    ///
    /// - Returns: The admin, if this start gave one a password.
    func ensureFirstAdmin() async throws -> NewUser? {
        let users = try await accounts.users()
        guard !users.isEmpty else { return try await newAdmin(besides: []) }
        var untold: NewUser?
        for user in users {
            if try handler.current(User.self, UserID(unchecked: user.id)).account == nil {
                let new = try await judge(untold: user, isAlone: users.count == 1)
                if let new { untold = new }
            }
            try await settle(user)
            if OwnActors.reserve(userID: user.id) {
                logger.warning(
                    "an account is called like a part of the gateway",
                    metadata: ["category": "security", "user": "\(user.id)"]
                )
            }
        }
        do {
            try await followEnds()
        } catch  where !(error is DatabaseError) {
            // Whoever needs help is helped; the next start tries again.
            logger.critical(
                "what has ended by the log could not be read",
                metadata: ["category": "security", "error": "\(error)"]
            )
        }
        let left = try await accounts.users()
        guard left.contains(where: { $0.role == .admin && !$0.isDisabled }) else {
            return try await newAdmin(besides: left)
        }
        return untold
    }

    /// Makes an admin with a password that is told here.
    ///
    /// Entries that were imported, or outlived their accounts, know an admin already, whose key may be lost: the login is
    /// then another user's.
    private func newAdmin(besides users: [UserAccount]) async throws -> NewUser {
        let id = UserID(unchecked: "admin")
        let isKnown = try handler.current(User.self, id).account != nil
        let taken = Set(users.map { $0.login.lowercased() })
        let logins = ["admin"] + (2...users.count + 2).map { "admin\($0)" }
        return try await createUser(
            login: logins.first { !taken.contains($0) } ?? id.text,
            role: .admin,
            organisation: configuration.organisation,
            id: isKnown || !users.isEmpty ? nil : id.text,
            context(actor: .ledger, organisation: configuration.organisation)
        )
    }

    /// What becomes of an account that no event made.
    ///
    /// A start that ended too early leaves the first admin so, who gets another password; a crash behind the account leaves
    /// one whose password nobody was told, and it goes again. Any other is nobody's: it may not sign in, and the ledger is told
    /// nothing of it.
    ///
    /// - Returns: The first admin, with the new password.
    private func judge(untold user: UserAccount, isAlone: Bool) async throws -> NewUser? {
        if isAlone, user.isTemporary, user.role == .admin {
            let owner = OrganisationID(unchecked: user.org)
            let new = try await renewed(user)
            try await tell(of: user, name: nil, context(actor: .ledger, organisation: owner))
            return new
        }
        let isGone = try await accounts.forget(unused: user.id)
        if !isGone { try await accounts.bar([user.id]) }
        logger.critical(
            "no event made this account",
            metadata: [
                "now": "\(isGone ? "gone" : "it may not sign in")",
                "category": "security", "user": "\(user.id)", "login": "\(user.login)",
                "role": "\(user.role.rawValue)",
            ]
        )
        return nil
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
