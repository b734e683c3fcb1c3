// SPDX-License-Identifier: Apache-2.0
import Metrics
import Synchronization

/// A backend of swift-metrics that is read as Prometheus text.
///
/// Counters become counters with the suffix `_total`, meters and unaggregated recorders gauges,
/// timers (in seconds) and aggregated recorders histograms. Holds at most `seriesMax` series; a
/// further one is counted in `daybook_metrics_dropped_total` and otherwise ignored, so that a
/// label with many values cannot fill the memory.
final class PrometheusRegistry: MetricsFactory {
    /// One series: a name with its labels, sorted.
    struct Series: Hashable, Comparable {
        let name: String
        let labels: String

        static func < (left: Self, right: Self) -> Bool {
            (left.name, left.labels) < (right.name, right.labels)
        }
    }

    private struct State {
        var numbers: [Series: MetricNumber] = [:]
        var histograms: [Series: MetricHistogram] = [:]
        var dropped = 0
    }

    private let state = Mutex(State())
    private let seriesMax: Int

    /// - Parameter seriesMax: How many series are held.
    init(seriesMax: Int = 10_000) {
        self.seriesMax = seriesMax
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        number(Self.name(label, suffix: "_total"), dimensions, kind: .counter)
    }

    func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        number(Self.name(label, suffix: "_total"), dimensions, kind: .counter)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        number(Self.name(label), dimensions, kind: .gauge)
    }

    func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return number(Self.name(label), dimensions, kind: .gauge) }
        return histogram(label, dimensions, bounds: MetricHistogram.sizes)
    }

    /// Sets a counter that somebody else counts, such as the system.
    func setCounter(_ label: String, _ value: Double, _ dimensions: [(String, String)] = []) {
        number(Self.name(label, suffix: "_total"), dimensions, kind: .counter).set(value)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions, bounds: MetricHistogram.seconds)
    }

    // A series lives as long as the process: a counter that went away would go back to 0.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    /// Every series at this moment, in a steady order.
    func snapshot() -> (
        numbers: [(Series, MetricNumber)], histograms: [(Series, MetricHistogram)], dropped: Int
    ) {
        let state = state.withLock { ($0.numbers, $0.histograms, $0.dropped) }
        return (
            state.0.map { ($0, $1) }.sorted { $0.0 < $1.0 },
            state.1.map { ($0, $1) }.sorted { $0.0 < $1.0 }, state.2
        )
    }

    private func number(
        _ name: String,
        _ dimensions: [(String, String)],
        kind: MetricNumber.Kind
    ) -> MetricNumber {
        let series = Series(name: name, labels: Self.labels(dimensions))
        return state.withLock { state in
            if let known = state.numbers[series] { return known }
            let new = MetricNumber(kind: kind)
            if admits(&state) { state.numbers[series] = new }
            return new
        }
    }

    private func histogram(
        _ label: String,
        _ dimensions: [(String, String)],
        bounds: [Double]
    ) -> MetricHistogram {
        let series = Series(name: Self.name(label), labels: Self.labels(dimensions))
        return state.withLock { state in
            if let known = state.histograms[series] { return known }
            let new = MetricHistogram(bounds: bounds)
            if admits(&state) { state.histograms[series] = new }
            return new
        }
    }

    private func admits(_ state: inout State) -> Bool {
        guard state.numbers.count + state.histograms.count < seriesMax else {
            state.dropped += 1
            return false
        }
        return true
    }
}
