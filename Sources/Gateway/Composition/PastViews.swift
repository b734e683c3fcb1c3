// SPDX-License-Identifier: Apache-2.0
import Events
import Projections
import Synchronization
import Threads

/// Makes views as of a point on threads of its own, a few at a time, and keeps the last.
///
/// Whoever asks for the past keeps nobody waiting who asks for the present: reading the log and writing tables blocks a
/// thread for as long as the incident is large.
final class PastViews: Sendable {
    /// One thread.
    private actor Bench {
        private let thread = DedicatedThread(name: "as-of")

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            thread.asUnownedSerialExecutor()
        }

        func make(_ work: @Sendable () throws -> AsOf.Tables) throws -> AsOf.Tables { try work() }
    }

    private struct Waiter {
        let ticket: UInt64
        let continuation: CheckedContinuation<Int?, Never>
    }

    private struct Kept {
        let tables: AsOf.Tables
        var lastUse: UInt64
    }

    private struct State {
        var free = Array(0..<GatewayLimits.pastViewsAtOnce)
        var waiting: [Waiter] = []
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
    ///   - work: Makes it, on one of the threads.
    /// - Returns: Its tables.
    /// - Throws: ``ProblemType/unavailable`` with `Retry-After` while too many wait; `CancellationError`, also when whoever
    ///   asked has left; what the work throws.
    func tables(
        of view: AsOf.View,
        isFixed: Bool,
        _ work: @escaping @Sendable () throws -> AsOf.Tables
    ) async throws -> AsOf.Tables {
        if let kept = use(view) { return kept }
        return try await Departure.cancelling {
            try await self.made(view, isFixed: isFixed, work)
        }
    }

    private func made(
        _ view: AsOf.View,
        isFixed: Bool,
        _ work: @escaping @Sendable () throws -> AsOf.Tables
    ) async throws -> AsOf.Tables {
        guard let number = try await bench() else { throw CancellationError() }
        defer { release(number) }
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
    private func bench() async throws -> Int? {
        let ticket = state.withLock { state in
            state.count += 1
            return state.count
        }
        if state.withLock({ $0.free.isEmpty && $0.waiting.count >= GatewayLimits.pastViewsWaiting })
        {
            throw Problem.tryLater(
                .unavailable,
                "others look at the past already, as many as may at a time; ask again"
            )
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let number: Int?? = state.withLock { state in
                    if Task.isCancelled { return .some(nil) }
                    if let number = state.free.popLast() { return number }
                    state.waiting.append(Waiter(ticket: ticket, continuation: continuation))
                    return nil
                }
                if let number { continuation.resume(returning: number) }
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

    private func release(_ number: Int) {
        let next = state.withLock { state -> Waiter? in
            guard !state.waiting.isEmpty else {
                state.free.append(number)
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.continuation.resume(returning: number)
    }
}

extension Ledger {
    /// Answers as it was at an earlier point, from the log alone.
    var asOf: AsOf { past() }

    /// The same, for views that may read so many entries.
    func past(entriesMax: Int = ProjectionLimits.asOfEntriesMax) -> AsOf {
        AsOf(EntrySource(log), keys: keys, entriesMax: entriesMax) { [log, readModels] view, work in
            try await readModels.past.tables(of: view, isFixed: try log.isPast(view.point), work)
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
