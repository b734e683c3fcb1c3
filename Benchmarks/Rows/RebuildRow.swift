// SPDX-License-Identifier: Apache-2.0
import Baselines
import Events
import EventsTesting
import Foundation
import Projections

/// A read model built from the log, beside a bulk insert of the same rows in C.
struct RebuildRow {
    let count: Int
    let projector: any Projector

    func run() async throws -> [Row] {
        try await withScratch { folder in
            let log = try EventLog.open(
                folder,
                configuration: LogConfiguration(
                    origin: "bench.example.org/main",
                    keys: SeededKeys()
                )
            )
            try await record(in: log)
            let read = folder.appending(path: "read")
            let took = try await Self.build(projector, from: log, in: read)
            let name = projector.identity.name
            let file = read.appending(path: "\(name)-\(projector.identity.version).sqlite").path
            let baseline = baseline_sqlite_copy(file, folder.appending(path: "copy.sqlite").path)
            let events = Double(log.size)
            await log.close()
            return [
                Row(
                    name: "rebuild of \(name), rate",
                    value: events / took,
                    unit: "events/s",
                    baseline: nil,
                    ratio: nil,
                    target: 150_000,
                    higherIsBetter: true
                ),
                Row(
                    name: "rebuild of \(name), beside raw SQLite",
                    value: events / took,
                    unit: "events/s",
                    baseline: events / baseline,
                    ratio: baseline / took,
                    target: 0.4,
                    higherIsBetter: true
                ),
            ]
        }
    }

    private func record(in log: EventLog) async throws {
        // Many histories side by side, so that commits are shared and the ledger is soon filled.
        let histories = 64
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in 0..<histories {
                group.addTask {
                    var history = PlausibleHistory(
                        seed: UInt64(seed),
                        events: count / histories
                    )
                    try await history.record(in: log)
                }
            }
            try await group.waitForAll()
        }
    }

    /// The seconds until a read model has the whole log.
    static func build(
        _ projector: any Projector,
        from log: EventLog,
        in folder: URL
    ) async throws -> Double {
        let runner = ProjectionRunner(
            folder: folder,
            log: log,
            projectors: [projector],
            keys: SeededKeys()
        )
        return try await seconds {
            let running = Task { try await runner.run() }
            try await runner.wait(
                for: LogPosition(log.size - 1),
                on: projector.identity.name,
                timeout: .seconds(600)
            )
            running.cancel()
            _ = await running.result
        }
    }
}
