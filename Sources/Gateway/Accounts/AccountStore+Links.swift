// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Projections

/// A one-use link, at the only moment when it can be read.
struct IssuedLink: Sendable, Hashable {
    /// Ten characters that can be typed and spoken: 50 random bits.
    let link: String
    /// Six more, told on another way than the link.
    let code: String
    let expires: Date
}

/// What a link is for.
struct LinkPurpose: Sendable, Hashable {
    /// What events call the link.
    let id: String
    let session: String
    /// The caller, as the ledger's sealed data knows them.
    let person: String
    let phoneNumber: String
    let org: String
}

extension AccountStore {
    /// Makes a link by which a caller without the application joins a session, once (ruling 24).
    ///
    /// Only digests are kept. A new link ends the older ones of the same session.
    ///
    /// - Parameters:
    ///   - purpose: What it is for.
    ///   - expires: Until when it is good.
    /// - Returns: Link and code, which cannot be read again.
    /// - Throws: When the accounts cannot be written, or too many passwords are being checked.
    func makeLink(for purpose: LinkPurpose, until expires: Date) async throws -> IssuedLink {
        let issued = IssuedLink(
            link: Self.freshCode(10),
            code: Self.freshCode(),
            expires: expires
        )
        let hash = try await hash(issued.code)
        // Who comes too late is told so for a day; then the link is not known any more.
        let forgotten = now() - limits.expiredLinkMemory
        try await durably { database in
            try database.execute(
                sql: "DELETE FROM main.links NOT INDEXED WHERE session = ? OR expires <= ?",
                arguments: [purpose.session, forgotten.milliseconds]
            )
            let row = NewAccountRow(
                .links,
                [
                    "id": purpose.id, "digest": IssuedToken.digest(of: issued.link),
                    "hash": hash.text, "session": purpose.session, "person": purpose.person,
                    "phone": purpose.phoneNumber, "org": purpose.org,
                    "expires": issued.expires.milliseconds,
                ]
            )
            try row.insert(in: database)
        }
        return issued
    }

    /// Uses a link: registers the caller's browser as a device, and issues its token.
    ///
    /// - Parameters:
    ///   - link: As it was typed; case, spaces and dashes do not count.
    ///   - code: As it was heard, likewise.
    ///   - request: What is the same when the request is repeated, for its answer may get lost; `nil` for one that cannot be.
    ///   - deviceID: What events will call the device, if there is none by the same request.
    /// - Returns: What the link was for, the device, its token, which cannot be read again, and whether that stands beside one
    ///   that may not have arrived.
    /// - Throws: ``AccountError/linkRefused(_:)`` for one that is unknown, used or expired, whose code is wrong, or was
    ///   wrong too often.
    func useLink(
        _ link: String,
        code: String,
        request: String? = nil,
        deviceID: String
    ) async throws -> (
        purpose: LinkPurpose, device: DeviceAccount, token: IssuedToken, isAgain: Bool
    ) {
        let time = now()
        let open = try await claimTry(ofLink: link, request, at: time)
        let spoken = Self.normal(code)
        let isRight = try await checks.run { try open.hash.matches(spoken) }
        guard isRight else { throw AccountError.linkRefused(open.fault(limit: limits.linkTries)) }
        let first = firstToken(by: open.purpose.id, request: request)
        let fresh = DeviceAccount(
            id: deviceID,
            person: open.purpose.person,
            phoneNumber: open.purpose.phoneNumber,
            org: open.purpose.org,
            role: .caller
        )
        let (device, token) = try await durably { database in
            let count = try AccountRows(.links, id: open.purpose.id).update(
                set: "used = :time",
                ["time": time.milliseconds],
                where: "used IS NULL",
                in: database
            )
            let known = count == 1 ? nil : try Self.phone(of: first, in: database)
            // Whoever has the link need not be who the number belongs to for ever: it is good for its session only.
            let new = NewToken(
                device: known?.id ?? fresh.id,
                scopes: ["session/\(open.purpose.session)"],
                life: self.limits.deviceTokenLife
            )
            if let known {
                return (known, try Self.add(new, to: known.id, at: time, in: database))
            }
            guard count == 1 else { throw AccountError.linkRefused(.used) }
            try fresh.insert(into: database, at: time)
            return (fresh, try new.insert(into: database, at: time, called: first))
        }
        return (open.purpose, device, token, device != fresh)
    }

    private struct OpenRow: Sendable {
        let purpose: LinkPurpose
        let hash: PasswordHash
        /// How many tries there were, with this one.
        let tries: Int

        /// What a wrong code means now.
        func fault(limit: Int) -> LinkFault {
            tries < limit ? .wrongCode(triesLeft: limit - tries) : .noTriesLeft
        }
    }

    /// Counts a try before the code is checked, so that parallel guesses gain nothing.
    private func claimTry(
        ofLink link: String,
        _ request: String?,
        at time: Date
    ) async throws -> OpenRow {
        let tries = limits.linkTries
        let oldest = oldestUse(repeatable: request, at: time)
        let digest = IssuedToken.digest(of: Self.normal(link))
        return try await durably { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    UPDATE main.links NOT INDEXED SET tries = tries + 1
                    WHERE digest = ? AND (used IS NULL AND expires > ? AND tries < ? OR used > ?)
                        AND code IS \(SealedRows.code(of: "links"))
                    RETURNING *
                    """,
                arguments: [digest, time.milliseconds, tries, oldest]
            )
            guard let row, row["digest"] == digest, let hash = PasswordHash(row["hash"]) else {
                throw AccountError.linkRefused(try Self.fault(of: digest, at: time, in: database))
            }
            let purpose = LinkPurpose(
                id: row["id"],
                session: row["session"],
                person: row["person"],
                phoneNumber: row["phone"],
                org: row["org"]
            )
            let first = self.firstToken(by: purpose.id, request: request)
            let isOpen = row["used"] as Int64? == nil
            guard try isOpen || Self.phone(of: first, in: database) != nil else {
                throw AccountError.linkRefused(.used)
            }
            return OpenRow(purpose: purpose, hash: hash, tries: row["tries"])
        }
    }

    /// Why a link that is not open is not.
    private static func fault(
        of digest: Data,
        at time: Date,
        in database: Database
    ) throws -> LinkFault {
        let row = try Row.fetchOne(
            database,
            sql: "SELECT used, expires FROM links WHERE digest = ?",
            arguments: [digest]
        )
        guard let row else { return .unknown }
        if row["used"] as Int64? != nil { return .used }
        return row["expires"] <= time.milliseconds ? .expired : .noTriesLeft
    }
}
