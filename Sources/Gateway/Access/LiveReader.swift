// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Whoever reads or sends live, on a socket or a feed: asked for again as soon as anything about accounts changes, and gone
/// with the token.
///
/// A socket outlives the request that opened it. So whoever serves one runs ``watch()`` beside it, closes it when that
/// returns, and calls ``check()`` before anything goes out and before anything is recorded in the reader's name: from the
/// moment when a change of rights has returned, nothing does. Being told is no activity: silence signs out (DESIGN §8).
final class LiveReader: Sendable {
    private struct State {
        var principal: Principal
        var end: (any Error)?
        /// The count of changes up to which the right is known to hold; `nil` before it was asked for.
        var holdsThrough: Int?
        /// When it was last asked for: a token also ends by time alone.
        var asked = ContinuousClock.now
    }

    private let accounts: AccountStore
    private let interval: Duration
    private let stillMay: @Sendable (Principal) throws -> Void
    private let state: Mutex<State>
    /// Raised when the right has ended.
    let ended = ClosedSignal()

    /// - Parameters:
    ///   - principal: Who was signed in when the reading began.
    ///   - accounts: Know whether that is still so, and ring when it changes.
    ///   - interval: How often to ask without being rung: for what ends by time alone.
    ///   - stillMay: Throws when the token is no longer good for another reason.
    init(
        _ principal: Principal,
        in accounts: AccountStore,
        every interval: Duration,
        stillMay: @escaping @Sendable (Principal) throws -> Void = { _ in }
    ) {
        self.accounts = accounts
        self.interval = interval
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

    /// Returns while the reader may have more; asks only when rights have changed since it asked, or that is long ago.
    ///
    /// - Throws: Why no longer: `AccountError` once the token ended.
    func check() async throws {
        let known = state.withLock { $0 }
        let isOld =
            known.holdsThrough != accounts.changes.count || .now - known.asked >= interval
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
        await withTaskGroup { group in
            group.addTask { await Self.tick(bell, every: self.interval) }
            for await _ in rings {
                guard await ask() else { break }
            }
            group.cancelAll()
        }
    }

    /// Watches until the right has ended, and throws why; returns when cancelled.
    func untilEnd() async throws {
        await watch()
        try throwEnd()
    }

    private static func tick(
        _ bell: AsyncStream<Void>.Continuation,
        every interval: Duration
    ) async {
        do {
            while true {
                try await Task.sleep(for: interval)
                bell.yield()
            }
        } catch {
            // Cancelled: the watching has ended.
        }
    }

    /// - Returns: Whether the reader may have more.
    private func ask() async -> Bool {
        let known = principal
        let (count, asked) = (accounts.changes.count, ContinuousClock.now)
        do {
            let now = try await accounts.stillSignedIn(known)
            try stillMay(now)
            state.withLock { state in
                guard state.principal == known else { return }
                (state.principal, state.holdsThrough, state.asked) = (now, count, asked)
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
