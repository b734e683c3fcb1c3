// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import GRDB
import Logging
import Synchronization

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
        try await makeLostAccounts()
        let users = try await accounts.users()
        guard !users.isEmpty else { return try await newAdmin(besides: []) }
        var untold: NewUser?
        for user in users {
            let met = try await unlessUnread(user) {
                try await meet(user, isAlone: users.count == 1)
            }
            if let new = met ?? nil { untold = new }
        }
        do {
            let ends = try await followEnds()
            try await orOwe { try await followPhones(ends) }
        } catch  where !(error is DatabaseError) {
            // Whoever needs help is helped; it is shown and tried again, here and at the next start.
            accounts.following.fallBehind(error)
            logger.critical(
                "what has ended by the log could not be read",
                metadata: ["category": "security", "error": "\(error)"]
            )
        }
        let left = try await accounts.users()
        let unread = accounts.following.unread.users
        guard
            left.contains(where: {
                $0.role == .admin && !$0.isDisabled && $0.hasPassword && !unread.contains($0.id)
            })
        else { return try await newAdminWhereRoom(besides: left) }
        return untold
    }

    /// Brings one account to what the log says of it.
    ///
    /// - Returns: The first admin, with a new password, of whom no event told.
    private func meet(_ user: UserAccount, isAlone: Bool) async throws -> NewUser? {
        let new = try await isTold(of: user) ? nil : judge(untold: user, isAlone: isAlone)
        try await orOwe { try await tellAndSettle(user, isAlone: isAlone) }
        try await followPassword(of: user)
        if OwnActors.reserve(userID: user.id) {
            logger.warning(
                "an account is called like a part of the gateway",
                metadata: ["category": "security", "user": "\(user.id)"]
            )
        }
        return new
    }

    /// Makes accounts anew that the ledger knows and the file has not, as after a restore or a loss.
    ///
    /// Nobody signs in by them until an admin gives a password. Those of before this key began may be another ledger's.
    private func makeLostAccounts() async throws {
        let here = Set(try await accounts.users().map(\.id))
        var ids: [String] = []
        let damaged = try each(UserCreated.kind, since: begun, of: &ids) { event, ids in
            ids.append(String(event.envelope.subject.name))
        }
        note(UnreadEntries(positions: Set(damaged)))
        let lost = try ids.filter { !here.contains($0) }.compactMap(lostAccount)
        guard !lost.isEmpty else { return }
        try await accounts.makeAnew(lost)
        logger.critical(
            "accounts that the ledger knows were not in accounts.db; they were made anew, without a password",
            metadata: ["category": "security", "users": .array(lost.map { "\($0.id)" })]
        )
    }

    /// What an account is made of that is gone; `nil` where that cannot be read, and nobody has one then.
    private func lostAccount(_ id: String) throws -> (id: String, role: Role, org: String)? {
        do {
            let known = try handler.current(User.self, UserID(unchecked: id))
            return known.role.flatMap { role in
                known.account.map { (id: id, role: role, org: $0.organisation.text) }
            }
        } catch let error where error.isOfDamage {
            note(UnreadEntries(users: [id]))
            return nil
        }
    }

    /// Makes an admin with a password that is told here.
    ///
    /// Entries that were imported, or outlived their accounts, know an admin already, whose key may be lost: the login is
    /// then another user's.
    private func newAdmin(besides users: [UserAccount]) async throws -> NewUser {
        let id = UserID(unchecked: "admin")
        let isKnown = try log.revision(of: .user(id)) != nil
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

    /// The same where the others are served meanwhile: for want of room the next start makes it, which tells its password.
    private func newAdminWhereRoom(besides users: [UserAccount]) async throws -> NewUser? {
        do {
            return try await newAdmin(besides: users)
        } catch let error where Self.isWantOfRoom(error) {
            logger.critical(
                "no admin is left, and there is no room for another; the next start makes one",
                metadata: ["category": "security", "error": "\(error)"]
            )
            return nil
        }
    }

    /// What becomes of an account that no event made.
    ///
    /// A start that ended too early leaves the first admin so, who gets another password, and of whom the log is told; a crash
    /// behind the account leaves one whose password nobody was told, and it goes again. Any other may not sign in, and the log
    /// is told that it ended: so behind a log of an earlier day than the accounts, of which the right one may be put back.
    ///
    /// - Returns: The first admin, with the new password.
    private func judge(untold user: UserAccount, isAlone: Bool) async throws -> NewUser? {
        if Self.isFirstAdmin(user, isAlone: isAlone) { return try await renewed(user) }
        let isGone = try await accounts.forget(unused: user.id)
        if !isGone {
            let isKnown = try handler.current(User.self, UserID(unchecked: user.id)).isDisabled
            guard !user.isDisabled || !isKnown else { return nil }
            try await accounts.bar([user.id])
            try await orOwe { try await tellEnd(ofUnknown: user) }
        }
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

    /// Tells the log of an account that no event made that it ended.
    private func tellEnd(ofUnknown user: UserAccount) async throws {
        let end = EndUnknownAccount(
            UserID(unchecked: user.id),
            reason: "the accounts had it, and no event made it"
        )
        let owner = OrganisationID(unchecked: user.org)
        _ = try await handler.handle(end, context(actor: .ledger, organisation: owner))
    }

    private func isTold(of user: UserAccount) throws -> Bool {
        try handler.current(User.self, UserID(unchecked: user.id)).account != nil
    }

    /// Whether an account that no event made can be the first admin's; it is until its password is another.
    private static func isFirstAdmin(_ user: UserAccount, isAlone: Bool) -> Bool {
        isAlone && user.isTemporary && user.role == .admin
    }

    /// Tells the log of the first admin, and brings an account that it knows to what it says of it.
    private func tellAndSettle(_ user: UserAccount, isAlone: Bool) async throws {
        if Self.isFirstAdmin(user, isAlone: isAlone), try !isTold(of: user) {
            let owner = OrganisationID(unchecked: user.org)
            try await tell(of: user, name: nil, context(actor: .ledger, organisation: owner))
        }
        try await settle(user)
    }

    /// Does what a start owes the log; what finds no room stays owed, and keeps nobody from being served.
    func orOwe(_ tell: () async throws -> Void) async throws {
        do {
            try await tell()
        } catch let error where Self.isWantOfRoom(error) {
            guard wordsOwed.owe() else { return }
            logger.error(
                "there is no room for what a start tells the log; it is told when there is some",
                metadata: ["error": "\(error)"]
            )
        }
    }

    /// Tells the log what a start could not for want of room: the first admin, who was erased, policies, phones that are lost.
    func tellOwed() async throws {
        guard wordsOwed.pay() else { return }
        let users = try await accounts.users()
        for user in users {
            try await unlessUnread(user) {
                try await orOwe { try await tellAndSettle(user, isAlone: users.count == 1) }
            }
        }
        try await orOwe { try await enablePolicies() }
        // A phone is among the accounts before the ledger is told of it: so first what the ledger says.
        let registered = try await ends().registered
        try await orOwe { try await followLostPhones(registered) }
    }

    private static func isWantOfRoom(_ error: any Error) -> Bool {
        ProblemTable.problem(for: error).type == .storageFull
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

/// Whether a start could not tell the log what it had to, for want of room; see ``Ledger/orOwe(_:)``.
final class WordsOwed: Sendable {
    private let state = Mutex(false)

    /// Whether there are any.
    var isOwed: Bool { state.withLock { $0 } }

    /// Notes that there are; tells whether that is new.
    func owe() -> Bool {
        state.withLock { isOwed in
            defer { isOwed = true }
            return !isOwed
        }
    }

    /// Takes them for told, before they are; tells whether there were any.
    func pay() -> Bool {
        state.withLock { isOwed in
            defer { isOwed = false }
            return isOwed
        }
    }
}
