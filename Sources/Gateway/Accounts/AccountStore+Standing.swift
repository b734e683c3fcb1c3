// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB

extension AccountStore {
    /// Changes what a user may do; signs the user out.
    ///
    /// - Throws: ``AccountError/lastAdmin`` when nobody would be left who can manage everything.
    func setRole(_ role: Role, ofUser id: String) async throws {
        try await update(user: id, set: "role = ?", to: role.rawValue, keepsAdmin: role == .admin)
    }

    /// Forbids or allows a user to sign in; forbidding signs the user out.
    ///
    /// - Throws: ``AccountError/lastAdmin`` when nobody would be left who can manage everything.
    func setDisabled(_ isDisabled: Bool, user id: String) async throws {
        try await update(user: id, set: "disabled = ?", to: isDisabled, keepsAdmin: !isDisabled)
    }

    private func update(
        user id: String,
        set assignment: String,
        to value: any DatabaseValueConvertible & Sendable,
        keepsAdmin: Bool
    ) async throws {
        let time = now().milliseconds
        try await durably { database in
            if !keepsAdmin { try Self.refuseLastAdmin(id, in: database) }
            try database.execute(
                sql: "UPDATE users SET \(assignment) WHERE id = ?",
                arguments: [value, id]
            )
            guard database.changesCount == 1 else { throw AccountError.accountUnknown(id) }
            try database.execute(
                sql: "UPDATE tokens SET revoked = ? WHERE user = ? AND revoked IS NULL",
                arguments: [time, id]
            )
        }
    }

    /// Nobody ends the last admin: then nobody could make another.
    private static func refuseLastAdmin(_ id: String, in database: Database) throws {
        let active = try String.fetchAll(
            database,
            sql: "SELECT id FROM users WHERE role = ? AND disabled = 0",
            arguments: [Role.admin.rawValue]
        )
        guard active != [id] else { throw AccountError.lastAdmin }
    }
}
