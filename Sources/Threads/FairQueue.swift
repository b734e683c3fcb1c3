// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A few places that many share: whoever holds a share of them gets the next one in turn with the others, however much they ask.
///
/// Places are numbered from 0, so that each can stand for a thing of its own, such as a thread or a process.
public final class FairQueue: Sendable {
    /// How many may do what at once, and how many may wait for it.
    public struct Limits: Hashable, Sendable {
        /// Places at once.
        public var places: Int
        /// Of them, of one holder.
        public var placesOfHolder: Int
        /// How many wait for a place, of all holders.
        public var waiting: Int
        /// How many of one holder have a place or wait.
        public var ofHolder: Int

        public init(places: Int, placesOfHolder: Int, waiting: Int = .max, ofHolder: Int = .max) {
            self.places = places
            self.placesOfHolder = placesOfHolder
            self.waiting = waiting
            self.ofHolder = ofHolder
        }
    }

    /// Why somebody was not let in; nothing was done.
    public enum Full: Error, Hashable {
        /// So many of the holder have a place or wait already.
        case ofHolder(Int)
        /// So many of all do.
        case ofAll(Int)
    }

    private struct Waiter {
        let ticket: UInt64
        let continuation: CheckedContinuation<Int, any Error>
    }

    private struct State {
        var free: [Int]
        var taken: [String: Int] = [:]
        var waiting: [String: [Waiter]] = [:]
        /// Holders who wait, in the order of their turns.
        var turns: [String] = []
        var tickets: UInt64 = 0

        var waitingCount: Int { waiting.values.reduce(0) { $0 + $1.count } }
    }

    private let limits: Limits
    private let state: Mutex<State>

    public init(_ limits: Limits) {
        self.limits = limits
        state = Mutex(State(free: Array((0..<limits.places).reversed())))
    }

    /// How many have a place, and how many wait for one.
    public var counts: (taken: Int, waiting: Int) {
        state.withLock { (limits.places - $0.free.count, $0.waitingCount) }
    }

    /// Does something at a place, when there is one.
    ///
    /// - Parameters:
    ///   - holder: In whose share it counts.
    ///   - isolation: Where the work runs: where it was asked for.
    ///   - work: Is told the number of the place, which is its own until it returns.
    /// - Returns: What the work returns.
    /// - Throws: ``Full``; `CancellationError` when cancelled before its turn; what the work throws.
    public func withPlace<Value>(
        for holder: String,
        isolation: isolated (any Actor)? = #isolation,
        _ work: (Int) async throws -> Value
    ) async throws -> Value {
        let place = try await enter(holder, isolation: isolation)
        defer { leave(place, of: holder) }
        return try await work(place)
    }

    private func enter(_ holder: String, isolation: isolated (any Actor)?) async throws -> Int {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation(isolation: isolation) { continuation in
                let answer = state.withLock { state -> Result<Int, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    return enter(holder, Waiter(ticket: ticket, continuation: continuation), &state)
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            withdraw(ticket, of: holder)?.resume(throwing: CancellationError())
        }
    }

    /// - Returns: A place, or why there is none; `nil` where it waits.
    private func enter(
        _ holder: String,
        _ waiter: Waiter,
        _ state: inout State
    ) -> Result<Int, any Error>? {
        let (taken, own) = (state.taken[holder, default: 0], state.waiting[holder]?.count ?? 0)
        guard taken + own < limits.ofHolder else { return .failure(Full.ofHolder(taken + own)) }
        if taken < limits.placesOfHolder, let place = state.free.popLast() {
            state.taken[holder] = taken + 1
            return .success(place)
        }
        let all = state.waitingCount
        guard all < limits.waiting else {
            return .failure(Full.ofAll(limits.places - state.free.count + all))
        }
        if own == 0 { state.turns.append(holder) }
        state.waiting[holder, default: []].append(waiter)
        return nil
    }

    private func leave(_ place: Int, of holder: String) {
        let next = state.withLock { state -> CheckedContinuation<Int, any Error>? in
            let others = state.taken[holder, default: 1] - 1
            state.taken[holder] = others == 0 ? nil : others
            let turn = state.turns.firstIndex {
                state.taken[$0, default: 0] < limits.placesOfHolder
            }
            guard let turn else {
                state.free.append(place)
                return nil
            }
            let next = state.turns.remove(at: turn)
            guard let waiter = state.waiting[next]?.removeFirst() else { return nil }
            if state.waiting[next]?.isEmpty == true {
                state.waiting[next] = nil
            } else {
                state.turns.append(next)
            }
            state.taken[next, default: 0] += 1
            return waiter.continuation
        }
        next?.resume(returning: place)
    }

    private func withdraw(
        _ ticket: UInt64,
        of holder: String
    ) -> CheckedContinuation<Int, any Error>? {
        state.withLock { state in
            guard let index = state.waiting[holder]?.firstIndex(where: { $0.ticket == ticket })
            else { return nil }
            let waiter = state.waiting[holder]?.remove(at: index)
            if state.waiting[holder]?.isEmpty == true {
                state.waiting[holder] = nil
                state.turns.removeAll { $0 == holder }
            }
            return waiter?.continuation
        }
    }
}
