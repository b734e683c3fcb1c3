// SPDX-License-Identifier: Apache-2.0
public import Events

/// What happened in each hour, in numbers; `Documentation/Trends.md` defines every one.
public struct HourlyTrends: Sendable {
    /// The rows.
    public let database: ReadDatabase

    public init(_ database: ReadDatabase) {
        self.database = database
    }

    /// The percentiles of waiting times.
    public static let percentiles = [50, 90, 95, 99]

    /// Of which time each number is.
    public enum Grouping: String, Hashable, Sendable, CaseIterable {
        /// Of each hour in which anything was counted.
        case hour
        /// Of the whole time that is asked for; its rows bear the time's first hour, and none tells of a queue, which stands
        /// at a moment.
        case period
    }

    /// The numbers of the hours in which anything was counted, by hour, metric and dimension.
    ///
    /// - Parameters:
    ///   - grouping: Of each hour, or of all together.
    ///   - scope: Whose numbers; those of all organisations come together as one.
    ///   - start: The first hour, or the hour that this moment lies in; `nil` from the beginning.
    ///   - end: The first moment that is not wanted any more; `nil` to the end.
    ///   - last: When the newest entry of the log was recorded: an hour that goes on is known until then only.
    /// - Returns: The rows; hours without any are left out.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func rows(
        by grouping: Grouping = .hour,
        in scope: Scope,
        from start: Timestamp? = nil,
        until end: Timestamp? = nil,
        knownTo last: Timestamp
    ) async throws -> [TrendRow] {
        let wanted = Wanted(
            scope: scope,
            first: start?.hour ?? Timestamp(microseconds: .min),
            last: end ?? Timestamp(microseconds: .max)
        )
        return try await database.read { view in
            var rows = try counts(in: view, wanted) + sessions(in: view, wanted)
            let samples = try samples(in: view, wanted)
            if grouping == .period { return period(of: rows, samples, from: start?.hour) }
            rows += samples.flatMap { $0.key.rows(of: $0.value) }
            let hours = Set(rows.map(\.hour)).sorted()
            for name in ["chats", "alerts"] {
                rows += try queue(name, at: hours, knownTo: last, in: view, scope)
            }
            return rows.sorted()
        }
    }

    /// Whose numbers, of which hours.
    private struct Wanted: Sendable {
        let scope: Scope
        let first: Timestamp
        let last: Timestamp

        func query(_ head: String) -> Query {
            var query = Query(head)
            query.filter("hour >= ?", first)
            query.filter("hour < ?", last)
            query.filter(scope)
            return query
        }
    }

    private func counts(in view: ReadTransaction, _ wanted: Wanted) throws -> [TrendRow] {
        var query = wanted.query("SELECT hour, metric, dimension, sum(value) FROM trend_count")
        query.group(by: "hour, metric, dimension")
        return try view.all(query) { row in
            TrendRow(
                hour: try row.time(),
                metric: try row.text(),
                dimension: try row.text(),
                value: try row.integer()
            )
        }
    }

    private func sessions(in view: ReadTransaction, _ wanted: Wanted) throws -> [TrendRow] {
        var query = wanted.query(
            "SELECT hour, channel || '/' || outcome, count(*) FROM trend_session"
        )
        query.group(by: "hour, channel, outcome")
        return try view.all(query) { row in
            TrendRow(
                hour: try row.time(),
                metric: "sessions",
                dimension: try row.text(),
                value: try row.integer()
            )
        }
    }

    /// What was measured in each hour, the shortest first.
    private func samples(
        in view: ReadTransaction,
        _ wanted: Wanted
    ) throws -> [SampleGroup: [Int]] {
        var samples: [SampleGroup: [Int]] = [:]
        var query = wanted.query("SELECT hour, metric, milliseconds FROM trend_sample")
        query.order(by: "hour, metric, milliseconds")
        let found = try view.all(query) { row in
            (SampleGroup(hour: try row.time(), metric: try row.text()), try row.integer())
        }
        for (group, milliseconds) in found { samples[group, default: []].append(milliseconds) }
        return samples
    }

    /// The same of all hours together: percentiles are of all samples, not of the hours' percentiles.
    private func period(
        of counts: [TrendRow],
        _ samples: [SampleGroup: [Int]],
        from start: Timestamp?
    ) -> [TrendRow] {
        let hours = counts.map(\.hour) + samples.keys.map(\.hour)
        guard let first = start ?? hours.min() else { return [] }
        var sums: [TrendName: Int] = [:]
        for row in counts {
            sums[TrendName(metric: row.metric, dimension: row.dimension), default: 0] += row.value
        }
        var measured: [String: [Int]] = [:]
        for (group, values) in samples { measured[group.metric, default: []] += values }
        let rows = sums.map { name, value in
            TrendRow(hour: first, metric: name.metric, dimension: name.dimension, value: value)
        }
        return
            (rows
            + measured.flatMap { SampleGroup(hour: first, metric: $0).rows(of: $1.sorted()) })
            .sorted()
    }

    private func queue(
        _ name: String,
        at hours: [Timestamp],
        knownTo known: Timestamp,
        in view: ReadTransaction,
        _ scope: Scope
    ) throws -> [TrendRow] {
        guard let first = hours.first, let last = hours.last else { return [] }
        let end = last + .seconds(3_600)
        // Two queries, each led by its index: what had left before the first hour counts in none.
        let waiting = try stays(name, in: view, scope, until: end) { $0.filter("until_at IS NULL") }
        let left = try stays(name, in: view, scope, until: end) {
            $0.filter("until_at >= ?", first)
        }
        let stays = (waiting + left).sorted { $0.from < $1.from }
        return QueueSweep(stays).rows(of: name, at: hours, knownTo: known)
    }

    /// What came into a queue before a time, of those that a condition leaves.
    private func stays(
        _ queue: String,
        in view: ReadTransaction,
        _ scope: Scope,
        until end: Timestamp,
        where narrow: (inout Query) -> Void
    ) throws -> [(from: Timestamp, until: Timestamp?)] {
        var query = Query("SELECT from_at, until_at FROM trend_queue")
        query.filter("queue = ?", queue)
        narrow(&query)
        query.filter("from_at < ?", end)
        query.filter(scope)
        return try view.all(query) { (from: try $0.time(), until: try $0.optionalTime()) }
    }
}

