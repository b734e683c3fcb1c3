// SPDX-License-Identifier: Apache-2.0
import Baselines
import Events
import EventsTesting
import Foundation
import Projections

/// A search over the messages of a centre as an operator asks it, who may not read all of them, beside the same words asked of a plain full-text table.
struct SearchRow {
    let messages: Int
    private let asked = 200
    private let limit = 50

    func run() async throws -> [Row] {
        try await withScratch { folder in
            let history = SearchHistory(messages: messages)
            let log = try EventLog.open(
                folder,
                configuration: LogConfiguration(
                    origin: "bench.example.org/main",
                    keys: SeededKeys()
                )
            )
            try await history.record(in: log)
            let projector = OperatorDeskProjector()
            let read = folder.appending(path: "read")
            let took = try await RebuildRow.build(projector, from: log, in: read)
            let events = Double(log.size)
            let questions = history.questions(asked)
            let runner = ProjectionRunner(
                folder: read,
                log: log,
                projectors: [projector],
                keys: SeededKeys()
            )
            let desk = OperatorDesk(try runner.database(projector.identity.name))
            let mine = try await ask(questions, desk, as: history.reader)
            await log.close()
            let name = "\(projector.identity.name)-\(projector.identity.version).sqlite"
            let plain = try askPlain(
                questions,
                read.appending(path: name).path,
                folder.appending(path: "plain.sqlite").path
            )
            return rows(mine.sorted(), plain.sorted()) + [
                row("rebuild of the desk with its words, rate", events / took, "events/s")
            ]
        }
    }

    /// The milliseconds of each question, the second time that it is asked.
    private func ask(
        _ questions: [String],
        _ desk: OperatorDesk,
        as reader: UserID
    ) async throws -> [Double] {
        var search = OperatorDesk.Search()
        // One more than a page tells whether there is another, as the gateway asks.
        search.limit = limit + 1
        let scope = Scope(organisation: .main, reader: .desk(reader))
        var (took, found) = ([Double](), 0)
        for round in 0..<2 {
            for question in questions {
                search.text = question
                let spent = try await seconds {
                    let findings = try await desk.search(search, in: scope)
                    let isHidden = question == SearchHistory.hidden
                    guard findings.isEmpty || !isHidden else { throw OtherAnswer(question) }
                    found += findings.count
                }
                if round == 1 { took.append(spent * 1e3) }
            }
        }
        guard found > questions.count else { throw OtherAnswer("all") }
        return took
    }

    private func askPlain(_ questions: [String], _ from: String, _ to: String) throws -> [Double] {
        // As the search asks: all words, of which the last may be unfinished.
        let queries = questions.map { question in
            let words = question.split(separator: " ").map { "\"\($0)\"" }
            return words.joined(separator: " AND ") + " *"
        }
        var took = [Double](repeating: 0, count: queries.count)
        let texts = queries.map { strdup($0) }
        defer { for text in texts { free(text) } }
        let pointers = texts.map { UnsafePointer($0) }
        let code = baseline_sqlite_search(
            from,
            to,
            pointers,
            pointers.count,
            Int32(limit + 1),
            &took
        )
        guard code == 0 else { throw OtherAnswer("the plain table") }
        return took
    }

    private func rows(_ mine: [Double], _ plain: [Double]) -> [Row] {
        let of = "search over \(messages) messages"
        let late = mine.count * 95 / 100
        return [
            row("\(of), p50", median(mine), "ms", baseline: median(plain)),
            row("\(of), p95", mine[late], "ms", target: 100),
            row("\(of), p95 beside plain FTS5", mine[late], "ms", baseline: plain[late]),
            row("\(of), slowest", mine[mine.count - 1], "ms", baseline: plain[plain.count - 1]),
        ]
    }

    private func row(
        _ name: String,
        _ value: Double,
        _ unit: String,
        baseline: Double? = nil,
        target: Double? = nil
    ) -> Row {
        Row(
            name: name,
            value: value,
            unit: unit,
            baseline: baseline,
            ratio: baseline.map { value / $0 },
            target: target,
            higherIsBetter: false
        )
    }

    struct OtherAnswer: Error {
        let question: String

        init(_ question: String) { self.question = question }
    }
}
