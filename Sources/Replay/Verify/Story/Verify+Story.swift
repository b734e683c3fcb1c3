// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

extension Verify {
    /// Tells the whole log to the rules of the domain: bytes may be right and the story impossible.
    mutating func checkStory() {
        let start = ContinuousClock.now
        var rules = DomainRules()
        let decoder = EventDecoder()
        do {
            let ledger = try LedgerReader.open(folder, usingIndex: false)
            defer { ledger.close() }
            var next = LogPosition(0)
            while next.rawValue < report.size {
                let page = try ledger.entries(from: next)
                guard let last = page.last else { break }
                for entry in page { rules.apply(try decoder.decode(entry)) }
                next = last.envelope.position.next
                progress(VerifyProgress(stage: "story", done: next.rawValue, of: report.size))
            }
        } catch {
            // What cannot be read was found by the check of the entries.
            report.notLookedAt.append("the story behind what cannot be read: \(error)")
        }
        for breach in rules.broken {
            add(
                Finding(
                    .damage,
                    place: "log position \(breach.position)",
                    position: breach.position.rawValue,
                    breach.description,
                    advice: "find out who recorded it, and by which program"
                )
            )
        }
        report.damageCount += rules.brokenCount - rules.broken.count
        report.add("story", "\(rules.sessionsEnded) sessions told to their end", since: start)
    }
}
