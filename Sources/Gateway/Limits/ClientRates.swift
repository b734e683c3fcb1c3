// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Threads

/// The rates of all clients, by a key that names one: an address, an actor.
///
/// Holds at most `capacity` buckets. When full it forgets the half that was idle for longest:
/// those had time to refill, so forgetting them gives nothing away.
final class ClientRates: Sendable {
    private let rate: Rate
    private let capacity: Int
    private let buckets = Mutex<[String: RateLimiter<ContinuousClock.Instant>]>([:])

    init(_ rate: Rate, capacity: Int) {
        self.rate = rate
        self.capacity = capacity
    }

    /// Counts one request of a client.
    ///
    /// - Returns: `nil` when it may pass, else how long the client should wait.
    func admit(_ client: String, at now: ContinuousClock.Instant = .now) -> Duration? {
        buckets.withLock { buckets in
            if buckets[client] == nil, buckets.count >= capacity {
                Self.forgetIdleHalf(of: &buckets)
            }
            return buckets[client, default: RateLimiter(rate, at: now)].takeOne(at: now)
        }
    }

    private static func forgetIdleHalf(
        of buckets: inout [String: RateLimiter<ContinuousClock.Instant>]
    ) {
        let idleFirst = buckets.sorted { $0.value.lastUse < $1.value.lastUse }
        for (client, _) in idleFirst.prefix(buckets.count / 2 + 1) {
            buckets[client] = nil
        }
    }
}
