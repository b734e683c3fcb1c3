// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Projections

/// A registered phone.
struct DeviceAccount: Sendable, Hashable {
    let id: String
    /// The owner, as the ledger's sealed data knows them.
    let person: String
    let phoneNumber: String
    let org: String
    let role: Role
}

/// What the accounts say that a code was given for.
struct DeviceCode: Sendable {
    let device: DeviceAccount
    /// An earlier session that the device may see.
    let session: String?
    let giver: String?
    /// The same request registered the phone a moment ago.
    var isUsed = false
}

/// A phone that was registered by a code.
struct Registration: Sendable {
    let device: DeviceAccount
    /// Cannot be read again.
    let token: IssuedToken
    let giver: UserID?
    /// The same request registered it before: the token stands beside one that may not have arrived.
    let isAgain: Bool
}

extension AccountStore {
    /// Makes a code by which the owner of a phone number registers a device, once.
    ///
    /// Six characters that can be spoken: no I, L, O, U. A new code ends the older ones of the
    /// same number in the same organisation.
    ///
    /// - Parameters:
    ///   - phoneNumber: In E.164.
    ///   - person: The id of the owner.
    ///   - org: The organisation that the device will belong to.
    ///   - role: What the device may do.
    ///   - device: What events will call the device.
    ///   - session: An earlier session that the device may see.
    ///   - giver: The user who gives it: the registration will say so (ruling 24).
    /// - Returns: The code, which cannot be read again.
    /// - Throws: When the accounts cannot be written, or too many passwords are being checked.
    func makeDeviceCode(
        phoneNumber: String,
        person: String,
        org: String,
        role: Role = .caller,
        device: String = UUID().uuidString.lowercased(),
        session: String? = nil,
        giver: String? = nil
    ) async throws -> String {
        let code = Self.freshCode()
        let hash = try await hash(code, salt: saltOfCodes(for: phoneNumber))
        let time = now()
        let expires = time + limits.deviceCodeLife
        try await durably { database in
            try AccountRows(.codes, "phone", in: [phoneNumber])
                .delete(where: "org = :org", ["org": org], in: database)
            let row = NewAccountRow(
                .codes,
                [
                    "id": device, "phone": phoneNumber, "person": person, "org": org,
                    "role": role.rawValue, "hash": hash.text, "expires": expires.milliseconds,
                    "session": session, "giver": giver,
                ]
            )
            try row.insert(in: database)
        }
        codes.forget(number: phoneNumber)
        return code
    }

    /// Registers a device by a code, and issues its token.
    ///
    /// - Parameters:
    ///   - phoneNumber: The one that the code was made for.
    ///   - code: As it was heard; case, spaces and dashes do not count.
    ///   - request: What is the same when the request is repeated, for its answer may get lost; `nil` for one that cannot be.
    ///   - address: Where the request comes from.
    ///   - instant: When, for the throttle.
    ///   - isGiven: Whether the ledger says so of the code, too; asked in the transaction that uses it up.
    /// - Returns: The device and its token.
    /// - Throws: ``AccountError/deviceCodeRefused`` for a code that is wrong, used, expired or
    ///   was tried too often; ``AccountError/codesThrottled(wait:)`` for an address that tries too often.
    func registerDevice(
        phoneNumber: String,
        code: String,
        request: String? = nil,
        address: String = "local",
        at instant: ContinuousClock.Instant = .now,
        isGiven: @escaping @Sendable (DeviceCode) throws -> Bool
    ) async throws -> Registration {
        let time = now()
        let holder = NetworkAddress.holder(of: address)
        do {
            try codes.begin(number: phoneNumber, holder: holder, at: instant)
        } catch {
            counts.count(.codeThrottled)
            throw error
        }
        let candidates = try await claimTry(phoneNumber: phoneNumber, request, at: time)
        guard let open = try await rightOne(of: candidates, for: phoneNumber, code) else {
            counts.count(.codeRefused)
            throw AccountError.deviceCodeRefused
        }
        let device = DeviceAccount(
            id: open.id,
            person: open.person,
            phoneNumber: phoneNumber,
            org: open.org,
            role: open.role
        )
        let (token, isAgain): (IssuedToken, Bool)
        do {
            (token, isAgain) = try await durably { database in
                try self.register(device, open, request, at: time, in: database, isGiven)
            }
        } catch AccountError.deviceCodeRefused {
            counts.count(.codeRefused)
            throw AccountError.deviceCodeRefused
        }
        codes.succeeded(number: phoneNumber, holder: holder)
        if !isAgain { counts.count(.registered) }
        return Registration(
            device: device,
            token: token,
            giver: open.giver.flatMap { UserID($0) },
            isAgain: isAgain
        )
    }

