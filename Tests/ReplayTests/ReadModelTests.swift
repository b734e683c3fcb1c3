// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import Replay
import TestSupport
import Testing

/// Promise 6: read models are disposable, and one that was touched is found.
@Suite(.tags(.promise5)) struct `Verifying read models` {
    @Test func `finds rebuilt ones equal and names the table of an edited row`() async throws {
        let keys = SeededKeys()
        let ledger = try await AuditedLedger(events: 1_200, keys: keys)
        let rebuilt = try await RebuildReadModels.run([], at: ledger.url, keys: keys)
        #expect(rebuilt.count >= 8)
        var report = try await ledger.verify { $0.keys = keys }
        #expect(!report.findings.contains { $0.place.contains("read model") }, "\(report.text())")
        #expect(report.checks.contains { $0.name == "read models" })
        // Whatever its version is by now.
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: ledger.url.path + "/read").first {
                $0.hasPrefix("incident-timeline-") && $0.hasSuffix(".sqlite") && !$0.contains(".g")
            }
        )
        let file = ledger.url.appending(path: "read/\(name)")
        let edit = try AuditedLedger.run(
            program: "/usr/bin/sqlite3",
            [
                file.path,
                "UPDATE entry SET actor = 'operator/nobody' WHERE position = (SELECT min(position) FROM entry)",
            ]
        )
        try #require(edit.code == 0, "\(edit.errors)")
        report = try await ledger.verify { $0.keys = keys }
        #expect(
            report.findings.contains {
                $0.severity == .repairable && $0.place.contains("incident-timeline")
                    && $0.fact.contains("table entry")
            },
            "\(report.text())"
        )
        _ = try await RebuildReadModels.run(["incident-timeline"], at: ledger.url, keys: keys)
        report = try await RebuildReadModels.check([], at: ledger.url, keys: keys)
        #expect(report.verdict.isSound, "\(report.text())")
    }

    @Test func `counts trends from the log as the read model does`() async throws {
        let ledger = try await AuditedLedger(events: 1_200)
        let trends = try await Trends(of: ledger.url)
        #expect(trends.rows.contains { $0.metric == "sessions" && $0.value > 0 })
        #expect(trends.csv.hasPrefix("hour,metric,dimension,value\n"))
        let run = try AuditedLedger.run("trends", "sessions", "--csv", "--data", ledger.url.path)
        #expect(run.code == 0, "\(run.errors)")
        let some = trends.csv.split(separator: "\n").filter { $0.contains(",sessions,") }
        #expect(some.allSatisfy { String(decoding: run.out, as: UTF8.self).contains($0) })
    }
}
