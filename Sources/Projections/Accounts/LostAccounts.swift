// SPDX-License-Identifier: Apache-2.0
package import Events

/// A file of accounts that was lost, and in whose place a start made another (decision 0060).
package enum LostAccounts {
    /// For how long the one that was lost may turn up: phones have ended for good when the log says so.
    package static let findable = Duration.seconds(86_400)

    /// Until when it may, by the file that is there.
    ///
    /// - Parameters:
    ///   - oldest: When the oldest account of the file was made.
    ///   - told: When the ledger told of the first account.
    /// - Returns: `nil` for a file that is as old as the ledger: no other one was there before it.
    package static func findableUntil(oldest: Timestamp, told: Timestamp) -> Timestamp? {
        // An account is made a moment before it is told of.
        oldest > told + .seconds(1) ? oldest + findable : nil
    }
}
