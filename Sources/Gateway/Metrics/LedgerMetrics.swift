// SPDX-License-Identifier: Apache-2.0
import Events
import Metrics
import Projections

/// Shows the log and the read models in `/metrics`, every two seconds.
struct LedgerMetrics: Sendable {
    static let interval = Duration.seconds(2)

    let ledger: Ledger
    let metrics: PrometheusRegistry

    /// Notes until it is cancelled.
    func run() async throws {
        while true {
            note()
            try noteSigning()
            try await Task.sleep(for: Self.interval)
        }
    }

    private func note() {
        let size = ledger.log.size
        set("log_events", Double(size))
        let statistics = ledger.log.statistics
        set("log_commits", Double(statistics.commits))
        set("log_read_only", ledger.log.readOnlyReason == nil ? 0 : 1)
        for state in ledger.readModels.runner.states {
            let model = [("model", state.identity.name)]
            set("read_model_behind", Double(size - min(size, state.reached)), model)
            set("read_model_serving", state.isServing ? 1 : 0, model)
        }
        set("person_keys", Double(ledger.keys.count))
        for (outcome, count) in ledger.accounts.counts.all {
            set("sign_ins", Double(count), [("outcome", outcome.rawValue)])
        }
        for (reason, count) in ledger.strangers.totals {
            set("strangers_refused", Double(count), [("reason", reason.rawValue)])
        }
    }

    /// How much no checkpoint covers yet, and for how long.
    func noteSigning() throws {
        let log = ledger.log
        let (signed, size) = (log.signedSize, log.size)
        let oldest = signed < size ? try log.entry(at: LogPosition(signed)) : nil
        set("unsigned_events", Double(size - min(size, signed)))
        let waits = oldest.map { ledger.now - $0.envelope.time } ?? .zero
        set("unsigned_seconds", max(0, waits / .seconds(1)))
        set("clock_lead_seconds", log.clock.standing.lead / .seconds(1))
    }

    private func set(_ label: String, _ value: Double, _ dimensions: [(String, String)] = []) {
        Meter(label: label, dimensions: dimensions, factory: metrics).set(value)
    }
}
