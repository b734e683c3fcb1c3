// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

/// Who closed a page of the console: gone where no page of theirs comes back, or was there besides.
///
/// A page does not know whether it is closed or loaded anew. Every page of the console holds a socket, so that one is back where
/// there is one. A restart of the gateway forgets it: then the silence of 300 s tells.
final class DeskDepartures: Sendable {
    /// How long a page may take to be loaded anew.
    static let grace = Duration.seconds(10)

    private struct Departure {
        let at: ContinuousClock.Instant
        let hasPage: @Sendable () -> Bool
    }

    private let departures = Mutex<[UserID: Departure]>([:])

    /// Somebody closed a page.
    ///
    /// - Parameters:
    ///   - user: Who.
    ///   - now: When.
    ///   - hasPage: Whether a page of theirs is there.
    func note(
        _ user: UserID,
        at now: ContinuousClock.Instant = .now,
        hasPage: @escaping @Sendable () -> Bool
    ) {
        departures.withLock { $0[user] = Departure(at: now, hasPage: hasPage) }
    }

    /// Whether somebody has left the desk; forgets those who are back.
    func hasLeft(_ user: UserID, at now: ContinuousClock.Instant = .now) -> Bool {
        guard let departure = departures.withLock({ $0[user] }), now >= departure.at + Self.grace
        else { return false }
        guard departure.hasPage() else { return true }
        departures.withLock { departures in
            if departures[user]?.at == departure.at { departures[user] = nil }
        }
        return false
    }
}
