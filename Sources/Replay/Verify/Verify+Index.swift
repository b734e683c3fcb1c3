// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

extension Verify {
    /// Reads the index in another process; what is wrong with it is found, not thrown.
    mutating func readIndex() -> IndexSnapshot? {
        let file = folder.appending(path: "index/data.mdb")
        guard FileManager.default.fileExists(atPath: file.path) else {
            add(.note, "index", "there is none; it is made when the ledger is opened next")
            return nil
        }
        do {
            let snapshot = try IndexSnapshot.read(folder, with: options.program)
            for name in snapshot.foreignTables {
                add(
                    .note,
                    "index",
                    "it has the table \(name), which this program does not know and does not read",
                    "stop the gateway and delete the folder index; it is made again at the next start"
                )
            }
            guard snapshot.isUnsteady else { return snapshot }
            add(.note, "index", "it was written to while it was read without a lock; not compared")
        } catch WalkError.cannotStart(let reason) {
            report.notLookedAt.append("index (\(reason))")
        } catch {
            addIndexFault("it cannot be read: \(error)")
        }
        return nil
    }

    /// Reports how the index and the entries agree.
    mutating func checkIndex(_ log: LogVerification) {
        guard let index = log.merge.index else { return }
        let start = ContinuousClock.now
        guard index.snapshot.size <= log.merge.reached else {
            if log.isWhole {
                addIndexFault("it holds \(index.snapshot.size) entries, the log has \(log.size)")
            }
            return
        }
        for position in index.wrongLeaves.prefix(ReplayLimits.findingsPerCheckMax) {
            addLeaf(position)
        }
        if index.wrongLeaves.isEmpty {
            for (level, number) in index.wrongTiles.prefix(ReplayLimits.findingsPerCheckMax) {
                addIndexFault(
                    "tile \(Tile(level: level, index: number).path) is not that of the entries"
                )
            }
        }
        for (table, has, needs) in index.wrongTables {
            addIndexFault(
                has == needs
                    ? "table \(table) has \(has) rows that are not those of the entries"
                    : "table \(table) has \(has) rows, the entries give \(needs)"
            )
        }
        report.add(
            "index",
            "\(index.snapshot.size) entries, \(index.tileCount) tiles, \(IndexSums.Table.allCases.count) tables",
            since: start
        )
    }

    /// An entry whose leaf hash in the index is another one: which of the two is wrong, a checkpoint tells.
    private mutating func addLeaf(_ position: UInt64) {
        if let proved = report.provedSize, position < proved {
            addIndexFault(
                "the leaf hash of position \(position) is not that of the entry, which a checkpoint proves"
            )
        } else {
            let isContradicted = report.contradictedSize.map { position < $0 } ?? false
            add(
                Finding(
                    .damage,
                    place: "log position \(position)",
                    position: position,
                    isContradicted
                        ? "the entry is not the one that was indexed, and a signed checkpoint contradicts the log"
                        : "the entry is not the one that was indexed, and no checkpoint tells which is right",
                    advice: "compare the entry with an export or a backup from before"
                )
            )
        }
    }

    private mutating func addIndexFault(_ fact: String) {
        add(
            .repairable,
            "index",
            fact,
            "stop the gateway and delete the folder index; it is made again at the next start"
        )
    }
}

extension VerifyReport {
    /// Takes over what verifying the log gave.
    mutating func addLog(
        _ log: LogVerification,
        isQuick: Bool,
        since start: ContinuousClock.Instant
    ) {
        isOfLog = true
        size = log.merge.reached
        root = log.root?.hex
        add(log.findings)
        let sealed = log.merge.sealed
        var words =
            "\(size) entries, \(log.merge.byteCount) bytes, \(log.merge.subjectCount) subjects"
        if !isQuick {
            words += ", \(sealed.count) sealed fields"
            if sealed.opened > 0 { words += ", \(sealed.opened) opened" }
        }
        add("log", words, since: start)
    }
}
