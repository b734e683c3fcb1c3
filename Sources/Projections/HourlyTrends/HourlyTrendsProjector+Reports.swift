// SPDX-License-Identifier: Apache-2.0
import Events

extension HourlyTrendsProjector {
    static let reports = Handlers {
        On(ReportSubmitted.self) { _, event, rows in
            count("reports", ReportStatus.submitted.rawValue, 1, event, in: rows)
            rows.run(
                "INSERT OR REPLACE INTO trend_report VALUES (?1, ?2)",
                event.subjectName,
                event.time
            )
        }
        On(ReportStatusChanged.self) { changed, event, rows in
            count("reports", changed.to.rawValue, 1, event, in: rows)
            let submitted = rows.first(
                "SELECT submitted_at FROM trend_report WHERE id = ?1",
                event.subjectName
            ) { try $0.time() }
            guard let submitted else { return }
            sample("report_answered", event.subjectName, from: submitted, to: event, in: rows)
            rows.run("DELETE FROM trend_report WHERE id = ?1", event.subjectName)
        }
    }
}
