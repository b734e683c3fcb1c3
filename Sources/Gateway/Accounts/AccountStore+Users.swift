// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Projections

/// A user, without the password.
struct UserAccount: Sendable, Hashable {
    let id: String
    let login: String
    let org: String
    let role: Role
    /// The password was set by somebody else and must be changed.
    let isTemporary: Bool
    let isDisabled: Bool
    let created: Date
    /// Whether it has a password.
    let hasPassword: Bool
    /// Where the ledger tells of it (``User/passwordAt``); `nil` of an account that was taken over, until a start notes it.
    let passwordAt: UInt64?
}

extension AccountStore {
    /// Creates a user with a temporary password, which the first sign-in must change.
    ///
    /// - Parameters:
    ///   - login: The name to sign in with; case does not count.
    ///   - password: To be told to its owner.
    ///   - role: What the user may do.
    ///   - org: The organisation that the user belongs to.
    ///   - id: What events and file names call the user; `nil` for nine random digits.
    ///   - isTemporary: `false` for a password that its owner chose.
    /// - Returns: The user, with its id.
    /// - Throws: ``AccountError`` for a login or id that is taken or not usable, or a password
    ///   that is not acceptable.
    @discardableResult
    func createUser(
        login: String,
        password: String,
        role: Role,
        org: String,
        id: String? = nil,
        isTemporary: Bool = true
    ) async throws -> UserAccount {
        guard login.utf8.count <= limits.loginBytes,
            (1...limits.loginCharacters).contains(login.count),
            login.unicodeScalars.allSatisfy(Self.isOfLogin)
        else {
            throw AccountError.loginInvalid(login)
        }
        guard LoginScript.isOne(login) else { throw AccountError.loginMixed(login) }
        let id = id ?? String(Int.random(in: 100_000_000...999_999_999))
        guard Self.isUsable(userID: id) else { throw AccountError.userIDInvalid(id) }
        guard !OwnActors.reserve(userID: id) else { throw AccountError.userIDReserved(id) }
        try accept(password: password, login: login)
        let hash = try await hash(password)
        let created = now()
        try await durably { database in
            try Self.refuseTaken(login: login, id: id, in: database)
            let row = NewAccountRow(
                .users,
                [
                    "id": id, "login": login, "org": org, "role": role.rawValue,
                    "password": hash.text, "temporary": isTemporary, "disabled": false,
                    "created": created.milliseconds, "password_at": 0,
                ]
            )
            try row.insert(in: database)
        }
        return UserAccount(
            id: id,
            login: login,
            org: org,
            role: role,
            isTemporary: isTemporary,
            isDisabled: false,
            created: Date(milliseconds: created.milliseconds),
            hasPassword: true,
            passwordAt: 0
        )
    }

    /// Makes accounts anew that the ledger knows: without a password, under the name `lost` and the id, until an admin gives one.
    func makeAnew(_ lost: [(id: String, role: Role, org: String)]) async throws {
        let time = now().milliseconds
        try await durably { database in
            let logins = try String.fetchSet(
                database,
                sql: "SELECT lower(login) FROM main.users NOT INDEXED WHERE \(Self.isOurs)"
            )
            for (number, user) in lost.enumerated() {
                // Ids that differ in their case alone, or somebody's own idea of a name.
                let login = "lost \(user.id)"
                let isTaken =
                    logins.contains(login.lowercased())
                    || lost[..<number].contains { $0.id.lowercased() == user.id.lowercased() }
                let row = NewAccountRow(
                    .users,
                    [
                        "id": user.id, "login": isTaken ? "\(login) \(UUID())" : login,
                        "org": user.org, "role": user.role.rawValue, "password": "",
                        "temporary": true, "disabled": false, "created": time,
                        "password_at": nil,
                    ]
                )
                try row.insert(in: database)
            }
        }
    }