/// What one number is called.
private struct TrendName: Hashable {
    let metric: String
    let dimension: String
}

/// The samples of one metric in one hour.
private struct SampleGroup: Hashable {
    let hour: Timestamp
    let metric: String

    /// - Parameter sorted: At least one sample, the shortest first.
    /// - Returns: Their count and the percentiles.
    func rows(of sorted: [Int]) -> [TrendRow] {
        let count = row("count", sorted.count)
        return [count] + HourlyTrends.percentiles.map { row("p\($0)", nearestRank($0, of: sorted)) }
    }

    private func row(_ dimension: String, _ value: Int) -> TrendRow {
        TrendRow(hour: hour, metric: "\(metric)_ms", dimension: dimension, value: value)
    }
}

/// The nearest-rank percentile: the smallest value that at least so many per cent do not exceed.
///
/// - Parameters:
///   - percent: 1 to 100.
///   - sorted: At least one value, the smallest first.
/// - Returns: One of the values.
func nearestRank(_ percent: Int, of sorted: [Int]) -> Int {
    sorted[(percent * sorted.count + 99) / 100 - 1]
}

/// Finds depth and oldest age of a queue at the end of each hour, or of what is known of it, in one pass.
struct QueueSweep {
    private let stays: [(from: Timestamp, until: Timestamp?)]
    private let ends: [Timestamp]

    /// - Parameter stays: By their beginning.
    init(_ stays: [(from: Timestamp, until: Timestamp?)]) {
        self.stays = stays
        ends = stays.compactMap(\.until).sorted()
    }

    func rows(of queue: String, at hours: [Timestamp], knownTo last: Timestamp) -> [TrendRow] {
        var begun = 0
        var ended = 0
        var oldest = 0
        return hours.flatMap { hour in
            let end = hour + .seconds(3_600)
            while begun < stays.count, stays[begun].from < end { begun += 1 }
            while ended < ends.count, ends[ended] < end { ended += 1 }
            while oldest < begun, let until = stays[oldest].until, until < end { oldest += 1 }
            let seen = min(end, last).microseconds
            let age = oldest < begun ? max(0, seen - stays[oldest].from.microseconds) / 1_000 : 0
            return [
                TrendRow(hour: hour, metric: "queue_depth", dimension: queue, value: begun - ended),
                TrendRow(hour: hour, metric: "queue_oldest_ms", dimension: queue, value: Int(age)),
            ]
        }
    }
}
