// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Slows down the guessing of passwords: for one login, and for one address.
///
/// An attempt counts as wrong from its beginning, so that parallel guesses gain nothing, and is
/// taken back when it was right. Kept in memory: a restart forgives. People who are signed in
/// are not affected.
final class SignInThrottle: Sendable {
    private struct Failures {
        var count = 0
        var freeAt: ContinuousClock.Instant
    }

    private let limits: AccountLimits
    private let failures = Mutex<[String: Failures]>([:])

    init(limits: AccountLimits) {
        self.limits = limits
    }

    /// Begins an attempt.
    ///
    /// - Throws: ``AccountError/signInThrottled(wait:)`` when it comes too early; it does not
    ///   count then.
    func begin(
        login: String,
        address: String,
        at now: ContinuousClock.Instant
    ) throws(AccountError) {
        let attempts = [
            ("login " + login.lowercased(), limits.freeTriesOfLogin),
            ("address " + address, limits.freeTriesOfAddress),
        ]
        let wait = failures.withLock { failures -> Duration? in
            let wait = attempts.compactMap { failures[$0.0]?.freeAt }.max().map { $0 - now }
            if let wait, wait > .zero { return wait }
            makeRoom(in: &failures)
            for (key, free) in attempts {
                count(&failures[key, default: Failures(freeAt: now)], free: free, at: now)
            }
            return nil
        }
        if let wait { throw .signInThrottled(wait: wait) }
    }

    /// Takes an attempt back: the password was right.
    func succeeded(login: String, address: String, at now: ContinuousClock.Instant) {
        failures.withLock { failures in
            failures["login " + login.lowercased()] = nil
            let key = "address " + address
            guard let count = failures[key]?.count, count > 1 else {
                failures[key] = nil
                return
            }
            failures[key] = Failures(count: count - 1, freeAt: now)
        }
    }

    private func count(
        _ failures: inout Failures,
        free: Int,
        at now: ContinuousClock.Instant
    ) {
        failures.count += 1
        guard failures.count >= free else { return }
        let doublings = min(failures.count - free, 20)
        failures.freeAt = now + min(.seconds(1 << doublings), limits.longestWait)
    }

    private func makeRoom(in failures: inout [String: Failures]) {
        guard failures.count >= limits.rememberedFailures else { return }
        let oldFirst = failures.sorted { $0.value.freeAt < $1.value.freeAt }
        for (key, _) in oldFirst.prefix(failures.count / 2 + 1) { failures[key] = nil }
    }
}
