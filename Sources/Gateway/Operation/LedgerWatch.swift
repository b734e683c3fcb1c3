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
            case .clock:
                let standing = ledger.log.clock.standing
                let isHeld = standing.heldSince != nil
                show(standing.fault, of: part, code: isHeld ? "clock held" : "clock behind")
            case .clockMark: show(faults.clockMark, of: part)
            }
        }
    }

    /// Shows one part; `code` is what it tells apart, `nil` where it has one fault alone.
    private func show(_ words: String?, of part: Part, code: String? = nil) {
        let (name, standings) = (part.rawValue, ledger.standings)
        standings.begin(name, .toKeepHouse)
        guard let words else {
            guard standings.recover(name) else { return }
            return ledger.logger.notice("it is well again", metadata: ["part": "\(name)"])
        }
        // It is one fault for as long as it is the same, however often somebody looks.
        let fault = Fault(code: code ?? name, words: words)
        guard standings.fault(of: name) != fault, standings.fail(name, fault) else { return }
        ledger.logger.error(
            "the ledger goes on with a fault",
            metadata: ["part": "\(name)", "error": "\(words)"]
        )
    }
}
