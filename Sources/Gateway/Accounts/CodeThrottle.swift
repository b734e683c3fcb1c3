// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Bounds how often one address tries a code for a number, whether there is one or not, and for all numbers together.
///
/// The caller's own tries are counted apart from those of whoever guesses elsewhere. Kept in memory, and forgotten when a
/// code would have expired.
final class CodeThrottle: Sendable {
    private struct Tries {
        var count = 0
        let until: ContinuousClock.Instant
    }

    private let limits: AccountLimits
    private let tries = Mutex<[String: Tries]>([:])

    init(limits: AccountLimits) {
        self.limits = limits
    }

    /// Begins a try, which counts as wrong until it ``succeeded(number:holder:)``.
    ///
    /// - Parameters:
    ///   - number: In E.164.
    ///   - holder: Where it comes from; see ``NetworkAddress/holder(of:)``.
    ///   - now: When.
    /// - Throws: ``AccountError/codesThrottled(wait:)`` when there were too many.
    func begin(
        number: String,
        holder: String,
        at now: ContinuousClock.Instant
    ) throws(AccountError) {
        let keys = [
            (Self.key(number, holder), limits.deviceCodeTriesOfAddress),
            (holder, limits.freeTriesOfAddress),
        ]
        let wait = tries.withLock { tries -> Duration? in
            makeRoom(in: &tries, at: now)
            for (key, most) in keys {
                if let known = tries[key], known.until > now, known.count >= most {
                    return known.until - now
                }
            }
            for (key, _) in keys {
                let known = tries[key].flatMap { $0.until > now ? $0 : nil }
                var counted = known ?? Tries(until: now + limits.deviceCodeLife)
                counted.count += 1
                tries[key] = counted
            }
            return nil
        }
        if let wait { throw .codesThrottled(wait: wait) }
    }

    /// Takes a try back: the code was right.
    func succeeded(number: String, holder: String) {
        tries.withLock { tries in
            tries[Self.key(number, holder)] = nil
            if let count = tries[holder]?.count { tries[holder]?.count = max(0, count - 1) }
        }
    }

    /// Forgets all tries for a number: there is a new code.
    func forget(number: String) {
        tries.withLock { tries in
            tries = tries.filter { !$0.key.hasPrefix(Self.key(number, "")) }
        }
    }

    private static func key(_ number: String, _ holder: String) -> String {
        "\(number) from \(holder)"
    }

    private func makeRoom(in tries: inout [String: Tries], at now: ContinuousClock.Instant) {
        guard tries.count >= limits.rememberedFailures else { return }
        tries = tries.filter { $0.value.until > now }
        guard tries.count >= limits.rememberedFailures else { return }
        let oldFirst = tries.sorted { $0.value.until < $1.value.until }
        for (key, _) in oldFirst.prefix(oldFirst.count / 2 + 1) { tries[key] = nil }
    }
}
