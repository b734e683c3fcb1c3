// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

extension Verify {
    /// Compares in full what looks as if it had been used before: fingerprints are short, and only the texts tell.
    ///
    /// - Parameters:
    ///   - log: What was read.
    ///   - entries: Gives the entries at some positions.
    mutating func checkRepetitions(
        _ log: LogVerification,
        _ entries: (Set<UInt64>) throws -> [UInt64: Entry]
    ) {
        let repetitions = log.merge.repetitions
        guard !repetitions.isEmpty else { return }
        do {
            let found = try entries(Set(repetitions.flatMap { [$0.position, $0.earlier] }))
            for one in repetitions {
                guard let later = found[one.position]?.envelope,
                    let earlier = found[one.earlier]?.envelope
                else { continue }
                addRepetition(one, later, earlier)
            }
        } catch {
            add(.damage, "log/data.mdb", "\(error)", "restore it from a backup")
        }
    }

    private mutating func addRepetition(
        _ one: LogMerge.Repetition,
        _ later: Envelope,
        _ earlier: Envelope
    ) {
        let fact: String
        switch one.what {
        case .id where later.id == earlier.id: fact = "its id was used before"
        case .command where later.command == earlier.command && later.actor == earlier.actor:
            fact = "its command of the same actor was taken before"
        default: return
        }
        add(
            Finding(
                .damage,
                place: "log position \(one.position)",
                position: one.position,
                "\(fact), at position \(one.earlier)",
                advice: "compare the entry with an export or a backup from before"
            )
        )
    }

    /// Entries of a log that another process could read to its end.
    static func entries(_ positions: Set<UInt64>, of folder: URL) throws -> [UInt64: Entry] {
        let ledger = try LedgerReader.open(folder, usingIndex: false)
        defer { ledger.close() }
        var found: [UInt64: Entry] = [:]
        for position in positions {
            // An envelope that cannot be read is damage by itself, and was found.
            found[position] = try? ledger.entry(at: LogPosition(position))
        }
        return found
    }
}
