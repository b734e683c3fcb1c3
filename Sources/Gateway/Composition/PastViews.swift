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
    private struct Kept {
        let tables: AsOf.Tables
        var lastUse: UInt64
    }

    private struct State {
        var kept: [AsOf.View: Kept] = [:]
        /// Counts uses, to tell which was the last.
        var uses: UInt64 = 0
        /// How often everything was forgotten.
        var forgotten = 0
    }

    private let threads = ThreadPool(
        name: "as-of",
        FairQueue.Limits(
            places: GatewayLimits.pastViewsAtOnce,
            placesOfHolder: GatewayLimits.pastViewsOfHolderAtOnce,
            waiting: GatewayLimits.pastViewsWaiting,
            ofHolder: GatewayLimits.pastViewsOfHolder
        )
    )
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
        do {
            return try await Departure.cancelling {
                try await self.threads.run(for: holder) {
                    // Somebody else may have asked for the same while this one waited.
                    if let kept = self.use(view) { return kept }
                    let forgotten = self.state.withLock { $0.forgotten }
                    let tables = try work()
                    if isFixed { self.keep(tables, of: view, unlessForgottenSince: forgotten) }
                    return tables
                }
            }
        } catch let full as FairQueue.Full {
            throw full.problem(
                ofHolder: "views of the past are being made for you; ask again when one is there",
                ofAll: "views of the past are being made for others, as many as may; ask again"
            )
        }
    }

    /// How many views are being made, and how many requests wait for a thread.
    var counts: (making: Int, waiting: Int) {
        let counts = threads.counts
        return (counts.taken, counts.waiting)
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
            state.uses += 1
            state.kept[view]?.lastUse = state.uses
            return state.kept[view]?.tables
        }
    }

    private func keep(_ tables: AsOf.Tables, of view: AsOf.View, unlessForgottenSince count: Int) {
        guard tables.entries <= GatewayLimits.pastViewEntriesKept else { return }
        state.withLock { state in
            guard state.forgotten == count else { return }
            state.uses += 1
            state.kept[view] = Kept(tables: tables, lastUse: state.uses)
            while state.kept.count > GatewayLimits.pastViewsKept,
                let oldest = state.kept.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
            {
                state.kept[oldest] = nil
            }
        }
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
