// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB

/// Sign-ins of a user that go on when the ledger tells of an end.
///
/// A start ends what was made before an end. What is marked here has outlived it; and nobody marks what had ended before, and was
/// put back.
struct StandingSignIns: Sendable {
    enum Which: Sendable {
        case one(String)
        /// All of a user.
        case all(String)
    }

    private let which: Which
    private let since: Date?

    /// - Parameters:
    ///   - which: Those that may go on.
    ///   - since: When the user's sign-ins had last ended before: what was not good then is not good now.
    init(_ which: Which, since: Date?) {
        self.which = which
        self.since = since
    }

    /// The only one that stays, if it is one.
    var tokenID: String? {
        if case .one(let id) = which { id } else { nil }
    }

    func outlive(until time: Int64, in database: Database) throws {
        let tokens =
            switch which {
            case .one(let id): AccountRows(.tokens, id: id)
            case .all(let user): AccountRows(.tokens, "user", in: [user])
            }
        try tokens.update(
            set: "outlived = :time",
            ["time": time, "since": since?.milliseconds ?? 0],
            where: "revoked IS NULL AND max(created, coalesce(outlived, 0)) + 1 >= :since",
            in: database
        )
    }
}
