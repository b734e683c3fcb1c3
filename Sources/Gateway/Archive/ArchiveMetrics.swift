// SPDX-License-Identifier: Apache-2.0
import Metrics

/// What live video counts and measures.
struct ArchiveMetrics: Sendable {
    private let archived: Metrics.Timer
    private let late: Counter
    private let inspected: Metrics.Timer

    /// Promise 9: a chunk is safe within this time of arriving.
    static let promised = Duration.seconds(1)

    init(_ factory: any MetricsFactory) {
        archived = Metrics.Timer(label: "archive_seconds", dimensions: [], factory: factory)
        late = Counter(label: "archive_late", factory: factory)
        inspected = Metrics.Timer(label: "inspection_seconds", dimensions: [], factory: factory)
    }

    /// Notes that pictures are on disk and in the log.
    ///
    /// - Parameters:
    ///   - chunks: In how many chunks.
    ///   - since: When the oldest of them came.
    func noteArchived(_ chunks: Int, since: ContinuousClock.Instant) {
        guard chunks > 0 else { return }
        let waited = ContinuousClock.now - since
        archived.recordNanoseconds(waited.wholeNanoseconds)
        if waited > Self.promised { late.increment(by: chunks) }
    }

    /// Notes that a chunk was looked at so long after it was archived.
    func noteInspected(after waited: Duration) {
        inspected.recordNanoseconds(waited.wholeNanoseconds)
    }
}

extension Duration {
    fileprivate var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
