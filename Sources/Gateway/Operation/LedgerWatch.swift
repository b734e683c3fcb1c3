// SPDX-License-Identifier: Apache-2.0
import Events
import Logging

/// Tells what the log and its clock keep to themselves: as standings in `/readyz`, and with a line when it is news.
///
/// None of it keeps the ledger from taking events, and all of it ends badly when nobody hears of it.
struct LedgerWatch: Sendable {
    /// What is looked at, as `/readyz` has it.
    enum Part: String, CaseIterable {
        case signing
        case index
        case clock
        case clockMark = "clock mark"
    }

    let ledger: Ledger

    /// Looks until it is cancelled.
    func run() async throws {
        while true {
            look()
            try await Task.sleep(for: LedgerMetrics.interval)
        }
    }

    /// Looks once.
    func look() {
        let faults = ledger.log.faults
        for part in Part.allCases {
            switch part {
            case .signing: show(faults.signing, of: part)
            case .index: show(faults.index, of: part)
            case .clock: show(ledger.log.clock.standing.fault, of: part)
            case .clockMark: show(faults.clockMark, of: part)
            }
        }
    }

    private func show(_ fault: String?, of part: Part) {
        let (name, standings) = (part.rawValue, ledger.standings)
        standings.begin(name, .toKeepHouse)
        guard let fault else {
            guard standings.recover(name) else { return }
            return ledger.logger.notice("it is well again", metadata: ["part": "\(name)"])
        }
        // It is one fault for as long as it is the same, however often somebody looks.
        guard standings.fault(of: name) != fault, standings.fail(name, fault) else { return }
        ledger.logger.error(
            "the ledger goes on with a fault",
            metadata: ["part": "\(name)", "error": "\(fault)"]
        )
    }
}
