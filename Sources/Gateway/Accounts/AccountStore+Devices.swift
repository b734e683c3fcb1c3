// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB

/// A registered phone.
struct DeviceAccount: Sendable, Hashable {
    let id: String
    /// The owner, as the ledger's sealed data knows them.
    let person: String
    let phoneNumber: String
    let org: String
    let role: Role
}

extension AccountStore {
    /// Makes a code by which the owner of a phone number registers a device, once.
    ///
    /// Six characters that can be spoken: no I, L, O, U. A new code ends the older ones of the
    /// same number.
    ///
    /// - Parameters:
    ///   - phoneNumber: In E.164.
    ///   - person: The id of the owner.
    ///   - org: The organisation that the device will belong to.
    ///   - role: What the device may do.
    /// - Returns: The code, which cannot be read again.
    /// - Throws: When the accounts cannot be written, or too many passwords are being checked.
    func makeDeviceCode(
        phoneNumber: String,
        person: String,
        org: String,
        role: Role = .caller
    ) async throws -> String {
        let code = Self.freshCode()
        let hash = try await hash(code)
        let time = now()
        let expires = time + limits.deviceCodeLife
        try await durably { database in
            try database.execute(
                sql: "DELETE FROM device_codes WHERE phone = ?",
                arguments: [phoneNumber]
            )
            try database.execute(
                sql: "INSERT INTO device_codes VALUES (?, ?, ?, ?, ?, ?, ?, 0, NULL)",
                arguments: [
                    UUID().uuidString.lowercased(), phoneNumber, person, org, role.rawValue,
                    hash.text, expires.milliseconds,
                ]
            )
        }
        return code
    }

    /// Registers a device by a code, and issues its token.
    ///
    /// - Parameters:
    ///   - phoneNumber: The one that the code was made for.
    ///   - code: As it was heard; case, spaces and dashes do not count.
    ///   - deviceID: What events will call the device.
    /// - Returns: The device and its token, which cannot be read again.
    /// - Throws: ``AccountError/deviceCodeRefused`` for a code that is wrong, used, expired or
    ///   was tried too often.
    func registerDevice(
        phoneNumber: String,
        code: String,
        deviceID: String
    ) async throws -> (device: DeviceAccount, token: IssuedToken) {
        let time = now()
        let open = try await claimTry(phoneNumber: phoneNumber, at: time)
        let spoken = Self.normal(code)
        let isRight = try await checks.run { try open.hash.matches(spoken) }
        guard isRight else { throw AccountError.deviceCodeRefused }
        let device = DeviceAccount(
            id: deviceID,
            person: open.person,
            phoneNumber: phoneNumber,
            org: open.org,
            role: open.role
        )
        let new = NewToken(device: deviceID, life: limits.deviceTokenLife)
        let token = try await durably { database in
            try Self.use(codeID: open.id, at: time, in: database)
            try device.insert(into: database, at: time)
            return try new.insert(into: database, at: time)
        }
        return (device, token)
    }

    /// Ends a device, its tokens and its pushes.
    func revokeDevice(id: String) async throws {
        let time = now().milliseconds
        try await durably { database in
            try database.execute(
                sql: "UPDATE devices SET revoked = ? WHERE id = ? AND revoked IS NULL",
                arguments: [time, id]
            )
            try database.execute(
                sql: "DELETE FROM push_subscriptions WHERE device = ?",
                arguments: [id]
            )
        }
    }

    /// Forgets a person: their devices, tokens, codes, phone numbers and pushes are deleted.
    func erase(person: String) async throws {
        try await durably { database in
            let owned = "(SELECT id FROM devices WHERE person = ?)"
            for sql in [
                "DELETE FROM tokens WHERE device IN \(owned)",
                "DELETE FROM push_subscriptions WHERE device IN \(owned)",
                """
                DELETE FROM device_code_givers WHERE phone IN
                (SELECT phone FROM device_codes WHERE person = ?)
                """,
                "DELETE FROM device_codes WHERE person = ?", "DELETE FROM links WHERE person = ?",
                "DELETE FROM devices WHERE person = ?",
            ] { try database.execute(sql: sql, arguments: [person]) }
        }
    }

    private struct OpenCode: Sendable {
        let id: String
        let person: String
        let org: String
        let role: Role
        let hash: PasswordHash
    }

    /// Counts a try before the code is checked, so that parallel guesses gain nothing.
    private func claimTry(phoneNumber: String, at time: Date) async throws -> OpenCode {
        let tries = limits.deviceCodeTries
        let open = try await durably { database -> OpenCode? in
            let row = try Row.fetchOne(
                database,
                sql: """
                    UPDATE device_codes SET tries = tries + 1
                    WHERE phone = ? AND used IS NULL AND expires > ? AND tries < ? RETURNING *
                    """,
                arguments: [phoneNumber, time.milliseconds, tries]
            )
            guard let row, let hash = PasswordHash(row["hash"]),
                let role = Role(rawValue: row["role"])
            else { return nil }
            return OpenCode(
                id: row["id"],
                person: row["person"],
                org: row["org"],
                role: role,
                hash: hash
            )
        }
        guard let open else { throw AccountError.deviceCodeRefused }
        return open
    }

    private static func use(codeID: String, at time: Date, in database: Database) throws {
        try database.execute(
            sql: "UPDATE device_codes SET used = ? WHERE id = ? AND used IS NULL",
            arguments: [time.milliseconds, codeID]
        )
        guard database.changesCount == 1 else { throw AccountError.deviceCodeRefused }
    }

    private static let codeAlphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// Characters that can be spoken; 32 of them, so each of a byte's values falls on one alike.
    static func freshCode(_ characters: Int = 6) -> String {
        String(SecretBytes.random(characters).map { codeAlphabet[Int($0) % codeAlphabet.count] })
    }

    /// What was heard: case, spaces and dashes do not count, I and L are 1, O is 0.
    static func normal(_ code: String) -> String {
        String(
            code.uppercased().compactMap { character -> Character? in
                switch character {
                case " ", "-": nil
                case "I", "L": "1"
                case "O": "0"
                default: character
                }
            }
        )
    }
}

extension DeviceAccount {
    func insert(into database: Database, at time: Date) throws {
        try database.execute(
            sql: "INSERT INTO devices VALUES (?, ?, ?, ?, ?, ?, NULL)",
            arguments: [id, person, phoneNumber, org, role.rawValue, time.milliseconds]
        )
    }
}
