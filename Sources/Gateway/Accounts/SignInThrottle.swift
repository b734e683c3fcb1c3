// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Threads

/// Slows down the guessing of passwords and codes, and locks nobody out who is known here.
///
/// Whoever tries from a place where this login has signed in before is held to their own failures alone. All others share
/// what is left: a number of tries for each login and place, for each place, for each login, and for the whole gateway.
/// An attempt counts as wrong from its beginning, so that parallel guesses gain nothing, and is taken back when it was
/// right. Failures fade with time. Kept in memory: a restart forgives. People who are signed in are not affected.
final class SignInThrottle: Sendable {
    /// Where an attempt comes from.
    struct Place: Sendable, Hashable {
        /// What is counted together: a browser that signed in before, or whoever has the address.
        let name: String
        /// Whoever has the address; see ``NetworkAddress/holder(of:)``.
        let holder: String
        /// Whether this login has signed in from there before.
        let isKnown: Bool
    }

    private struct Failures {
        var count = 0
        var freeAt: ContinuousClock.Instant
        var lastAt: ContinuousClock.Instant
    }

    private struct State {
        var failures: [String: Failures] = [:]
        var logins: [String: RateLimiter<ContinuousClock.Instant>] = [:]
        var everybody: RateLimiter<ContinuousClock.Instant>
    }

    private let limits: AccountLimits
    private let state: Mutex<State>

    init(limits: AccountLimits) {
        self.limits = limits
        state = Mutex(State(everybody: RateLimiter(limits.triesOfStrangers, at: .now)))
    }

    /// Begins an attempt.
    ///
    /// - Parameters:
    ///   - login: What is tried: a login, or a telephone number; of bounded length.
    ///   - place: Where it comes from.
    ///   - now: When.
    /// - Throws: ``AccountError/signInThrottled(wait:)`` when it comes too early; it does not
    ///   count then.
    func begin(
        login: String,
        from place: Place,
        at now: ContinuousClock.Instant
    ) throws(AccountError) {
        let login = login.lowercased()
        let wait = state.withLock { state -> Duration? in
            makeRoom(in: &state)
            let own = Self.key(login, place)
            var keys = [(own, limits.freeTriesOfLogin)]
            if !place.isKnown { keys.append(("place " + place.holder, limits.freeTriesOfAddress)) }
            for (key, _) in keys { fade(&state.failures[key], at: now) }
            let wait = keys.compactMap { state.failures[$0.0]?.freeAt }.max().map { $0 - now }
            if let wait, wait > .zero { return wait }
            if !place.isKnown, let wait = takeOfStrangers(login, &state, at: now) { return wait }
            for (key, free) in keys {
                let fresh = Failures(freeAt: now, lastAt: now)
                count(&state.failures[key, default: fresh], free: free, at: now)
            }
            return nil
        }
        if let wait { throw .signInThrottled(wait: wait) }
    }

    /// Takes an attempt back: the password was right, which clears what others counted against the login, too.
    func succeeded(login: String, from place: Place, at now: ContinuousClock.Instant) {
        let login = login.lowercased()
        state.withLock { state in
            state.failures[Self.key(login, place)] = nil
            state.logins[login] = nil
            let key = "place " + place.holder
            guard !place.isKnown, let failures = state.failures[key] else { return }
            state.failures[key] =
                failures.count > 1
                ? Failures(count: failures.count - 1, freeAt: now, lastAt: now) : nil
        }
    }

    private static func key(_ login: String, _ place: Place) -> String {
        "login \(login) from \(place.name)"
    }

    private func takeOfStrangers(
        _ login: String,
        _ state: inout State,
        at now: ContinuousClock.Instant
    ) -> Duration? {
        let fresh = RateLimiter(limits.triesOfLoginByStrangers, at: now)
        if let wait = state.logins[login, default: fresh].takeOne(at: now) { return wait }
        return state.everybody.takeOne(at: now)
    }

    private func count(
        _ failures: inout Failures,
        free: Int,
        at now: ContinuousClock.Instant
    ) {
        failures.count += 1
        failures.lastAt = now
        guard failures.count >= free else { return }
        let doublings = min(failures.count - free, 20)
        failures.freeAt = now + min(.seconds(1 << doublings), limits.longestWait)
    }

    /// One failure is forgiven for each ``AccountLimits/failureMemory`` behind the wait that it brought.
    private func fade(_ failures: inout Failures?, at now: ContinuousClock.Instant) {
        guard var kept = failures else { return }
        let quiet = now - max(kept.lastAt, kept.freeAt)
        guard quiet >= limits.failureMemory else { return }
        kept.count -= min(kept.count, Int(quiet / limits.failureMemory))
        kept.lastAt = now
        failures = kept.count > 0 ? kept : nil
    }

    private func makeRoom(in state: inout State) {
        if state.failures.count >= limits.rememberedFailures {
            let oldFirst = state.failures.sorted { $0.value.freeAt < $1.value.freeAt }
            for (key, _) in oldFirst.prefix(oldFirst.count / 2 + 1) { state.failures[key] = nil }
        }
        if state.logins.count >= limits.rememberedFailures {
            let oldFirst = state.logins.sorted { $0.value.lastUse < $1.value.lastUse }
            for (key, _) in oldFirst.prefix(oldFirst.count / 2 + 1) { state.logins[key] = nil }
        }
    }
}
