// SPDX-License-Identifier: Apache-2.0
public import Events
public import Foundation

/// How many reports there were, how fast somebody answered and how they ended, for one kind of animal, area, month or agency.
///
/// What a person told is not in it, so it outlives an erasure.
public struct ReportStatistics: Hashable, Sendable {
    /// The kind of animal, the area's cell, the month (`2026-11`) or the agency's id; empty where it is not known.
    public let key: String
    /// Without those that were joined to another one.
    public private(set) var reports = 0
    /// Reports of the same animals as others.
    public private(set) var duplicates = 0
    public private(set) var open = 0
    public private(set) var outcomes: [ReportStatus: Int] = [:]
    private var acknowledging: [Int] = []
    private var arriving: [Int] = []

    /// What the reports are grouped by.
    public enum Grouping: String, CaseIterable, Sendable {
        case species, area, month, agency
    }

    /// Seconds from the report that half and nine tenths of the cases did not exceed.
    public struct Times: Hashable, Sendable {
        public let count: Int
        public let p50: Int
        public let p90: Int

        /// `nil` of no times.
        init?(_ seconds: [Int]) {
            guard !seconds.isEmpty else { return nil }
            let sorted = seconds.sorted()
            count = sorted.count
            (p50, p90) = (nearestRank(50, of: sorted), nearestRank(90, of: sorted))
        }
    }

    /// Until somebody acknowledged; `nil` where nobody did.
    public var untilAcknowledged: Times? { Times(acknowledging) }
    /// Until somebody was there; `nil` where nobody was.
    public var untilArrived: Times? { Times(arriving) }

    private init(key: String) {
        self.key = key
    }

    fileprivate mutating func count(_ row: Row) {
        guard !row.isJoined else {
            duplicates += 1
            return
        }
        reports += 1
        if row.status.isFinal { outcomes[row.status, default: 0] += 1 } else { open += 1 }
        if let seconds = row.seconds(to: row.acknowledgedAt) { acknowledging.append(seconds) }
        if let seconds = row.seconds(to: row.arrivedAt) { arriving.append(seconds) }
    }

    /// What one report counts for.
    fileprivate struct Row {
        let position: LogPosition
        let species: String
        let cell: String?
        let agency: AgencyID?
        let status: ReportStatus
        let submittedAt: Timestamp
        let acknowledgedAt: Timestamp?
        let arrivedAt: Timestamp?
        let isJoined: Bool

        init(_ row: inout RowReader) throws {
            position = try row.position()
            species = try row.text()
            cell = try row.optionalText()
            agency = try row.optional()
            status = try row.word()
            submittedAt = try row.time()
            acknowledgedAt = try row.optionalTime()
            arrivedAt = try row.optionalTime()
            isJoined = try row.integer() == 1
        }

        func seconds(to end: Timestamp?) -> Int? {
            end.map { Int(($0.microseconds - submittedAt.microseconds) / 1_000_000) }
        }

        func key(by grouping: Grouping, in zone: TimeZone) -> String {
            switch grouping {
            case .species: species
            case .area: cell ?? ""
            case .agency: agency.map { "\($0)" } ?? ""
            case .month: String(submittedAt.local(in: zone).description.prefix(7))
            }
        }
    }

    /// Groups rows, by their keys.
    fileprivate static func of(
        _ rows: [Row],
        by grouping: Grouping,
        in zone: TimeZone,
        into groups: inout [String: ReportStatistics]
    ) {
        for row in rows {
            let key = row.key(by: grouping, in: zone)
            groups[key, default: ReportStatistics(key: key)].count(row)
        }
    }
}

extension Timestamp {
    /// The time that a clock in a zone shows.
    fileprivate func local(in zone: TimeZone) -> Timestamp {
        let moment = Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
        return self + .seconds(zone.secondsFromGMT(for: moment))
    }
}

extension Reports {
    /// Counts the reports of the scope's organisation.
    ///
    /// - Parameters:
    ///   - grouping: By what.
    ///   - scope: Whose reports.
    ///   - start: Only reports submitted then or later.
    ///   - end: Only reports submitted before.
    ///   - zone: In which months begin.
    /// - Returns: A group each, by their keys; a report counts in one.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func statistics(
        by grouping: ReportStatistics.Grouping,
        in scope: Scope,
        from start: Timestamp? = nil,
        until end: Timestamp? = nil,
        zone: TimeZone
    ) async throws -> [ReportStatistics] {
        var (groups, before): ([String: ReportStatistics], LogPosition?) = ([:], nil)
        while true {
            let rows = try await database.read { [before] view in
                var query = Query(
                    """
                    SELECT number, species, cell, agency, status, submitted_at, acknowledged_at,
                    arrived_at, joined_to IS NOT NULL FROM report
                    """
                )
                query.filter(scope)
                query.filter("submitted_at >= ?", start)
                query.filter("submitted_at < ?", end)
                query.filter("number < ?", before)
                query.order(by: "number DESC", limit: ProjectionLimits.listRowsMax)
                return try view.all(query, read: ReportStatistics.Row.init)
            }
            ReportStatistics.of(rows, by: grouping, in: zone, into: &groups)
            guard rows.count == ProjectionLimits.listRowsMax, let last = rows.last else {
                return groups.values.sorted { $0.key < $1.key }
            }
            before = last.position
        }
    }
}
