// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Synchronization

extension AccountStore {
    /// Changes what a user may do; signs the user out.
    ///
    /// - Throws: ``AccountError/lastAdmin`` when nobody would be left who can manage everything.
    func setRole(_ role: Role, ofUser id: String) async throws {
        try await update(
            user: id,
            set: "role = :value",
            to: role.rawValue,
            keepsAdmin: role == .admin
        )
    }

    /// Forbids or allows a user to sign in; forbidding signs the user out.
    ///
    /// - Throws: ``AccountError/lastAdmin`` when nobody would be left who can manage everything.
    func setDisabled(_ isDisabled: Bool, user id: String) async throws {
        try await update(
            user: id,
            set: "disabled = :value",
            to: isDisabled,
            keepsAdmin: !isDisabled
        )
    }

    /// Refuses to end the last admin.
    ///
    /// - Throws: ``AccountError/lastAdmin`` when nobody would be left who can manage everything.
    func refuseLastAdmin(_ id: String) async throws {
        try await read { try self.refuseLastAdmin([id], in: $0) }
    }

    private func update(
        user id: String,
        set assignment: String,
        to value: any DatabaseValueConvertible & Sendable,
        keepsAdmin: Bool
    ) async throws {
        let time = now().milliseconds
        try await durably { database in
            if !keepsAdmin { try self.refuseLastAdmin([id], in: database) }
            let count = try AccountRows(.users, id: id)
                .update(set: assignment, ["value": value], in: database)
            guard count == 1 else { throw AccountError.accountUnknown(id) }
            try Self.end(
                tokens: AccountRows(.tokens, "user", in: [id]),
                at: time,
                in: database
            )
        }
    }

    /// Sets accounts aside whose end is about to be recorded: who manages everything is then looked for among the others.
    ///
    /// - Throws: ``AccountError/lastAdmin`` when nobody would be left who can manage everything.
    func setAside(_ ids: Set<String>) async throws {
        try await durably { database in
            try self.refuseLastAdmin(ids, in: database)
            self.ending.withLock { $0.formUnion(ids) }
        }
    }

    /// Their end was not recorded.
    func takeBack(_ ids: Set<String>) {
        ending.withLock { $0.subtract(ids) }
    }

    /// Forbids accounts to sign in whose person the ledger calls erased, and signs them out; nothing of them is deleted.
    func bar(_ ids: Set<String>) async throws {
        let time = now().milliseconds
        try await durably { database in
            try Self.bar(ids, at: time, in: database)
        }
    }

    /// Ends accounts with their person: name, password, places and requests are deleted; that there was one, and its id, stay.
    ///
    /// One that is not here has ended.
    ///
    /// - Throws: When it was not done, to none of them: then it stays owed.
    func end(_ ids: Set<String>) async throws {
        guard !ids.isEmpty else { return }
        let time = now().milliseconds
        try await durably { database in
            try Self.bar(ids, at: time, in: database)
            try Self.strip(ids, in: database)
            let users = AccountRows(.users, "id", in: ids)
            // A login has no space, so that nobody has this one, and no password has this hash.
            try users.update(set: "login = 'erased ' || id, password = ''", in: database)
            try AccountRows(.places, "user", in: ids).delete(in: database)
            let actors = try users.texts(of: "role || '/' || id", in: database)
            try Self.forgetRequests(of: actors, in: database)
        }
        try await forgetLog()
        takeBack(ids)
    }

    /// Takes names and passwords out of the rows that somebody changed, or planted under a name that is about to be given.
    private static func strip(_ ids: Set<String>, in database: Database) throws {
        let names = Set(ids.map { "erased \($0)" })
        for rows in [AccountRows(.users, "id", in: ids), AccountRows(.users, "login", in: names)] {
            try rows.strip(in: database)
        }
    }

    private static func bar(_ ids: Set<String>, at time: Int64, in database: Database) throws {
        try AccountRows(.users, "id", in: ids).update(set: "disabled = 1", in: database)
        try end(tokens: AccountRows(.tokens, "user", in: ids), at: time, in: database)
    }

    /// Nobody ends the last admin: then nobody could make another.
    private func refuseLastAdmin(_ ids: Set<String>, in database: Database) throws {
        let admins = AccountRows.Table.users.unhidden(
            where: "role = ? AND disabled = 0 AND password <> ''"
        )
        let active = try String.fetchSet(
            database,
            sql: "SELECT id FROM \(admins)",
            arguments: [Role.admin.rawValue]
        )
        guard !active.isDisjoint(with: ids) else { return }
        let left = active.subtracting(ids).subtracting(ending.withLock { $0 })
            .subtracting(following.unread.users)
        guard !left.isEmpty else { throw AccountError.lastAdmin }
    }
}
