// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Threads

/// Whoever reads or sends live, on a socket or a feed: asked for again as soon as anything about accounts changes and when the
/// token's time is over, and gone with the token.
///
/// A socket outlives the request that opened it. So whoever serves one runs ``watch()`` beside it, closes it when that
/// returns, and calls ``check()`` before anything goes out and before anything is recorded in the reader's name: from the
/// moment when a change of rights has returned, nothing does. Being told is no activity: silence signs out.
final class LiveReader: Sendable {
    private struct State {
        var principal: Principal
        var end: (any Error)?
        /// The count of changes up to which the right is known to hold; `nil` before it was asked for.
        var holdsThrough: Int?
        /// When to ask again, though nothing has changed: a token also ends by time alone.
        var asksAgain = ContinuousClock.now
    }

    private let accounts: AccountStore
    private let interval: Duration
    private let stillMay: @Sendable (Principal) throws -> Duration?
    private let state: Mutex<State>
    /// Raised when the right has ended.
    let ended = Latch()

    /// - Parameters:
    ///   - principal: Who was signed in when the reading began.
    ///   - accounts: Know whether that is still so, and ring when it changes.
    ///   - interval: How often to ask without being rung and before the end that is known; ``AccountLimits/liveCheck`` but in
    ///     tests.
    ///   - stillMay: Throws when the token is no longer good for another reason; says for how long it is at most, if that is
    ///     known.
    init(
        _ principal: Principal,
        in accounts: AccountStore,
        every interval: Duration? = nil,
        stillMay: @escaping @Sendable (Principal) throws -> Duration? = { _ in nil }
    ) {
        self.accounts = accounts
        self.interval = interval ?? accounts.limits.liveCheck
        self.stillMay = stillMay
        state = Mutex(State(principal: principal))
    }

    /// Who reads.
    var principal: Principal { state.withLock { $0.principal } }

    /// Goes on with another token of the same reader.
    func renew(_ principal: Principal) {
        state.withLock { state in
            guard state.principal != principal else { return }
            state.principal = principal
            state.holdsThrough = nil
        }
    }

    /// Returns while the reader may have more; asks only when rights have changed since it asked, or time may have ended them.
    ///
    /// - Throws: Why no longer: `AccountError` once the token ended.
    func check() async throws {
        let known = state.withLock { $0 }
        let isOld =
            known.holdsThrough != accounts.changes.count || .now >= known.asksAgain
        if known.end == nil, isOld { _ = await ask() }
        try throwEnd()
    }

    private func throwEnd() throws {
        if let end = state.withLock({ $0.end }) { throw end }
    }

    /// Returns once the right has ended, or when cancelled.
    func watch() async {
        let (rings, bell) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let listener = accounts.changes.listen(bell)
        defer { accounts.changes.leave(listener) }
        // What ended between the request and here rang nobody.
        bell.yield()
        var alarm: Task<Void, Never>?
        defer { alarm?.cancel() }
        for await _ in rings {
            alarm?.cancel()
            guard await ask() else { return }
            alarm = ring(bell, at: state.withLock { $0.asksAgain })
        }
    }

    /// Watches until the right has ended, and throws why; returns when cancelled.
    func untilEnd() async throws {
        await watch()
        try throwEnd()
    }

    private func ring(
        _ bell: AsyncStream<Void>.Continuation,
        at time: ContinuousClock.Instant
    ) -> Task<Void, Never> {
        Task {
            do {
                try await Task.sleep(until: time, clock: .continuous)
                bell.yield()
            } catch {
                // Cancelled: it has rung before, or the watching has ended.
            }
        }
    }

    /// - Returns: Whether the reader may have more.
    private func ask() async -> Bool {
        let known = principal
        let (count, asked) = (accounts.changes.count, ContinuousClock.now)
        do {
            let (now, lasts) = try await accounts.signedIn(known)
            let pause = min(interval, lasts, try stillMay(now) ?? interval)
            state.withLock { state in
                guard state.principal == known else { return }
                (state.principal, state.holdsThrough, state.asksAgain) = (now, count, asked + pause)
            }
            return true
        } catch is CancellationError {
            return false
        } catch {
            // A token that was renewed meanwhile is asked for again.
            guard known == principal else { return true }
            state.withLock { $0.end = error }
            ended.raise()
            return false
        }
    }
}
