// SPDX-License-Identifier: Apache-2.0
public import Events
public import Foundation
import Projections

/// What happened in each hour, in numbers, counted from the log itself.
public struct Trends: Sendable {
    /// One number of one hour.
    public struct Row: Codable, Hashable, Sendable {
        /// The beginning of the hour, in UTC.
        public let hour: String
        public let metric: String
        public let dimension: String
        public let value: Int
    }

    private let found: [TrendRow]
    /// What was not counted, because nobody can read it.
    public let leftOut: [UnreadableEntries]

    /// Counts the entries of a ledger; see `Documentation/Trends.md` for what each number means.
    ///
    /// What cannot be read is left out and named; it ends nothing.
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder.
    ///   - organisation: Whose numbers; `nil` for those of the whole ledger, together.
    ///   - metric: Which numbers: a metric, or what metrics begin with; all if `nil`.
    ///   - start: The first hour, an RFC 3339 time; `nil` from the beginning.
    ///   - end: The first moment that is not wanted any more; `nil` to the end.
    ///   - progress: Hears how far it has come, on any thread.
    /// - Throws: ``TimelineError`` for a time that is none; `EventLogError` when the log cannot be read.
    public init(
        of folder: URL,
        organisation: String? = nil,
        metric: String? = nil,
        from start: String? = nil,
        until end: String? = nil,
        progress: @escaping @Sendable (VerifyProgress) -> Void = { _ in }
    ) async throws {
        let scope = try Self.scope(organisation)
        let (first, last) = (try Self.time(start), try Self.time(end))
        let ledger = try LedgerReader.open(folder, usingIndex: false)
        defer { ledger.close() }
        let size = try ledger.size()
        let pages = ReadablePages(ledger, below: size, of: HourlyTrendsProjector().kinds)
        let rows = try await StoredReadModel.scratch(
            [HourlyTrendsProjector()],
            from: EntrySource(ledger),
            through: LogPosition(size),
            keys: NoKeys(),
            pages: { pages.page(from: $0) },
            progress: { progress(VerifyProgress(stage: "trends", done: $0, of: size)) },
            query: {
                try await HourlyTrends($0[0]).rows(
                    in: scope,
                    from: first,
                    until: last,
                    knownTo: pages.newest
                )
            }
        )
        leftOut = pages.leftOut
        found = rows.filter { metric == nil || $0.metric.hasPrefix(metric ?? "") }
    }

    private static func scope(_ organisation: String?) throws -> Scope {
        guard let organisation else { return .wholeLedger }
        guard let id = OrganisationID(organisation) else {
            throw TimelineError.notAnOrganisation(organisation)
        }
        return Scope(organisation: id, reader: .everything)
    }

    private static func time(_ text: String?) throws -> Timestamp? {
        guard let text else { return nil }
        guard let time = Timestamp(text) else { throw TimelineError.notAMoment(text) }
        return time
    }

    /// The rows, by hour, metric and dimension.
    public var rows: [Row] {
        found.map { row in
            Row(
                hour: "\(row.hour.description.prefix(19))Z",
                metric: row.metric,
                dimension: row.dimension,
                value: row.value
            )
        }
    }

    /// The rows as CSV: `hour,metric,dimension,value`.
    public var csv: String { TrendRow.csv(found) }

    /// The rows as a table for people, an hour as a paragraph.
    public func text(_ style: TextStyle = .plain) -> String {
        let missing = UnreadableEntries.lines(leftOut, style)
        guard !found.isEmpty else {
            return (["Nothing was counted."] + missing).joined(separator: "\n")
        }
        let width = found.map { $0.metric.count + $0.dimension.count + 1 }.max() ?? 0
        var lines: [String] = []
        var hour: Timestamp?
        for row in found {
            if row.hour != hour {
                if hour != nil { lines.append("") }
                lines.append(style.bold("\(row.hour.description.prefix(16))Z"))
                hour = row.hour
            }
            let name =
                row.dimension.isEmpty ? row.metric : "\(row.metric) \(row.dimension.printable)"
            lines.append("  \(name.padded(to: width))  \(row.value)")
        }
        if !missing.isEmpty { lines += [""] + missing }
        return lines.joined(separator: "\n")
    }
}
