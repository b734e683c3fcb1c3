// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import TestSupport
import Testing

@testable import Projections

@Suite(.timeLimit(.minutes(10))) struct `The trends counted again in Python` {
    /// `DAYBOOK_TREND_EVENTS` asks for more than the few thousand of every run.
    private var wanted: Int {
        ProcessInfo.processInfo.environment["DAYBOOK_TREND_EVENTS"].flatMap { Int($0) } ?? 3_000
    }

    @Test func `are the same file, byte for byte, over an export of made-up weeks`() async throws {
        let folder = try TemporaryFolder()
        let history = PlausibleHistory(seed: SeededGenerator.environmentSeed, events: wanted)
        let events = Array(RecordedHistory(history, keys: SeededKeys()))
        let file = try ProjectionFile(
            inMemory: HourlyTrendsProjector(),
            origin: "daybook.example.org/main",
            keys: NoKeys()
        )
        _ = try file.apply(try #require(onePage(events)))
        try await file.finishBuilding()
        let trends = HourlyTrends(
            ReadDatabase(file.projector.identity, serving: file.connections)
        )
        let ours = TrendRow.csv(
            try await trends.rows(
                in: .wholeLedger,
                knownTo: try #require(events.last).envelope.time
            )
        )
        let lines = folder.url.appending(path: "export.ndjson")
        try export(events, to: lines)
        let theirs = try python(reading: lines)
        #expect(ours == theirs)
        #expect(ours.split(separator: "\n").count > 20)
    }

    /// Writes what the counting reads of each entry, as an export has it.
    private func export(_ events: [RecordedEvent], to url: URL) throws {
        let encoder = EventEncoder(keys: SeededKeys())
        let text = try events.map { event in
            let place = event.envelope
            let data = try encoder.encode(event.fact, id: place.id)
            let claimed = place.occurredAt.map { #""occurredat":"\#($0)","# } ?? ""
            return """
                {"data":\(String(decoding: data, as: UTF8.self)),\(claimed)"subject":"\(place.subject)",\
                "time":"\(place.time)","type":"\(place.kind)"}
                """
        }
        try Data(text.joined(separator: "\n").utf8).write(to: url)
    }

    private func python(reading url: URL) throws -> String {
        let tools = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Tools/trends.py")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", tools.standardizedFileURL.path]
        process.standardInput = try FileHandle(forReadingFrom: url)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: output, as: UTF8.self)
    }
}
