// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import ProjectionsTesting
import TestSupport
import Testing

@testable import Projections

@Suite(.tags(.promise6), .timeLimit(.minutes(10))) struct `A query of a read model` {
    /// What may read or sort more than one case has, each with its reason.
    private static let allowed: [(model: String, text: String, reason: String)] = [
        ("check-ins", "FROM round_point WHERE next_at <", "what is due, and goes then"),
        ("check-ins", "WHERE schedule IS NOT NULL", "tours are set up by hand, and all are wanted"),
        ("alert-queue", "WHERE state IN ('queued', 'partly_sent')", "what waits to be sent"),
        ("alert-queue", "FROM template", "wordings are written by hand, and all are wanted"),
        ("alert-queue", "FROM chain", "chains are written by hand, and all are wanted"),
        ("alert-queue", "FROM rota", "rotas are written by hand, and all are wanted"),
        ("alert-queue", "WHERE part.state = 'queued'", "what waits to be sent"),
        ("alert-queue", "WHERE state = 'queued' AND channel", "what waits to be sent"),
        ("deadlines", "FROM start_limit WHERE expires_at <=", "what is due, and goes then"),
        ("deadlines", "FROM request_limit WHERE expires_at <=", "what is due, and goes then"),
        ("deadlines", "FROM stream WHERE state = ?1 AND last_at <=", "streams that are silent now"),
        ("deadlines", "SELECT min(", "one row, the first of an index"),
        ("deadlines", "FROM policy", "a row for each kind of policy"),
        ("hourly-trends", "FROM trend_count", "what was counted in the hours that were asked for"),
        ("hourly-trends", "FROM trend_sample", "what was measured in these hours"),
        ("hourly-trends", "FROM trend_session", "the sessions of these hours"),
        ("hourly-trends", "FROM trend_queue", "what stood in the queue from these hours on"),
        ("pushes", "FROM due JOIN device", "what is worth a push now"),
        ("pushes", "FROM delivery WHERE state IN", "pushes that are under way"),
        ("recordings", "local_date >=", "the recordings of the days that were asked for"),
        ("telephony", "FROM stranger", "callers who wait, of whom there is a limit"),
        ("telephony", "FROM trunk", "a row for each trunk, and all are wanted"),
        ("cameras", "SELECT sum(bytes)", "the files of one camera, one for each hour that is kept"),
        ("registry", "FROM hold", "holds are placed by hand, and all are wanted"),
        ("registry", "FROM erased ORDER BY position", "all are wanted, when the gateway starts"),
    ]

    @Test(arguments: allProjectors.indices)
    func `reads and sorts no more than its answer, however long the ledger is`(
        number: Int
    ) async throws {
        var evening = try Evening()
        try evening.unlinkSecond()
        let projector = allProjectors[number]
        let model = projector.identity.name
        let plans = try await queryPlans(of: projector, evening.script.events) { database in
            try await ReadModelQueries(database, evening).all()
        }
        #expect(!plans.isEmpty)
        let allowed = Self.allowed.filter { $0.model == model }
        for plan in plans where !allowed.contains(where: { plan.work.sql.contains($0.text) }) {
            #expect(
                plan.faults.isEmpty,
                "\(model): \(plan.work.sql)\n\(plan.work.plan.joined(separator: "\n"))"
            )
        }
        for exception in allowed {
            #expect(
                plans.contains { $0.work.sql.contains(exception.text) && !$0.faults.isEmpty },
                "nothing needs the exception for \(exception.text) (\(exception.reason))"
            )
        }
    }

    @Test func `is asked here, whichever it is`() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let asked = try String(
            contentsOf: tests.appending(path: "ReadModelQueries.swift"),
            encoding: .utf8
        )
        let sources = tests.appending(path: "../../../Sources/Projections").standardizedFileURL
        let files = try #require(
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        )
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            guard text.contains("await database.read {") else { continue }
            for match in text.matches(of: /public func (\w+)\([^{]*async throws/) {
                count += 1
                #expect(asked.contains(".\(match.1)("), "\(file.lastPathComponent): \(match.1)")
            }
        }
        #expect(count > 50)
    }
}