    /// Takes back a user of whom the ledger was not told, and who has not signed in.
    func forget(user id: String) async throws {
        _ = try await durably { database in
            try Self.clearOwned(by: id, in: database)
            try AccountRows(.users, id: id).delete(in: database)
        }
    }

    /// Takes back a user whose temporary password nobody has used.
    ///
    /// - Returns: Whether there was one.
    func forget(unused id: String) async throws -> Bool {
        try await durably { database in
            try Self.clearOwned(by: id, in: database)
            let count = try AccountRows(.users, id: id).delete(
                where: """
                    temporary = 1
                    AND NOT EXISTS (SELECT 1 FROM main.tokens NOT INDEXED WHERE user = :user)
                    AND NOT EXISTS (SELECT 1 FROM main.places NOT INDEXED WHERE user = :user)
                    """,
                ["user": id],
                in: database
            )
            return count == 1
        }
    }

    /// Takes away what was planted as a user's own: it keeps no account from going.
    private static func clearOwned(by id: String, in database: Database) throws {
        for table in [AccountRows.Table.tokens, .places] {
            try AccountRows(table, "user", in: [id]).clear(in: database)
        }
    }

    /// What chooses the rows of users that carry their code.
    static let isOurs = "code IS \(SealedRows.code(of: "users"))"

    /// All users, by login.
    func users() async throws -> [UserAccount] {
        try await read { database in
            let sql = "SELECT * FROM \(AccountRows.Table.users.unhidden()) ORDER BY login"
            return try Row.fetchAll(database, sql: sql).map(UserAccount.init(row:))
        }
    }

    /// One user.
    ///
    /// - Throws: ``AccountError/accountUnknown(_:)``.
    func user(id: String) async throws -> UserAccount {
        let user = try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM main.users NOT INDEXED WHERE id = ? AND \(Self.isOurs)",
                arguments: [id]
            ).map(UserAccount.init(row:))
        }
        guard let user else { throw AccountError.accountUnknown(id) }
        return user
    }

    private static func refuseTaken(login: String, id: String, in database: Database) throws {
        let byLogin = "SELECT 1 FROM main.users NOT INDEXED WHERE login = ? AND \(isOurs)"
        guard try !Bool.fetchOne(database, sql: byLogin, arguments: [login], default: false) else {
            throw AccountError.loginTaken(login)
        }
        let byID = "SELECT 1 FROM main.users NOT INDEXED WHERE id = ? AND \(isOurs)"
        guard try !Bool.fetchOne(database, sql: byID, arguments: [id], default: false) else {
            throw AccountError.userIDTaken(id)
        }
    }

    /// Terminals and pages show logins: nothing in one moves a cursor, hides or turns what stands beside it.
    private static func isOfLogin(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate,
            .privateUse, .unassigned:
            false
        default: true
        }
    }

    /// The alphabet of subjects and actors, which is safe in file names too.
    private static func isUsable(userID: String) -> Bool {
        (1...128).contains(userID.utf8.count)
            && userID.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "._~-".contains($0))
            }
            && !userID.allSatisfy { $0 == "." }
    }
}

extension UserAccount {
    init(row: Row) {
        // A role that this version does not know allows nothing: it counts as disabled.
        let role = Role(rawValue: row["role"])
        id = row["id"]
        login = row["login"]
        org = row["org"]
        self.role = role ?? .caller
        isTemporary = row["temporary"]
        isDisabled = row["disabled"] || role == nil
        created = Date(milliseconds: row["created"])
        hasPassword = (row["password"] as String) != ""
        passwordAt = (row["password_at"] as Int64?).map(UInt64.init(clamping:))
    }
}

extension Bool {
    fileprivate static func fetchOne(
        _ database: Database,
        sql: String,
        arguments: StatementArguments,
        default absent: Bool
    ) throws -> Bool {
        try Bool.fetchOne(database, sql: sql, arguments: arguments) ?? absent
    }
}
