// SPDX-License-Identifier: Apache-2.0
import Events
import Projections
import Synchronization
import Threads

/// Makes views as of a point on threads of its own, a few at a time, and keeps the last.
///
/// Whoever asks for the past keeps nobody waiting who asks for the present: reading the log and writing tables blocks a
/// thread for as long as the incident is large. And nobody has all threads, or all places before them, whatever they ask.
final class PastViews: Sendable {
    /// One thread.
    private actor Bench {
        private let thread = DedicatedThread(name: "as-of")

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            thread.asUnownedSerialExecutor()
        }

        func make(_ work: @Sendable () throws -> AsOf.Tables) throws -> AsOf.Tables { try work() }
    }

    fileprivate struct Waiter {
        let ticket: UInt64
        let holder: String
        let continuation: CheckedContinuation<Int?, any Error>
    }

    fileprivate struct Kept {
        let tables: AsOf.Tables
        var lastUse: UInt64
    }

    fileprivate struct State {
        var free = Array(0..<GatewayLimits.pastViewsAtOnce)
        var waiting: [Waiter] = []
        /// How many threads make views of whom.
        var making: [String: Int] = [:]
        var kept: [AsOf.View: Kept] = [:]
        /// Counts uses, to tell which was the last, and tickets.
        var count: UInt64 = 0
        /// How often everything was forgotten.
        var forgotten = 0
    }

    private let benches = (0..<GatewayLimits.pastViewsAtOnce).map { _ in Bench() }
    private let state = Mutex(State())

    /// A view that is kept, or else made now.
    ///
    /// - Parameters:
    ///   - view: Which.
    ///   - isFixed: Whether nothing that is appended later can change it; only such a view is kept.
    ///   - holder: In whose share it counts; see ``Principal/holder``.
    ///   - work: Makes it, on one of the threads.
    /// - Returns: Its tables.
    /// - Throws: ``ProblemType/tooManyRequests`` while too many of the holder are made or wait, and
    ///   ``ProblemType/unavailable`` while too many of all do, both with `Retry-After`; `CancellationError`, also when whoever
    ///   asked has left; what the work throws.
    func tables(
        of view: AsOf.View,
        isFixed: Bool,
        for holder: String,
        _ work: @escaping @Sendable () throws -> AsOf.Tables
    ) async throws -> AsOf.Tables {
        if let kept = use(view) { return kept }
        return try await Departure.cancelling {
            try await self.made(view, isFixed: isFixed, for: holder, work)
        }
    }

    private func made(
        _ view: AsOf.View,
        isFixed: Bool,
        for holder: String,
        _ work: @escaping @Sendable () throws -> AsOf.Tables
    ) async throws -> AsOf.Tables {
        guard let number = try await bench(for: holder) else { throw CancellationError() }
        defer { release(number, of: holder) }
        // Somebody else may have asked for the same while this one waited.
        if let kept = use(view) { return kept }
        let forgotten = state.withLock { $0.forgotten }
        let tables = try await benches[number].make(work)
        if isFixed { keep(tables, of: view, unlessForgottenSince: forgotten) }
        return tables
    }

    /// How many views are being made, and how many requests wait for a thread.
    var counts: (making: Int, waiting: Int) {
        state.withLock { (benches.count - $0.free.count, $0.waiting.count) }
    }

    /// Keeps nothing of what was made so far: somebody was erased, whose searched columns it may show.
    func forgetAll() {
        state.withLock { state in
            state.kept = [:]
            state.forgotten += 1
        }
    }

    private func use(_ view: AsOf.View) -> AsOf.Tables? {
        state.withLock { state in
            guard state.kept[view] != nil else { return nil }
            state.count += 1
            state.kept[view]?.lastUse = state.count
            return state.kept[view]?.tables
        }
    }

    private func keep(_ tables: AsOf.Tables, of view: AsOf.View, unlessForgottenSince count: Int) {
        guard tables.entries <= GatewayLimits.pastViewEntriesKept else { return }
        state.withLock { state in
            guard state.forgotten == count else { return }
            state.count += 1
            state.kept[view] = Kept(tables: tables, lastUse: state.count)
            while state.kept.count > GatewayLimits.pastViewsKept,
                let oldest = state.kept.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
            {
                state.kept[oldest] = nil
            }
        }
    }

    /// Waits for a thread; `nil` when cancelled.
    private func bench(for holder: String) async throws -> Int? {
        let ticket = state.withLock { state in
            state.count += 1
            return state.count
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let entry = state.withLock { state -> Result<Int?, any Error>? in
                    if Task.isCancelled { return .success(nil) }
                    return state.enter(
                        Waiter(ticket: ticket, holder: holder, continuation: continuation)
                    )
                }
                if let entry { continuation.resume(with: entry) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
                    return nil
                }
                return state.waiting.remove(at: index)
            }
            waiter?.continuation.resume(returning: nil)
        }
    }

    private func release(_ number: Int, of holder: String) {
        let next = state.withLock { $0.leave(number, of: holder) }
        next?.waiter.continuation.resume(returning: next?.number)
    }
}

