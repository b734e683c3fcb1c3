// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Projections

/// Reports as files for other systems, and what analysts count.
extension ReportRoutes {
    var exports: [Route] {
        [
            Route(
                .get,
                "/v1/reports.csv",
                for: Self.exporters,
                reads: "report-export"
            ) { try await file($0, $1, as: .csv) },
            Route(
                .get,
                "/v1/reports.geojson",
                for: Self.exporters,
                reads: "report-export"
            ) { try await file($0, $1, as: .geoJSON) },
            Route(
                .get,
                "/v1/trends/reports",
                for: [.supervisor, .analyst, .auditor, .organisationAdmin, .admin, .service],
                statistics
            ),
        ]
    }

    private static let exporters: Askers = [
        .rescuer, .supervisor, .auditor, .organisationAdmin, .admin, .service,
    ]
    /// Reports in one file; the next one begins at the cursor.
    private static let fileRowsMax = 10_000

    private enum Form {
        case csv, geoJSON
    }

    private func file(
        _ request: Request,
        _ context: GatewayContext,
        as form: Form
    ) async throws -> Response {
        let reader = try context.signedIn()
        var filter = try filter(request, reader)
        try await ledger.awaitLevel(request, of: "reports")
        let sight = try await RescuerSight(of: reader, in: ledger)
        let keys = try await ledger.keys(
            toRead: Subject(unchecked: "reports/\(reader.organisation)"),
            context,
            fields: ["fix"]
        )
        var (found, next): ([FieldReport], LogPosition?) = ([], nil)
        repeat {
            filter.limit = min(ProjectionLimits.listRowsMax, Self.fileRowsMax - found.count)
            let page: [FieldReport]
            (page, next) = try await seen(filter, by: reader, sight, keys)
            found += page
            filter.before = next
        } while next != nil && found.count < Self.fileRowsMax
        let rows = try await rows(found, keys)
        let (type, text) =
            switch form {
            case .csv: ("text/csv; charset=utf-8", ReportRow.csv(rows))
            case .geoJSON:
                (
                    "application/geo+json",
                    String(
                        decoding: try JSONBody.encoder.encode(FeatureCollection(rows)),
                        as: UTF8.self
                    )
                )
            }
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
        if let next, let name = HTTPField.Name("Daybook-Next") { headers[name] = "\(next)" }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: .init(string: text)))
    }

    private func rows(_ reports: [FieldReport], _ keys: ReadingKeys) async throws -> [ReportRow] {
        let photos = try await ledger.readModels.reports.photos(of: reports.map(\.id))
        var names: [AgencyID: String] = [:]
        return try reports.map { report in
            if let agency = report.agency, names[agency] == nil {
                names[agency] = try agencyName(agency).name
            }
            return ReportRow(
                report,
                at: try report.fix.opened(with: keys).value,
                agency: report.agency.flatMap { names[$0] },
                photos: photos[report.id]?.count ?? 0
            )
        }
    }

    // MARK: - Numbers

    private enum StatisticsForm: String, CaseIterable {
        case json, csv
    }

    private func statistics(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> Response {
        let reader = try context.signedIn()
        let grouping: ReportStatistics.Grouping = try request.word("by") ?? .species
        let form: StatisticsForm? = try request.word("format")
        let (start, end) = (try request.time("from"), try request.time("until"))
        try await ledger.awaitLevel(request, of: "reports")
        let groups = try await ledger.readModels.reports.statistics(
            by: grouping,
            in: reader.scope,
            from: start,
            until: end,
            zone: ledger.configuration.timeZone
        )
        let rows = try groups.map { group in
            let agency = grouping == .agency ? AgencyID(group.key) : nil
            return ReportStatisticsRow(group, name: try agency.map { try agencyName($0).name })
        }
        guard form == .csv else {
            return try .json(StatisticsBody(by: grouping.rawValue, rows: rows))
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/csv; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: .init(string: ReportStatisticsRow.csv(rows)))
        )
    }

    private struct StatisticsBody: Encodable {
        let by: String
        let rows: [ReportStatisticsRow]
    }
}

/// A report in a file for other systems; the columns go by NOAA's Level A form (89-864), as far as a report tells.
private struct ReportRow {
    let report: FieldReport
    let place: Fix?
    let agency: String?
    let photos: Int

    init(_ report: FieldReport, at place: Fix?, agency: String?, photos: Int) {
        (self.report, self.place, self.agency, self.photos) = (report, place, agency, photos)
    }

    static func csv(_ rows: [ReportRow]) -> String {
        let head = [
            "field_id", "common_name", "date_of_initial_observation", "time_utc", "latitude",
            "longitude", "accuracy_metres", "condition_code", "condition", "size_class", "agency",
            "status", "status_since", "photos", "same_animal_as",
        ]
        return CSVText.of([head] + rows.map(\.fields))
    }

