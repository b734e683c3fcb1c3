// SPDX-License-Identifier: Apache-2.0
public import Events
public import Foundation

/// One number of one hour.
public struct TrendRow: Hashable, Sendable {
    /// The beginning of the hour, in UTC.
    public let hour: Timestamp
    /// What is counted, such as `sessions` or `claim_wait_ms`.
    public let metric: String
    /// Of which kind: `video/expired`, `p95`; empty where there is only one.
    public let dimension: String
    public let value: Int

    public init(hour: Timestamp, metric: String, dimension: String, value: Int) {
        self.hour = hour
        self.metric = metric
        self.dimension = dimension
        self.value = value
    }
}

extension TrendRow: Comparable {
    /// By hour, then metric, then dimension, each by its bytes.
    public static func < (left: TrendRow, right: TrendRow) -> Bool {
        if left.hour != right.hour { return left.hour < right.hour }
        if left.metric != right.metric {
            return left.metric.utf8.lexicographicallyPrecedes(right.metric.utf8)
        }
        return left.dimension.utf8.lexicographicallyPrecedes(right.dimension.utf8)
    }
}

extension TrendRow {
    /// The hour as people at the site read it, with its distance from UTC: `2026-10-25T02:00+01:00`.
    ///
    /// On the day when clocks go back two hours have the same time of day; the distance tells them apart.
    public func localHour(in zone: TimeZone) -> String {
        let moment = Date(timeIntervalSince1970: Double(hour.microseconds) / 1_000_000)
        let offset = zone.secondsFromGMT(for: moment)
        let minutes = abs(offset) / 60
        let clock = (hour + .seconds(offset)).description.prefix(16)
        let sign = offset < 0 ? "-" : "+"
        return "\(clock)\(sign)\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
    }

    /// Writes rows as CSV: `hour,metric,dimension,value`.
    public static func csv(_ rows: [TrendRow]) -> String {
        let head = ["hour", "metric", "dimension", "value"]
        return CSVText.of([head] + rows.map(\.fields))
    }

    private var fields: [String] {
        ["\(hour.description.prefix(19))Z", metric, dimension, "\(value)"]
    }
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