extension PastViews.State {
    /// Whether one more thread may make views of a holder.
    private func mayMake(_ holder: String) -> Bool {
        making[holder, default: 0] < GatewayLimits.pastViewsOfHolderAtOnce
    }

    /// Somebody asks for a thread.
    ///
    /// - Returns: Its number, or why there is no place before the threads, either; `nil` when the thread comes later.
    fileprivate mutating func enter(_ waiter: PastViews.Waiter) -> Result<Int?, any Error>? {
        let holder = waiter.holder
        if mayMake(holder), let number = free.popLast() {
            making[holder, default: 0] += 1
            return .success(number)
        }
        let own = making[holder, default: 0] + waiting.count { $0.holder == holder }
        guard own < GatewayLimits.pastViewsOfHolder else {
            return .failure(
                Problem.tooManyRequests(
                    "\(own) views of the past are being made for you; ask again when one is there",
                    wait: .seconds(1)
                )
            )
        }
        guard waiting.count < GatewayLimits.pastViewsWaiting else {
            return .failure(
                Problem.tryLater(
                    .unavailable,
                    "others look at the past already, as many as may at a time; ask again"
                )
            )
        }
        waiting.append(waiter)
        return nil
    }

    /// A thread has done what it did for a holder.
    ///
    /// - Returns: Who goes on, and on which thread: whoever waits longest of those who have none.
    fileprivate mutating func leave(
        _ number: Int,
        of holder: String
    ) -> (waiter: PastViews.Waiter, number: Int)? {
        let others = making[holder, default: 1] - 1
        making[holder] = others == 0 ? nil : others
        free.append(number)
        guard let index = waiting.firstIndex(where: { mayMake($0.holder) }),
            let place = free.popLast()
        else { return nil }
        let next = waiting.remove(at: index)
        making[next.holder, default: 0] += 1
        return (next, place)
    }
}

extension Ledger {
    /// Answers as it was at an earlier point, from the log alone.
    ///
    /// - Parameters:
    ///   - reader: In whose share it counts.
    ///   - entriesMax: How many entries a view may read.
    /// - Returns: What makes its views, a few at a time.
    func asOf(
        for reader: Principal,
        entriesMax: Int = ProjectionLimits.asOfEntriesMax
    ) -> AsOf {
        AsOf(EntrySource(log), keys: keys.unrecorded(.projected), entriesMax: entriesMax) {
            [log, readModels] view, work in
            try await readModels.past.tables(
                of: view,
                isFixed: try log.isPast(view.point),
                for: reader.holder,
                work
            )
        }
    }
}

extension EventLog {
    /// Whether nothing that is appended from now on belongs to a point.
    fileprivate func isPast(_ point: AsOf.Point) throws -> Bool {
        switch point {
        case .position(let position): return position.rawValue < size
        case .time(let time):
            // Recorded time never goes back, but the next entry may have the time of the last.
            guard size > 0 else { return false }
            let last = try entries(from: LogPosition(size - 1), limit: 1).first
            return last.map { time < $0.envelope.time } ?? false
        }
    }
}
