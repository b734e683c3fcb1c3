// SPDX-License-Identifier: Apache-2.0
import Metrics
import Testing

@testable import Gateway

@Suite struct `Metrics as Prometheus text` {
    @Test func `show counters, gauges and histograms`() {
        let registry = PrometheusRegistry()
        Counter(label: "events", dimensions: [("kind", "a\"b\\c\nd")], factory: registry)
            .increment(by: 3)
        Counter(label: "events", dimensions: [("kind", "x")], factory: registry).increment()
        Gauge(label: "queue.depth", factory: registry).record(2.5)
        let timer = Metrics.Timer(label: "append_seconds", dimensions: [], factory: registry)
        timer.recordNanoseconds(2_000_000)
        timer.recordNanoseconds(60_000_000_000)
        let lines = registry.text().split(separator: "\n").map(String.init)
        #expect(lines.contains("# TYPE daybook_events_total counter"))
        #expect(lines.contains("daybook_events_total{kind=\"a\\\"b\\\\c\\nd\"} 3"))
        #expect(lines.contains("daybook_events_total{kind=\"x\"} 1"))
        #expect(lines.contains("daybook_queue_depth 2.5"))
        #expect(lines.contains("daybook_append_seconds_bucket{le=\"0.001\"} 0"))
        #expect(lines.contains("daybook_append_seconds_bucket{le=\"0.0025\"} 1"))
        #expect(lines.contains("daybook_append_seconds_bucket{le=\"+Inf\"} 2"))
        #expect(lines.contains("daybook_append_seconds_count 2"))
        #expect(lines.filter { $0 == "# TYPE daybook_events_total counter" }.count == 1)
    }

    @Test func `drop further series when there are too many, and say so`() {
        let registry = PrometheusRegistry(seriesMax: 2)
        for number in 0..<5 {
            Counter(label: "c", dimensions: [("n", "\(number)")], factory: registry).increment()
        }
        #expect(registry.snapshot().numbers.count == 2)
        #expect(registry.text().contains("daybook_metrics_dropped_total 3"))
    }
}
