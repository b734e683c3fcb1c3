// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Projections

/// The analysts' hourly numbers, as JSON or CSV; they tell of nobody (ruling 32).
struct TrendRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/trends",
                for: [.supervisor, .analyst, .auditor, .organisationAdmin, .admin, .service],
                trends
            )
        ]
    }

    /// The forms of the answer.
    private enum Form: String, CaseIterable {
        case json, csv
    }

    private struct TrendsBody: Encodable {
        /// The site's time zone, in which `localHour` is told.
        let timeZone: String
        let rows: [Row]

        struct Row: Encodable {
            let hour: Timestamp
            let localHour: String
            let metric: String
            let dimension: String
            let value: Int
        }
    }

    private func trends(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let reader = try context.signedIn()
        let form: Form? = try request.word("format")
        let grouping: HourlyTrends.Grouping? = try request.word("by")
        let wantsCSV = request.headers[.accept]?.contains("text/csv") == true
        let start = try request.time("from")
        let end = try request.time("until")
        try await ledger.awaitLevel(request, of: "hourly-trends")
        let rows = try await ledger.readModels.trends.rows(
            by: grouping ?? .hour,
            in: reader.scope,
            from: start,
            until: end,
            knownTo: ledger.now
        )
        switch form ?? (wantsCSV ? .csv : .json) {
        case .csv: return Self.csv(rows)
        case .json: return try .json(body(rows))
        }
    }

    private func body(_ rows: [TrendRow]) -> TrendsBody {
        let zone = ledger.configuration.timeZone
        return TrendsBody(
            timeZone: zone.identifier,
            rows: rows.map { row in
                TrendsBody.Row(
                    hour: row.hour,
                    localHour: row.localHour(in: zone),
                    metric: row.metric,
                    dimension: row.dimension,
                    value: row.value
                )
            }
        )
    }

    private static func csv(_ rows: [TrendRow]) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/csv; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: TrendRow.csv(rows)))
        )
    }
}
