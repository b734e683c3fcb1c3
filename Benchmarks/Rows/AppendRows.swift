// SPDX-License-Identifier: Apache-2.0
import Baselines
import Events
import EventsTesting
import Foundation

/// Durable appends, beside raw LMDB with the same bytes and the same mean number of entries a commit.
struct AppendRows {
    let count: Int
    private let turnCount = 7

    func outstanding() async throws -> Row {
        try await concurrent(
            "append ready entries, 512 outstanding, everything indexed",
            writers: 512,
            target: 0.6
        ) { folder, bytes, batch in baseline_lmdb_append(folder, count, bytes, batch) }
    }

    func blocking() async throws -> Row {
        try await concurrent(
            "append by 64 blocking writers, beside the same loop",
            writers: 64,
            target: 0.8
        ) { folder, bytes, _ in baseline_lmdb_append_group(folder, count, bytes, 64) }
    }

    /// In turns, because a disk is fast now and slow then; the row is the turn with the median ratio.
    private func concurrent(
        _ name: String,
        writers: Int,
        target: Double,
        baseline: (_ folder: String, _ bytes: Int, _ batch: Int) -> Double
    ) async throws -> Row {
        var turns: [(rate: Double, baseline: Double, batch: Int)] = []
        for _ in 0..<turnCount {
            let (rate, bytes, batch) = try await withScratch { folder in
                try await daybook(folder, writers: writers)
            }
            let baseline = try await withScratch { folder in
                Double(count) / baseline(folder.path, bytes, batch)
            }
            turns.append((rate, baseline, batch))
        }
        turns.sort { $0.rate / $0.baseline < $1.rate / $1.baseline }
        let turn = turns[turns.count / 2]
        return Row(
            name: "\(name) (\(turn.batch) a commit)",
            value: turn.rate,
            unit: "entries/s",
            baseline: turn.baseline,
            ratio: turn.rate / turn.baseline,
            target: target,
            higherIsBetter: true
        )
    }

    private func daybook(
        _ folder: URL,
        writers: Int
    ) async throws -> (rate: Double, bytes: Int, batch: Int) {
        let log = try EventLog.open(
            folder,
            configuration: LogConfiguration(origin: "bench.example.org/main", keys: NoKeys())
        )
        let supply = try EntrySupply(count: count, log: log)
        let took = try await seconds {
            try await supply.append(to: log, writers: writers)
            // The index is part of the work: closing writes what it does not have yet.
            await log.close()
        }
        let statistics = log.statistics
        let bytes =
            try EntryStore.open(folder).bytes(at: LogPosition(UInt64(count / 2)))?.count ?? 0
        return (Double(count) / took, bytes, max(1, statistics.events / statistics.commits))
    }

    func single() async throws -> Row {
        let commits = min(2_000, count)
        let (mine, bytes) = try await withScratch { folder in
            let log = try EventLog.open(
                folder,
                configuration: LogConfiguration(origin: "bench.example.org/main", keys: NoKeys())
            )
            let ready = try EntrySupply(count: commits, log: log).ready
            var latencies: [Double] = []
            for append in ready {
                latencies.append(try await seconds { try await log.append(append) } * 1e6)
            }
            await log.close()
            return (
                median(latencies), try EntryStore.open(folder).bytes(at: LogPosition(1))?.count ?? 0
            )
        }
        let baseline = try await withScratch { folder in
            var latencies = [Double](repeating: 0, count: commits)
            _ = baseline_lmdb_append_each(folder.path, commits, bytes, &latencies)
            return median(latencies)
        }
        return Row(
            name: "one blocking append, p50",
            value: mine,
            unit: "µs",
            baseline: baseline,
            ratio: mine / baseline,
            target: 2,
            higherIsBetter: false
        )
    }
}

func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
}
