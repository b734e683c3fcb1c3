// SPDX-License-Identifier: Apache-2.0
import Metrics
import Synchronization

/// A counter or a gauge.
final class MetricNumber: CounterHandler, FloatingPointCounterHandler, MeterHandler,
    RecorderHandler
{
    /// What the number means.
    enum Kind: String {
        case counter
        case gauge
    }

    let kind: Kind
    private let number = Mutex(0.0)

    init(kind: Kind) {
        self.kind = kind
    }

    var value: Double { number.withLock { $0 } }

    func increment(by amount: Int64) { number.withLock { $0 += Double(amount) } }
    func increment(by amount: Double) { number.withLock { $0 += amount } }
    func decrement(by amount: Double) { number.withLock { $0 -= amount } }
    func set(_ value: Int64) { number.withLock { $0 = Double(value) } }
    func set(_ value: Double) { number.withLock { $0 = value } }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }
    func reset() { number.withLock { $0 = 0 } }
}

/// How values are spread: counts up to each bound, their number and sum.
final class MetricHistogram: RecorderHandler, TimerHandler {
    /// Bounds for durations in seconds.
    static let seconds = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    /// Bounds for counts and bytes.
    static let sizes = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576.0]

    /// The state at one moment.
    struct Reading: Hashable {
        /// The upper bounds with the number of values at or below each.
        var cumulative: [Int]
        var count: Int
        var sum: Double
    }

    let bounds: [Double]
    private let reading: Mutex<Reading>

    init(bounds: [Double]) {
        self.bounds = bounds
        reading = Mutex(
            Reading(cumulative: Array(repeating: 0, count: bounds.count), count: 0, sum: 0)
        )
    }

    var current: Reading { reading.withLock { $0 } }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        reading.withLock { reading in
            reading.count += 1
            reading.sum += value
            for (index, bound) in bounds.enumerated() where value <= bound {
                reading.cumulative[index] += 1
            }
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }
}
