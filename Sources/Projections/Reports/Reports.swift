// SPDX-License-Identifier: Apache-2.0
public import Events
import Foundation

/// The reports of animals and how far each has come.
public struct Reports: Sendable {
    /// The rows.
    public let database: ReadDatabase

    public init(_ database: ReadDatabase) {
        self.database = database
    }

    /// Which reports are wanted; what is `nil` does not filter.
    public struct Filter: Hashable, Sendable {
        public var statuses: Set<ReportStatus>?
        public var species: String?
        public var reporter: PersonID?
        public var submittedFrom: Timestamp?
        public var submittedBefore: Timestamp?
        /// Only reports submitted before this position: the cursor, newest first.
        public var before: LogPosition?
        /// At most ``ProjectionLimits/listRowsMax``.
        public var limit = 100

        public init() {}
    }

    /// Reports of the scope's organisation, newest first.
    public func reports(
        _ filter: Filter = Filter(),
        in scope: Scope
    ) async throws -> [FieldReport] {
        try await database.read { view in
            var query = Query(FieldReport.selection)
            if let statuses = filter.statuses {
                let words = statuses.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
                // By number: what is in several states would have to be sorted.
                query.filter("+status IN (\(words))")
            }
            query.filter("species = ?", filter.species)
            query.filter(leading: "reporter = ?", filter.reporter)
            query.filter(scope)
            query.filter("submitted_at >= ?", filter.submittedFrom)
            query.filter("submitted_at < ?", filter.submittedBefore)
            query.filter("number < ?", filter.before)
            query.order(by: "number DESC", limit: bounded(filter.limit))
            return try view.all(query, read: FieldReport.init)
        }
    }

    /// One report, if it is in the scope's organisation.
    public func report(_ id: ReportID, in scope: Scope) async throws -> FieldReport? {
        try await database.read { view in
            var query = Query(FieldReport.selection)
            query.filter(leading: "id = ?", id)
            query.filter(scope)
            return try view.all(query, read: FieldReport.init).first
        }
    }

    /// The steps of a report's status, oldest first.
    public func history(of report: ReportID) async throws -> [ReportChange] {
        try await database.read { view in
            try view.all(
                """
                SELECT position, from_status, to_status, by, note, at FROM report_change
                WHERE report = ?1 ORDER BY position
                """,
                report,
                read: ReportChange.init
            )
        }
    }

    /// Reports within a distance of a place, nearest first; those whose place was erased are left out.
    ///
    /// - Parameters:
    ///   - centre: Where the rescuers are.
    ///   - metres: How far they see.
    ///   - scope: Whose reports.
    ///   - filter: Which reports; its limit says how many of the nearest are wanted.
    ///   - keys: Open the places, which stand sealed in the rows.
    /// - Returns: The reports, each with its distance.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now; what opening a place throws if its row is damaged.
    public func reports(
        near centre: Fix,
        withinMetres metres: Double,
        in scope: Scope,
        _ filter: Filter = Filter(),
        keys: any PersonKeys
    ) async throws -> [(report: FieldReport, metres: Double)] {
        var near: [(report: FieldReport, metres: Double)] = []
        var page = filter
        page.limit = ProjectionLimits.listRowsMax
        while true {
            let found = try await reports(page, in: scope)
            for report in found {
                guard let fix = try report.fix.opened(with: keys).value else { continue }
                let distance = centre.metres(to: fix)
                if distance <= metres { near.append((report, distance)) }
            }
            near.sort { $0.metres < $1.metres }
            near.removeLast(max(0, near.count - filter.limit))
            guard found.count == page.limit, let last = found.last else { return near }
            page.before = last.submittedPosition
        }
    }
}

extension Fix {
    /// The way over the ground to another place, on a sphere of 6,371,008.8 m (haversine).
    public func metres(to other: Fix) -> Double {
        let toRadians = Double.pi / 180
        let latitudes = (latitude * toRadians, other.latitude * toRadians)
        let northing = (latitudes.1 - latitudes.0) / 2
        let easting = (other.longitude - longitude) * toRadians / 2
        let chord =
            sin(northing) * sin(northing)
            + cos(latitudes.0) * cos(latitudes.1) * sin(easting) * sin(easting)
        return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
    }
}
