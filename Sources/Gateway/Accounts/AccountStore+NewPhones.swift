// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB

/// A phone, or a code for one, of a number that has an older phone already.
struct NewPhone: Sendable, Hashable {
    let id: String
    /// When it was registered; for a code when that was given.
    let since: Date
    /// Whether it is registered; otherwise there is a code by which it may be.
    let isRegistered: Bool
    /// Who gave the code, where that is still known.
    let giver: UserID?
}

extension AccountStore {
    /// How many new phones are told of at once.
    static let newPhonesMax = 20

    /// The phones of the same person that are younger than one, and that nobody has judged: neither ended nor admitted.
    ///
    /// - Parameter own: The older phone.
    /// - Returns: The oldest first, at most ``newPhonesMax``; empty for a phone that is not known.
    /// - Throws: When the accounts cannot be read.
    func newPhones(besides own: String) async throws -> [NewPhone] {
        let life = Int64(limits.deviceCodeLife / .milliseconds(1))
        let time = now().milliseconds
        return try await pool.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT new.id AS id, new.created AS since, 1 AS registered, code.giver AS giver
                    FROM devices AS own JOIN devices AS new
                        ON new.person = own.person AND new.org = own.org AND new.id <> own.id
                    LEFT JOIN device_codes AS code ON code.id = new.id
                    WHERE own.id = ?1 AND new.revoked IS NULL AND new.since >= new.created
                        AND (own.created, own.id) < (new.created, new.id)
                    UNION ALL SELECT code.id, code.expires - ?2, 0, code.giver
                    FROM devices AS own JOIN device_codes AS code
                        ON code.person = own.person AND code.org = own.org
                    WHERE own.id = ?1 AND code.used IS NULL AND code.expires > ?3
                    ORDER BY since, id LIMIT ?4
                    """,
                arguments: [own, life, time, Self.newPhonesMax]
            ).map { row in
                NewPhone(
                    id: row["id"],
                    since: Date(milliseconds: row["since"]),
                    isRegistered: row["registered"],
                    giver: (row["giver"] as String?).flatMap { UserID($0) }
                )
            }
        }
    }
}
