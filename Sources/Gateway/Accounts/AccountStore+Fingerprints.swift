// SPDX-License-Identifier: Apache-2.0
import Crypto
import Events
import Foundation
import GRDB

/// What a request asked, in 32 bytes, for telling a repetition from another request.
struct RequestFingerprint: Sendable, Hashable {
    let digest: Data

    /// - Parameters:
    ///   - method: Of the request.
    ///   - path: With its query.
    ///   - body: As it came.
    init(method: String, path: String, body: some DataProtocol) {
        var hash = SHA256()
        for part in [method, path] {
            hash.update(data: Data(part.utf8))
            // No method or path has this byte, so that no two requests run together.
            hash.update(data: [0])
        }
        hash.update(data: body)
        digest = Data(hash.finalize())
    }
}

extension AccountStore {
    /// Holds an idempotency key to the request that it first came with, for 48 hours, and for so many newer keys of the
    /// actor.
    ///
    /// Returns for a new key and for a repetition; the ledger tells those two apart. What is kept of the request is under a
    /// key that the file does not hold, so that nobody who reads the file can try out what was asked.
    ///
    /// - Throws: ``AccountError/idempotencyKeyReused(_:)`` when the key came with another
    ///   request of this actor, ``AccountError/idempotencyKeyInvalid`` for a key that is none.
    func claim(key: String, of actor: String, for request: RequestFingerprint) async throws {
        try Self.check(key: key)
        let time = now()
        let oldest = (time - limits.fingerprintLife).milliseconds
        let newer = limits.fingerprintsOfActor - 1
        let digest = Data(fingerprintKey.code(of: Array(request.digest)))
        let first = try await quickly { database in
            // Some old ones go with each new one, so that no sweep ever takes long; and one that nobody of us wrote.
            try database.cachedStatement(
                sql: """
                    DELETE FROM fingerprints WHERE (actor, key) IN
                    (SELECT actor, key FROM fingerprints WHERE created < ? ORDER BY created LIMIT 8)
                    OR (actor = ? AND key = ? AND (created < ? OR typeof(digest) <> 'blob'))
                    """
            ).execute(arguments: [oldest, actor, key, oldest])
            try database.cachedStatement(
                sql: "INSERT OR IGNORE INTO fingerprints VALUES (?, ?, ?, ?)"
            ).execute(arguments: [actor, key, digest, time.milliseconds])
            // Whoever asks with ever new keys pushes out their own.
            try database.cachedStatement(
                sql: """
                    DELETE FROM fingerprints WHERE actor = ?1 AND created < (
                        SELECT created FROM fingerprints WHERE actor = ?1
                        ORDER BY created DESC LIMIT 1 OFFSET ?2
                    )
                    """
            ).execute(arguments: [actor, newer])
            return try Data.fetchOne(
                try database.cachedStatement(
                    sql: "SELECT digest FROM fingerprints WHERE actor = ? AND key = ?"
                ),
                arguments: [actor, key]
            )
        }
        guard first == digest else { throw AccountError.idempotencyKeyReused(key) }
    }

    /// Forgets what some asked; their keys may come with other requests.
    static func forgetRequests(of actors: Set<String>, in database: Database) throws {
        for actor in actors {
            try database.execute(
                sql: "DELETE FROM fingerprints WHERE +actor = ?",
                arguments: [actor]
            )
        }
    }

    /// Refuses what is no `Idempotency-Key`.
    static func check(key: String) throws(AccountError) {
        guard (1...128).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw .idempotencyKeyInvalid
        }
    }
}
