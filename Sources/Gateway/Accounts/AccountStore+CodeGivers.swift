// SPDX-License-Identifier: Apache-2.0
import Events
import GRDB

extension AccountStore {
    /// Notes who gave the newest code for a number out: the registration will say so (ruling 24).
    ///
    /// - Parameters:
    ///   - giver: The actor, such as `operator/123456789`.
    ///   - phoneNumber: In E.164.
    /// - Throws: When the accounts cannot be written.
    func note(giver: String, ofCodeFor phoneNumber: String) async throws {
        try await durably { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO device_code_givers VALUES (?, ?)",
                arguments: [phoneNumber, giver]
            )
        }
    }

    /// Who gave out the newest code for a number; forgotten with the answer.
    func giver(ofCodeFor phoneNumber: String) async throws -> UserID? {
        let giver = try await durably { database in
            try String.fetchOne(
                database,
                sql: "DELETE FROM device_code_givers WHERE phone = ? RETURNING giver",
                arguments: [phoneNumber]
            )
        }
        return giver?.split(separator: "/").last.flatMap { UserID(String($0)) }
    }
}
