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
    /// Whether an older phone agreed to one; of those that were registered before phones had a past, nobody is asked.
    ///
    /// - Parameter device: The alias of its row.
    /// - Returns: The condition.
    static func isAdmitted(_ device: String) -> String {
        "(\(device).admitted_by IS NOT NULL OR \(device).since < \(device).created)"
    }

    /// Whether a phone's word counts for others: an older one agreed to it, or no older one is left who could; what came by a
    /// link is no phone of the person's.
    ///
    /// - Parameters:
    ///   - device: The alias of its row, which is not the table's name.
    ///   - search: How the others are looked for: in the table where somebody is let in by it; for each request, where only
    ///     shares hang on it, by index.
    /// - Returns: The condition.
    static func isJudged(_ device: String, _ search: AccountRows.Search) -> String {
        let elders =
            switch search {
            case .inTable: AccountRows.Table.devices.unhidden(where: "person = \(device).person")
            case .byIndex: "devices"
            }
        let guests =
            switch search {
            case .inTable:
                AccountRows.Table.tokens.unhidden(where: "device = elder.id AND scopes <> ''")
            case .byIndex: "tokens"
            }
        return """
            (\(isAdmitted(device)) OR NOT EXISTS (SELECT 1 FROM \(elders) AS elder
                WHERE elder.person = \(device).person AND elder.org = \(device).org
                    AND elder.revoked IS NULL
                    AND (elder.created, elder.id) < (\(device).created, \(device).id)
                    AND NOT EXISTS (SELECT 1 FROM \(guests) AS guest
                        WHERE guest.device = elder.id AND guest.scopes <> '')))
            """
    }

    /// The rows of all phones of the person whose phone has an id.
    private static func phonesOfOwner(
        of id: String,
        in table: AccountRows.Table = .devices
    ) -> String {
        table.unhidden(
            where: "person IN (SELECT person FROM main.devices NOT INDEXED WHERE id = \(id))"
        )
    }

    /// How many new phones are told of at once.
    static let newPhonesMax = 20

    /// What ``newPhones(besides:)`` asks: one text for all requests, which is prepared once.
    private static let searchForNewPhones = """
        SELECT new.id AS id, new.created AS since, 1 AS registered, code.giver AS giver
        FROM \(phonesOfOwner(of: "?1")) AS own
        JOIN \(phonesOfOwner(of: "?1")) AS new
            ON new.person = own.person AND new.org = own.org AND new.id <> own.id
        LEFT JOIN device_codes AS code ON code.id = new.id
        WHERE own.id = ?1 AND new.revoked IS NULL AND NOT \(isAdmitted("new"))
            AND (own.created, own.id) < (new.created, new.id)
        UNION ALL SELECT code.id, code.expires - ?2, 0, code.giver
        FROM \(phonesOfOwner(of: "?1")) AS own
        JOIN \(phonesOfOwner(of: "?1", in: .codes)) AS code
            ON code.person = own.person AND code.org = own.org
        WHERE own.id = ?1 AND code.used IS NULL AND code.expires > ?3
        ORDER BY since, id LIMIT ?4
        """

    /// The phones of the same person that are younger than one, and that nobody has judged: neither ended nor admitted.
    ///
    /// - Parameter own: The older phone.
    /// - Returns: The oldest first, at most ``newPhonesMax``; empty for a phone that is not known.
    /// - Throws: When the accounts cannot be read.
    func newPhones(besides own: String) async throws -> [NewPhone] {
        let life = Int64(limits.deviceCodeLife / .milliseconds(1))
        let time = now().milliseconds
        return try await read { database in
            let statement = try database.cachedStatement(sql: Self.searchForNewPhones)
            return try Row.fetchAll(
                statement,
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

    /// The devices that are admitted to a session from before them, one by one.
    func devices(admittedTo session: String) async throws -> [String] {
        try await read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT device FROM \(AccountRows.Table.sessions.unhidden(where: "+session = ?"))
                    ORDER BY device
                    """
            )
            return try String.fetchAll(statement, arguments: [session])
        }
    }

    /// How many phones of one person are looked at, the newest first.
    static let phonesMax = 100

    /// The phones of a person that are still good; what came by a link is none.
    func phones(of person: String, org: String) async throws -> [String] {
        let good = AccountRows.Table.devices.unhidden(
            where: "person = ?1 AND org = ?2 AND revoked IS NULL"
        )
        let guests = AccountRows.Table.tokens.unhidden(
            where: "device = phone.id AND scopes <> ''"
        )
        return try await read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT phone.id FROM \(good) AS phone
                    WHERE NOT EXISTS (SELECT 1 FROM \(guests) AS guest)
                    ORDER BY phone.created DESC, phone.id LIMIT ?3
                    """
            )
            return try String.fetchAll(statement, arguments: [person, org, Self.phonesMax])
        }
    }

    /// The phones that are admitted by some, or by one of these.
    static func admitted(
        through ids: Set<String>,
        in database: Database
    ) throws -> Set<String> {
        let sql = """
            SELECT admitted_by AS elder, id
            FROM \(AccountRows.Table.devices.unhidden(where: "admitted_by IS NOT NULL"))
            """
        let admissions = Dictionary(grouping: try Row.fetchAll(database, sql: sql)) { row in
            row["elder"] as String
        }
        var (found, next) = (Set<String>(), Array(ids))
        while let elder = next.popLast() {
            for row in admissions[elder] ?? [] where found.insert(row["id"]).inserted {
                next.append(row["id"])
            }
        }
        return found
    }

    /// Lets a device see one session that began before it was registered.
    ///
    /// - Parameters:
    ///   - device: The newer one.
    ///   - session: Which session.
    ///   - older: The phone that agrees; `nil` if it is the session's owner.
    /// - Throws: When the accounts cannot be written.
    func admit(device: String, to session: String, through older: String?) async throws {
        try await durably { database in
            try Self.admit(device: device, to: session, through: older, in: database)
        }
    }

    /// Lets a device see what an older one of the same person sees.
    func admit(device: String, toAllOf older: String) async throws {
        try await durably { database in
            try AccountRows(.devices, id: device).update(
                set: """
                    since = min(since, (SELECT since FROM devices AS elder WHERE elder.id = :older)),
                    admitted_by = :older
                    """,
                ["older": older],
                in: database
            )
            let sessions = try String.fetchAll(
                database,
                sql: "SELECT session FROM device_sessions WHERE device = ?",
                arguments: [older]
            )
            for session in sessions {
                try Self.admit(device: device, to: session, through: older, in: database)
            }
        }
    }

    /// Whether a phone was registered before another, and is still good.
    func isOlder(_ device: String, than other: String) async throws -> Bool {
        try await read { database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT older.created < newer.created OR
                        (older.created = newer.created AND older.id < newer.id)
                    FROM \(AccountRows.Table.devices.unhidden(where: "id = ?1")) AS older,
                        \(AccountRows.Table.devices.unhidden(where: "id = ?2")) AS newer
                    WHERE older.revoked IS NULL
                    """,
                arguments: [device, other]
            ) ?? false
        }
    }

    /// Whether a phone may agree to another one: it is older and still good, and itself one that nobody has to be asked about.
    ///
    /// Otherwise two phones of somebody else would hide each other from the owner's.
    func mayAdmit(_ device: String, by other: String) async throws -> Bool {
        let isJudged = try await read { database in
            try Bool.fetchOne(
                database,
                sql:
                    "SELECT \(Self.isJudged("own", .inTable)) FROM devices AS own WHERE own.id = ?",
                arguments: [other]
            ) ?? false
        }
        guard isJudged else { return false }
        return try await isOlder(other, than: device)
    }

    /// Whether a phone may end another of the same person: itself, or one that was registered after it, or is not yet.
    ///
    /// Whoever gets hold of a number's code, and registers a phone with it, ends no older one.
    func mayEnd(_ device: String, by other: String) async throws -> Bool {
        if device == other { return true }
        let isPending = try await read { database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT NOT EXISTS
                        (SELECT 1 FROM \(AccountRows.Table.devices.unhidden(where: "id = ?")))
                    """,
                arguments: [device]
            ) ?? false
        }
        if isPending { return true }
        return try await isOlder(other, than: device)
    }

    static func admit(
        device: String,
        to session: String,
        through older: String?,
        in database: Database
    ) throws {
        let row = NewAccountRow(
            .sessions,
            ["device": device, "session": session, "through": older]
        )
        guard try !row.insertIfMissing(in: database), older == nil else { return }
        // Who was let in by another phone is now let in by the session's owner.
        try AccountRows(.sessions, "device", in: [device]).update(
            set: "through = NULL",
            ["session": session],
            where: "+session = :session",
            in: database
        )
    }
}
