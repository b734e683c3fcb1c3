// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import Projections

/// An incident as it was, from the log alone: asked for the desk, whose tables need few of its events, and for the timeline,
/// which needs all.
struct AsOfRow {
    let events: Int
    private let asked = 9

    func run() async throws -> [Row] {
        try await withScratch { folder in
            let story = LongIncident(events: events)
            let reference = CaseReference(story.incident)
            let filling = try open(folder)
            try await story.record(in: filling)
            await filling.close()
            let log = try open(folder)
            let asOf = AsOf(EntrySource(log), keys: FixedKeys())
            let point = AsOf.Point.position(LogPosition(log.size - 1))
            let rows = [
                try await row("desk") {
                    try await !asOf.operatorDesk(of: reference, at: point)
                        .sessions(of: reference).isEmpty
                },
                try await row("timeline") {
                    let timeline = try await asOf.timeline(of: reference, at: point)
                    return try await timeline.timeline(of: reference).count == events
                },
            ]
            await log.close()
            return rows
        }
    }

    private func open(_ folder: URL) throws -> EventLog {
        try EventLog.open(
            folder,
            configuration: LogConfiguration(origin: "bench.example.org/main", keys: FixedKeys())
        )
    }

    private func row(_ view: String, _ ask: () async throws -> Bool) async throws -> Row {
        var took: [Double] = []
        for _ in 0..<asked {
            took.append(
                try await seconds {
                    guard try await ask() else { throw Nothing() }
                } * 1e3
            )
        }
        return Row(
            name: "\(view) of an incident of \(events) events as of its end, p50",
            value: median(took),
            unit: "ms",
            baseline: nil,
            ratio: nil,
            target: 50,
            higherIsBetter: false
        )
    }

    struct Nothing: Error {}
}
