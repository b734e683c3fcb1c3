// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB

extension AccountStore {
    /// What the ledger says has ended.
    struct Ends: Sendable {
        var tokens: Set<String> = []
        var devices: Set<String> = []
        /// Whose sign-ins have ended that were made before a moment, and have not outlived it.
        var signIns: [String: Date] = [:]
        /// The same of all their tokens, also those that were issued.
        var users: [String: Date] = [:]
        /// The phones that were ever registered.
        var registered: [String: KnownPhone] = [:]
        /// The tokens that were issued and are good, which no sign-out ends.
        var issued: Set<String> = []
        /// What could not be read of it: nothing ends by that, and whose it is may do nothing.
        var unread = UnreadEntries()
    }

    /// What the ledger says of a phone that was registered.
    struct KnownPhone: Sendable {
        let device: DeviceID
        let position: UInt64
        let person: PersonID
        let organisation: OrganisationID
    }

    /// Ends what the ledger says has ended, where it has not here.
    ///
    /// - Returns: How many tokens and phones were good until now.
    @discardableResult
    func make(_ ends: Ends) async throws -> Int {
        let time = now().milliseconds
        let (tokens, devices) = try await read { database in
            (try Self.tokens(of: ends, database), try Self.devices(of: ends, database))
        }
        guard !tokens.isEmpty || !devices.isEmpty else { return 0 }
        try await durably { database in
            let tokens = AccountRows(.tokens, "id", in: tokens)
            try Self.end(tokens: tokens, at: time, in: database)
            try Self.revoke(devices: devices, at: time, in: database)
        }
        return tokens.count + devices.count
    }

    private static func tokens(of ends: Ends, _ database: Database) throws -> Set<String> {
        // Not when it was used: whoever puts an ended one back, and is let in by it, has used it.
        let sql = """
            SELECT id, user, max(created, coalesce(outlived, 0)) AS good
            FROM \(AccountRows.Table.tokens.unhidden(where: "revoked IS NULL"))
            """
        let rows = try Row.fetchAll(database, sql: sql)
        let ended = rows.compactMap { row -> String? in
            // To the millisecond, which may be rounded down.
            let (id, good) = (row["id"] as String, Date(milliseconds: (row["good"] as Int64) + 1))
            if ends.tokens.contains(id) { return id }
            guard let user = row["user"] as String? else { return nil }
            if let end = ends.users[user], good < end { return id }
            guard let end = ends.signIns[user], good < end, !ends.issued.contains(id) else {
                return nil
            }
            return id
        }
        return Set(ended)
    }

    private static func devices(of ends: Ends, _ database: Database) throws -> Set<String> {
        let sql = """
            SELECT id FROM \(AccountRows.Table.devices.unhidden(where: "revoked IS NULL"))
            UNION SELECT id FROM \(AccountRows.Table.codes.unhidden())
            UNION SELECT device FROM \(AccountRows.Table.pushes.unhidden())
            """
        return try String.fetchSet(database, sql: sql).intersection(ends.devices)
    }

    /// Makes an account what the ledger says, also the last admin's; other rights than it had sign the user out.
    func bring(
        _ id: String,
        to role: Role,
        of org: String,
        isDisabled: Bool
    ) async throws {
        let time = now().milliseconds
        try await durably { database in
            let count = try AccountRows(.users, id: id).update(
                set: "role = :role, org = :org, disabled = :disabled",
                ["role": role.rawValue, "org": org, "disabled": isDisabled],
                in: database
            )
            guard count == 1 else { throw AccountError.accountUnknown(id) }
            try Self.end(
                tokens: AccountRows(.tokens, "user", in: [id]),
                at: time,
                in: database
            )
        }
    }

    /// Takes the password of somebody away that is not the one of which the ledger tells, and ends what was opened with it.
    func dropPassword(ofUser id: String) async throws {
        let time = now().milliseconds
        try await durably { database in
            try AccountRows(.users, id: id).update(set: "password = ''", in: database)
            let tokens = AccountRows(.tokens, "user", in: [id])
            try Self.end(tokens: tokens, at: time, in: database)
        }
    }

    /// Notes where the ledger tells of a password that was taken over.
    func note(passwordAt position: UInt64, ofUser id: String) async throws {
        _ = try await durably { database in
            try AccountRows(.users, id: id).update(
                set: "password_at = :position",
                ["position": Int64(clamping: position)],
                where: "password_at IS NULL",
                in: database
            )
        }
    }

    /// A phone as the accounts have it.
    struct Phone: Sendable {
        let id: String
        let person: String
        let org: String
        let role: String
        let isRevoked: Bool
    }

    /// All phones that were ever registered, and are not erased.
    func phones() async throws -> [Phone] {
        let sql = """
            SELECT id, person, org, role, revoked IS NOT NULL AS ended
            FROM \(AccountRows.Table.devices.unhidden())
            """
        return try await read { database in
            try Row.fetchAll(database, sql: sql).map { row in
                Phone(
                    id: row["id"],
                    person: row["person"],
                    org: row["org"],
                    role: row["role"],
                    isRevoked: row["ended"]
                )
            }
        }
    }
}