    private var fields: [String] {
        let submitted = report.submittedAt.description
        return [
            "\(report.id)", report.species, String(submitted.prefix(10)),
            String(submitted.dropFirst(11).prefix(8)), place.map { "\($0.latitude)" } ?? "",
            place.map { "\($0.longitude)" } ?? "", place?.accuracyMetres.map { "\($0)" } ?? "",
            report.condition.levelA.map(String.init) ?? "", report.condition.rawValue,
            report.sizeClass.rawValue, agency ?? "", report.status.rawValue,
            "\(report.changedAt)", String(photos), report.joinedTo.map { "\($0)" } ?? "",
        ]
    }
}

extension ReportSubmitted.Condition {
    /// The code of NOAA's Level A form; `nil` where the report does not tell so much.
    fileprivate var levelA: Int? {
        switch self {
        case .alive, .injured, .entangled: 1
        case .freshDead: 2
        case .moderatelyDecomposed: 3
        case .advancedDecomposition: 4
        case .mummified: 5
        case .dead, .unknown: nil
        }
    }
}

/// Reports as GeoJSON (RFC 7946); one whose place is not known has no geometry.
private struct FeatureCollection: Encodable {
    let type = "FeatureCollection"
    let features: [Feature]

    init(_ rows: [ReportRow]) {
        features = rows.map(Feature.init)
    }

    struct Feature: Encodable {
        let type = "Feature"
        let id: String
        let geometry: Point?
        let properties: Properties

        init(_ row: ReportRow) {
            id = "\(row.report.id)"
            geometry = row.place.map { Point(coordinates: [$0.longitude, $0.latitude]) }
            properties = Properties(
                species: row.report.species,
                sizeClass: row.report.sizeClass,
                condition: row.report.condition,
                conditionCode: row.report.condition.levelA,
                status: row.report.status,
                agency: row.agency,
                submittedAt: row.report.submittedAt,
                changedAt: row.report.changedAt,
                photos: row.photos,
                duplicateOf: row.report.joinedTo
            )
        }

        enum CodingKeys: String, CodingKey {
            case type, id, geometry, properties
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(type, forKey: .type)
            try container.encode(id, forKey: .id)
            // The standard wants the member, also where nothing is known.
            try container.encode(geometry, forKey: .geometry)
            try container.encode(properties, forKey: .properties)
        }
    }

    struct Point: Encodable {
        let type = "Point"
        let coordinates: [Double]
    }

    struct Properties: Encodable {
        let species: String
        let sizeClass: ReportSubmitted.SizeClass
        let condition: ReportSubmitted.Condition
        let conditionCode: Int?
        let status: ReportStatus
        let agency: String?
        let submittedAt: Timestamp
        let changedAt: Timestamp
        let photos: Int
        let duplicateOf: ReportID?
    }
}

/// One group of the analysts' numbers.
private struct ReportStatisticsRow: Encodable {
    let key: String
    let name: String?
    let reports: Int
    let duplicates: Int
    let open: Int
    let acknowledged: Int
    let minutesToAcknowledge: Minutes?
    let arrived: Int
    let minutesToArrive: Minutes?
    let outcomes: [String: Int]

    /// Minutes from the report that half and nine tenths of the cases did not exceed.
    struct Minutes: Encodable {
        let p50: Double
        let p90: Double

        init(_ times: ReportStatistics.Times) {
            (p50, p90) = (Double(times.p50) / 60, Double(times.p90) / 60)
        }
    }

    init(_ group: ReportStatistics, name: String?) {
        key = group.key
        self.name = name
        reports = group.reports
        duplicates = group.duplicates
        open = group.open
        let (answered, there) = (group.untilAcknowledged, group.untilArrived)
        (acknowledged, arrived) = (answered?.count ?? 0, there?.count ?? 0)
        (minutesToAcknowledge, minutesToArrive) = (
            answered.map(Minutes.init), there.map(Minutes.init)
        )
        outcomes = Dictionary(
            uniqueKeysWithValues: Self.outcomes.map { ($0.rawValue, group.outcomes[$0] ?? 0) }
        )
    }

    private static let outcomes = ReportStatus.allCases.filter(\.isFinal)

    static func csv(_ rows: [ReportStatisticsRow]) -> String {
        let head =
            [
                "key", "name", "reports", "duplicates", "open", "acknowledged",
                "minutes_to_acknowledge_p50", "minutes_to_acknowledge_p90", "arrived",
                "minutes_to_arrive_p50", "minutes_to_arrive_p90",
            ] + outcomes.map(\.rawValue)
        return CSVText.of([head] + rows.map(\.fields))
    }

    private var fields: [String] {
        func text(_ minutes: Double?) -> String { minutes.map { "\($0)" } ?? "" }
        return [
            key, name ?? "", "\(reports)", "\(duplicates)", "\(open)", "\(acknowledged)",
            text(minutesToAcknowledge?.p50), text(minutesToAcknowledge?.p90), "\(arrived)",
            text(minutesToArrive?.p50), text(minutesToArrive?.p90),
        ] + Self.outcomes.map { "\(outcomes[$0.rawValue] ?? 0)" }
    }
}
