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
        /// Whether somebody still has something to do with it.
        public var isOpen: Bool?
        public var reporter: PersonID?
        public var submittedFrom: Timestamp?
        public var submittedBefore: Timestamp?
        /// Only reports that changed at this moment or later.
        public var changedFrom: Timestamp?
        /// Whether everybody may know of it: not hidden, and not joined to another one.
        public var isPublic: Bool?
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
            query.filter("is_open = ?", filter.isOpen.map { $0 ? 1 : 0 })
            query.filter(leading: "reporter = ?", filter.reporter)
            query.filter(scope)
            query.filter("submitted_at >= ?", filter.submittedFrom)
            query.filter("submitted_at < ?", filter.submittedBefore)
            query.filter("changed_at >= ?", filter.changedFrom)
            query.filter(
                "(is_hidden = 0 AND joined_to IS NULL) = ?",
                filter.isPublic.map { $0 ? 1 : 0 }
            )
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

    /// The reports that were joined to one, newest first.
    public func joined(to report: ReportID, in scope: Scope) async throws -> [FieldReport] {
        try await database.read { view in
            var query = Query(FieldReport.selection)
            query.filter(leading: "joined_to = ?", report)
            query.filter(scope)
            query.order(by: "number DESC", limit: ProjectionLimits.listRowsMax)
            return try view.all(query, read: FieldReport.init)
        }
    }

    /// The steps of a report's status, oldest first.
    public func history(of report: ReportID) async throws -> [ReportChange] {
        try await database.read { view in
            try view.all(
                """
                SELECT position, from_status, to_status, by, note, at, occurred_at FROM report_change
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
    ///   - isWanted: Whether the reader may see a report.
    /// - Returns: The reports, each with its distance.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now; what opening a place throws if its row is damaged.
    public func reports(
        near centre: Fix,
        withinMetres metres: Double,
        in scope: Scope,
        _ filter: Filter = Filter(),
        keys: any PersonKeys,
        where isWanted: (FieldReport) throws -> Bool = { _ in true }
    ) async throws -> [(report: FieldReport, metres: Double)] {
        var near: [(report: FieldReport, metres: Double)] = []
        var page = filter
        page.limit = ProjectionLimits.listRowsMax
        while true {
            let found = try await reports(page, in: scope)
            for report in found {
                guard let fix = try report.fix.opened(with: keys).value else { continue }
                let distance = centre.metres(to: fix)
                if try distance <= metres && isWanted(report) { near.append((report, distance)) }
            }
            near.sort { $0.metres < $1.metres }
            near.removeLast(max(0, near.count - filter.limit))
            guard found.count == page.limit, let last = found.last else { return near }
            page.before = last.submittedPosition
        }
    }

    /// To which agencies a report went, oldest first.
    public func assignments(of report: ReportID) async throws -> [ReportAssignment] {
        try await all(
            ReportAssignment.selection,
            of: report,
            read: ReportAssignment.init
        )
    }

    /// The photos of reports, oldest first.
    public func photos(of reports: [ReportID]) async throws -> [ReportID: [ReportPhoto]] {
        try await database.read { view in
            var photos: [ReportID: [ReportPhoto]] = [:]
            for report in reports {
                photos[report] = try view.all(
                    ReportPhoto.selection + " WHERE report = ?1 ORDER BY position",
                    report,
                    read: ReportPhoto.init
                )
            }
            return photos
        }
    }

    /// What rescuers wrote, oldest first.
    public func updates(of report: ReportID) async throws -> [ReportUpdate] {
        try await all(ReportUpdate.selection, of: report, read: ReportUpdate.init)
    }

    private func all<Row: Sendable>(
        _ selection: String,
        of report: ReportID,
        read: @escaping @Sendable (inout RowReader) throws -> Row
    ) async throws -> [Row] {
        try await database.read { view in
            try view.all(selection + " WHERE report = ?1 ORDER BY position", report, read: read)
        }
    }

    /// All reports that an agency has and has not acknowledged, oldest first.
    public func unacknowledged() async throws -> [ReportID] {
        var (all, after): ([ReportID], LogPosition?) = ([], nil)
        while true {
            let page = try await database.read { [after] view in
                var query = Query("SELECT id, number FROM report")
                query.filter(leading: "is_open = ?", 1)
                query.filter("number > ?", after)
                query.filter("status = ?", ReportStatus.submitted.rawValue)
                query.filter("agency IS NOT NULL")
                query.order(by: "number", limit: ProjectionLimits.listRowsMax)
                return try view.all(query) { (try $0.value() as ReportID, try $0.position()) }
            }
            all += page.map(\.0)
            guard page.count == ProjectionLimits.listRowsMax, let last = page.last else {
                return all
            }
            after = last.1
        }
    }

    /// All agencies of an organisation, or of all.
    public func agencies(of organisation: OrganisationID? = nil) async throws -> [AgencyID] {
        try await database.read { view in
            var query = Query("SELECT id FROM agency")
            query.filter(leading: "org = ?", organisation)
            query.order(by: "org, id", limit: Int(Int32.max))
            return try view.all(query) { try $0.value() }
        }
    }
}
