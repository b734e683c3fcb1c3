// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import GRDB

/// Where an attempt to sign in comes from, as the request says.
struct SignInOrigin: Sendable, Hashable {
    /// The address of the client.
    let address: String
    /// What a browser kept from an earlier sign-in; see ``BrowserCookie``.
    var browser: String?

    init(address: String, browser: String? = nil) {
        self.address = address
        self.browser = browser
    }
}

extension AccountStore {
    /// The place of an attempt: the browser if this user has signed in with it, else whoever has the address.
    func place(
        of origin: SignInOrigin,
        for user: UserAccount?
    ) async throws -> SignInThrottle.Place {
        let holder = NetworkAddress.holder(of: origin.address)
        let address = SignInThrottle.Place(name: holder, holder: holder, isKnown: false)
        guard let user else { return address }
        let browser = origin.browser.map { Self.digest("browser \($0)", of: user.id) }
        let network = Self.digest("address \(holder)", of: user.id)
        let known = try await read { database in
            try Set(
                Data.fetchAll(
                    database,
                    sql: "SELECT digest FROM places WHERE user = ? AND digest IN (?, ?)",
                    arguments: [user.id, browser, network]
                )
            )
        }
        if let browser, known.contains(browser) {
            let name = "browser " + browser.base64EncodedString()
            return SignInThrottle.Place(name: name, holder: holder, isKnown: true)
        }
        return SignInThrottle.Place(
            name: holder,
            holder: holder,
            isKnown: known.contains(network)
        )
    }

    /// Notes that a user signed in from somewhere: the newest places of each user are kept.
    func remember(_ origin: SignInOrigin, of user: UserAccount) async throws {
        let holder = NetworkAddress.holder(of: origin.address)
        let places =
            ["address \(holder)"] + [origin.browser.map { "browser \($0)" }].compactMap(\.self)
        let digests = places.map { Self.digest($0, of: user.id) }
        let (time, most) = (now().milliseconds, limits.placesOfUser)
        try await quickly { database in
            for digest in digests {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO main.places VALUES (?, ?, ?, NULL)",
                    arguments: [user.id, digest, time]
                )
            }
            try database.execute(
                sql: """
                    DELETE FROM main.places NOT INDEXED WHERE user = ?1 AND digest NOT IN
                    (SELECT digest FROM places WHERE user = ?1 ORDER BY used DESC LIMIT ?2)
                    """,
                arguments: [user.id, most]
            )
        }
    }

    /// What is kept of a place: not the address itself.
    private static func digest(_ place: String, of user: String) -> Data {
        Data(SHA256.hash(data: Data("\(user)\u{0}\(place)".utf8)))
    }
}
