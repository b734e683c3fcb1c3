// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Projections

/// A code, or a link, is good once, and the answer to it may not arrive: the same request under the same key, within
/// ``AccountLimits/registrationMemory``, gets the same phone again (decision 0063).
///
/// Which key registered a phone, the name of its first token says: it is made of the key, and its row carries a code. So nothing
/// more is kept, it outlives a restart, and nobody makes it without the key of the gateway's.
extension AccountStore {
    /// What the first token is called that a request gets by a code or a link.
    ///
    /// - Parameters:
    ///   - id: Of the code or link.
    ///   - request: What is the same when the request is repeated; `nil` for one that cannot be: the name is nobody's then.
    /// - Returns: `nil` for a name that nobody can make again.
    func firstToken(by id: String, request: String?) -> String? {
        request.map {
            let code = fingerprintKey.code(of: Array("first token \(id) \($0)".utf8))
            return Base64URL.text(Array(code.prefix(16)))
        }
    }

    /// Until when a code or link must have been used to be asked about again; a moment that never comes for who cannot repeat.
    func oldestUse(repeatable request: String?, at time: Date) -> Int64 {
        request == nil ? .max : (time - limits.registrationMemory).milliseconds
    }

    /// The phone whose first token is called so, if it is still good.
    static func phone(of first: String?, in database: Database) throws -> DeviceAccount? {
        guard let first else { return nil }
        // Rows that somebody planted under their names, and an index that was edited, lead to nothing.
        let device = try String.fetchOne(
            database,
            sql: """
                SELECT device FROM main.tokens NOT INDEXED
                WHERE id = ? AND device IS NOT NULL AND code IS \(SealedRows.code(of: "tokens"))
                """,
            arguments: [first]
        )
        return try Row.fetchOne(
            database,
            sql: """
                SELECT * FROM main.devices NOT INDEXED
                WHERE id = ? AND revoked IS NULL AND code IS \(SealedRows.code(of: "devices"))
                """,
            arguments: [device]
        ).map(DeviceAccount.init(row:))
    }

    /// Gives a phone another token beside the one that may not have arrived: nobody knows which of them it has, until one is used.
    ///
    /// The request itself may be the late one, so nothing is taken from the phone by it. All of them are in doubt from here on, and
    /// the next use of one ends the others (``settle(_:ofPhone:)``). At most ``tokensInDoubtMax`` are good at once: the one that
    /// was used, and the newest.
    static func add(
        _ new: NewToken,
        to device: String,
        at time: Date,
        in database: Database
    ) throws -> IssuedToken {
        let good = try String.fetchAll(
            database,
            sql: """
                SELECT id FROM \(AccountRows.Table.tokens.unhidden(where: "device = ? AND revoked IS NULL"))
                ORDER BY used <> 0 DESC, created DESC, id
                """,
            arguments: [device]
        )
        let kept = good.prefix(tokensInDoubtMax - 1)
        let rest = AccountRows(.tokens, "id", in: Set(good.dropFirst(kept.count)))
        try end(tokens: rest, at: time.milliseconds, in: database)
        // The sign says that it is in doubt; when it was used it goes on to say.
        try AccountRows(.tokens, "id", in: Set(kept)).update(set: "used = -abs(used)", in: database)
        var doubtful = new
        doubtful.isInDoubt = true
        return try doubtful.insert(into: database, at: time)
    }

    /// How many tokens of a phone are good at once while nobody knows which of them it has.
    private static let tokensInDoubtMax = 3

    /// Notes that a token in doubt is in use: it is the phone's, and the others end.
    ///
    /// Where the disk keeps that from being written all stay in doubt, for the next use: nobody is turned away for it.
    ///
    /// - Parameters:
    ///   - token: The one that is in use.
    ///   - phone: Whose it is.
    /// - Throws: ``AccountError/tokenRevoked`` where another of them was used a moment before.
    func settle(_ token: String, ofPhone phone: String) async throws {
        let time = now().milliseconds
        do {
            try await durably { database in
                let count = try AccountRows(.tokens, id: token).update(
                    set: "used = :time",
                    ["time": time],
                    where: "revoked IS NULL",
                    in: database
                )
                guard count == 1 else { throw AccountError.tokenRevoked }
                let all = AccountRows(.tokens, "device", in: [phone])
                try Self.end(tokens: all, but: token, at: time, in: database)
            }
        } catch let error as DatabaseError where error.isOfDisk {
            // It is shown as what keeps the accounts from being written.
        }
    }

    /// Takes a registration back that the ledger did not take: code or link are good again, for whoever asks once more.
    ///
    /// - Parameters:
    ///   - device: The phone, of which nothing stays.
    ///   - link: By which it came; `nil` for a code, which is called like the phone.
    /// - Throws: When the accounts cannot be written.
    func undoRegistration(of device: String, by link: String?) async throws {
        try await durably { database in
            for table in [AccountRows.Table.tokens, .sessions, .pushes] {
                try AccountRows(table, "device", in: [device]).delete(in: database)
            }
            try AccountRows(.devices, id: device).delete(in: database)
            let door = link.map { AccountRows(.links, id: $0) } ?? AccountRows(.codes, id: device)
            try door.update(set: "used = NULL", in: database)
        }
    }
}
