// SPDX-License-Identifier: Apache-2.0
import Baselines
import Events
import EventsTesting
import Foundation
import Glibc
import Replay

/// `verify` over a ledger, per second of processor time: its own and that of the process that walks over the files.
struct VerifyRows {
    let count: Int

    func run() async throws -> [Row] {
        try await withScratch { folder in
            let bytes = try await fill(folder)
            let root = try rootRate(folder)
            let baseline = baseline_openssl_sha256(bytes)
            return [
                row(
                    "verify, entries to root, a core (\(bytes) bytes each)",
                    root,
                    baseline: baseline,
                    target: 0.55
                ),
                row(
                    "verify --quick: canonical form, revisions, times, ids, root, a core",
                    try await rate(folder, isQuick: true),
                    target: 400_000
                ),
                row(
                    "verify: payloads, sealed envelopes and index besides, a core",
                    try await rate(folder, isQuick: false)
                ),
            ]
        }
    }

    private func row(
        _ name: String,
        _ rate: Double,
        baseline: Double? = nil,
        target: Double? = nil
    ) -> Row {
        Row(
            name: name,
            value: rate,
            unit: "entries/s",
            baseline: baseline,
            ratio: baseline.map { rate / $0 },
            target: target,
            higherIsBetter: true
        )
    }

    /// Reads all entries in this process and makes the root of them, as whoever trusts nothing but the files does.
    private func rootRate(_ folder: URL) throws -> Double {
        let store = try EntryStore.open(folder)
        var tree = MerkleFrontier()
        let before = processorSeconds()
        while tree.size < UInt64(count) {
            try store.page(from: LogPosition(tree.size)) { _, bytes in
                tree.append(.leaf(bytes))
                return true
            }
        }
        _ = tree.root
        return Double(count) / (processorSeconds() - before)
    }

    private static var signer: NoteSigner {
        get throws {
            try NoteSigner(name: "bench.example.org/main", seed: [UInt8](repeating: 7, count: 32))
        }
    }

    /// Makes the ledger; answers how long an entry is.
    private func fill(_ folder: URL) async throws -> Int {
        let signer = try Self.signer
        let configuration = LogConfiguration(origin: signer.name, keys: NoKeys(), signer: signer)
        let log = try EventLog.open(folder, configuration: configuration)
        try await EntrySupply(count: count, log: log).append(to: log, writers: 2_048)
        await log.close()
        return try EntryStore.open(folder).bytes(at: LogPosition(UInt64(count / 2)))?.count ?? 0
    }

    private func rate(_ folder: URL, isQuick: Bool) async throws -> Double {
        var options = VerifyOptions()
        options.isQuick = isQuick
        options.without = [.keys, .media, .blobs]
        options.vkeys = [try Self.signer.verifier.vkey]
        let before = processorSeconds()
        let report = try await Verify.ledger(at: folder, options: options)
        let took = processorSeconds() - before
        guard report.size == UInt64(count), report.verdict.isSound else {
            throw VerifyFailure(findings: report.findings.map { "\($0)" })
        }
        return Double(count) / took
    }

    struct VerifyFailure: Error {
        let findings: [String]
    }
}

/// Processor time of this process and of those it started and waited for.
private func processorSeconds() -> Double {
    [RUSAGE_SELF, RUSAGE_CHILDREN].reduce(0) { sum, whose in
        var usage = rusage()
        getrusage(__rusage_who_t(whose.rawValue), &usage)
        let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
        return sum + Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(microseconds) * 1e-6
    }
}