    /// Uses a code up, or gives the phone again that the same request registered before: also one that was under way at once.
    private func register(
        _ device: DeviceAccount,
        _ open: OpenCode,
        _ request: String?,
        at time: Date,
        in database: Database,
        _ isGiven: (DeviceCode) throws -> Bool
    ) throws -> (token: IssuedToken, isAgain: Bool) {
        let first = firstToken(by: open.id, request: request)
        let isAgain = try !Self.use(codeID: open.id, at: time, in: database)
        let claim = DeviceCode(
            device: device,
            session: open.session,
            giver: open.giver,
            isUsed: isAgain
        )
        guard [.caller, .reporter].contains(device.role),
            try !isAgain || Self.phone(of: first, in: database) == device, try isGiven(claim)
        else { throw AccountError.deviceCodeRefused }
        let new = NewToken(device: open.id, life: limits.deviceTokenLife)
        if isAgain {
            return (try Self.add(new, to: device.id, at: time, in: database), true)
        }
        try device.insert(into: database, at: time)
        if let session = open.session {
            try Self.admit(device: open.id, to: session, through: nil, in: database)
        }
        return (try new.insert(into: database, at: time, called: first), false)
    }

    /// The devices that were ever registered for a number in an organisation, newest first.
    func devices(
        phoneNumber: String,
        org: String
    ) async throws -> [(device: DeviceAccount, registered: Date, revoked: Date?)] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM \(AccountRows.Table.devices.unhidden(where: "phone = ? AND org = ?"))
                    ORDER BY created DESC, id
                    """,
                arguments: [phoneNumber, org]
            ).map { row in
                (
                    DeviceAccount(row: row), Date(milliseconds: row["created"]),
                    (row["revoked"] as Int64?).map(Date.init(milliseconds:))
                )
            }
        }
    }

    /// A device, also one that was revoked, or that has a code only; `nil` for an id that none has.
    func device(id: String) async throws -> DeviceAccount? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT id, person, phone, org, role
                    FROM \(AccountRows.Table.devices.unhidden(where: "id = ?1"))
                    UNION ALL SELECT id, person, phone, org, role
                    FROM \(AccountRows.Table.codes.unhidden(where: "id = ?1"))
                    """,
                arguments: [id]
            ).map(DeviceAccount.init(row:))
        }
    }

    /// Ends a device, its tokens and its pushes, and the code of one that is not registered yet.
    ///
    /// What it agreed to, and those agreed to in turn, nobody has agreed to any more.
    func revokeDevice(id: String) async throws {
        let time = now().milliseconds
        try await durably { try Self.revoke(devices: [id], at: time, in: $0) }
    }

    static func revoke(devices ids: Set<String>, at time: Int64, in database: Database) throws {
        let admitted = try admitted(through: ids, in: database)
        try AccountRows(.sessions, "through", in: ids.union(admitted)).delete(in: database)
        try AccountRows(.devices, "id", in: admitted)
            .update(set: "since = created, admitted_by = NULL", in: database)
        try AccountRows(.devices, "id", in: ids)
            .update(set: "revoked = :time", ["time": time], where: "revoked IS NULL", in: database)
        try AccountRows(.pushes, "device", in: ids).delete(in: database)
        try AccountRows(.codes, "id", in: ids).delete(in: database)
    }

    /// Forgets a person: their devices, tokens, codes, phone numbers, pushes and requests are deleted.
    func erase(person: String) async throws {
        try await durably { database in
            let phones = AccountRows(.devices, "person", in: [person])
            let ids = try phones.texts(of: "id", in: database)
            try AccountRows(.tokens, "device", in: ids).delete(in: database)
            try AccountRows(.pushes, "device", in: ids).delete(in: database)
            for table in [AccountRows.Table.codes, .links] {
                try AccountRows(table, "person", in: [person]).delete(in: database)
            }
            try phones.delete(in: database)
            try Self.forgetRequests(of: Set(ids.map { "device/\($0)" }), in: database)
        }
        try await forgetLog()
    }

    /// Takes what was deleted out of the write-ahead log, too; what is deleted in the file is overwritten there.
    func forgetLog() async throws {
        try await pool.writeWithoutTransaction { database in
            _ = try Int.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    private struct OpenCode: Sendable {
        let id: String
        let person: String
        let org: String
        let role: Role
        /// An earlier session that the device may see.
        let session: String?
        let giver: String?
        let hash: PasswordHash
    }

    /// The salt of all codes for a number: what was heard is derived once and held against each of them.
    private func saltOfCodes(for phoneNumber: String) -> Data {
        Data(fingerprintKey.code(of: Array("codes for \(phoneNumber)".utf8)).prefix(16))
    }

    /// The one that a code is for; takes as long for none, and for several, so that the time does not tell who is being helped,
    /// nor by how many.
    private func rightOne(
        of open: [OpenCode],
        for phoneNumber: String,
        _ code: String
    ) async throws -> OpenCode? {
        let spoken = String(Self.normal(code).prefix(64))
        let (cost, salt) = (limits.passwordCost, saltOfCodes(for: phoneNumber))
        return try await checks.run(isKnown: false) {
            let heard = try PasswordHash(of: spoken, cost: cost, salt: salt)
            if let right = open.first(where: { $0.hash.isSame(as: heard) }) { return right }
            // Given before another program or another cost was in use, so for a quarter of an hour at most.
            return try open.first { code in
                guard code.hash.salt != salt || code.hash.cost != cost else { return false }
                return try code.hash.matches(spoken)
            }
        }
    }

    /// Counts a try before the code is checked, so that parallel guesses gain nothing.
    ///
    /// - Returns: The open codes of a number, one for each organisation that helps its owner; most often none or one. For a
    ///   request that can be repeated also those that were used a moment ago.
    private func claimTry(
        phoneNumber: String,
        _ request: String?,
        at time: Date
    ) async throws -> [OpenCode] {
        let tries = limits.deviceCodeTries
        let oldest = oldestUse(repeatable: request, at: time)
        // A try may be forgotten with the machine's power: a sync would tell that there is a code.
        return try await quickly { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    UPDATE main.device_codes NOT INDEXED SET tries = tries + 1
                    WHERE phone = ? AND (used IS NULL AND expires > ? OR used > ?) AND tries < ?
                        AND code IS \(SealedRows.code(of: "device_codes"))
                    RETURNING *
                    """,
                arguments: [phoneNumber, time.milliseconds, oldest, tries]
            )
            return rows.compactMap { row in
                guard let hash = PasswordHash(row["hash"]), let role = Role(rawValue: row["role"])
                else { return nil }
                return OpenCode(
                    id: row["id"],
                    person: row["person"],
                    org: row["org"],
                    role: role,
                    session: row["session"],
                    giver: row["giver"],
                    hash: hash
                )
            }
        }
    }

    /// Uses a code up; tells whether it was not used before.
    private static func use(
        codeID: String,
        at time: Date,
        in database: Database
    ) throws -> Bool {
        let count = try AccountRows(.codes, id: codeID).update(
            set: "used = :time",
            ["time": time.milliseconds],
            where: "used IS NULL",
            in: database
        )
        return count == 1
    }

    private static let codeAlphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// Characters that can be spoken; 32 of them, so each of a byte's values falls on one alike.
    static func freshCode(_ characters: Int = 6) -> String {
        String(SecretBytes.random(characters).map { codeAlphabet[Int($0) % codeAlphabet.count] })
    }

    /// What was heard: case, spaces and dashes do not count, I and L are 1, O is 0; what is longer than anybody says is nothing.
    static func normal(_ code: String) -> String {
        guard code.utf8.count <= AccountLimits.spokenCodeBytes else { return "" }
        return String(
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
    init(row: Row) {
        id = row["id"]
        person = row["person"]
        phoneNumber = row["phone"]
        org = row["org"]
        role = Role(rawValue: row["role"]) ?? .caller
    }

    func insert(into database: Database, at time: Date) throws {
        let row = NewAccountRow(
            .devices,
            [
                "id": id, "person": person, "phone": phoneNumber, "org": org,
                "role": role.rawValue, "created": time.milliseconds, "since": time.milliseconds,
            ]
        )
        try row.insert(in: database)
    }
}

extension AccountStore {
    /// The callers' phones that were registered first and are not revoked, in that order.
    func firstCallers(_ limit: Int) async throws -> [DeviceAccount] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT id, person, phone, org, role
                    FROM \(AccountRows.Table.devices.unhidden(where: "revoked IS NULL AND role = 'caller'"))
                    ORDER BY created, id LIMIT ?
                    """,
                arguments: [limit]
            ).map(DeviceAccount.init(row:))
        }
    }
}
