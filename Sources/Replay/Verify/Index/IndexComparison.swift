// SPDX-License-Identifier: Apache-2.0
import Events

/// Compares what the index says with what it would say if it were made from the entries now.
struct IndexComparison {
    let snapshot: IndexSnapshot
    /// Tiles that differ, or are missing: level and number.
    private(set) var wrongTiles: [(level: Int, number: UInt64)] = []
    private(set) var tileCount = 0
    /// Positions whose leaf hash is not the one in the index.
    private(set) var wrongLeaves: [UInt64] = []
    private var sums = IndexSums()
    private var positions = FingerprintTable(holdingNumbers: true)
    private var append: (command: UInt64, first: UInt64, count: UInt64)?

    init(_ snapshot: IndexSnapshot) {
        self.snapshot = snapshot
    }

    /// Compares a full tile made from the entries with the stored one, if that must be full, too.
    mutating func compareFull(_ level: Int, _ number: UInt64, _ tile: UInt64) {
        guard (number + 1) << UInt64(8 * (level + 1)) <= snapshot.size else { return }
        compare(level, number, tile)
    }

    /// Compares a tile, as wide as the index has it, with the stored one.
    mutating func compare(_ level: Int, _ number: UInt64, _ tile: UInt64) {
        tileCount += 1
        if snapshot.tiles[UInt64(level) << 56 | number] != tile {
            wrongTiles.append((level, number))
        }
    }

    /// Takes what needs no order.
    mutating func add(_ result: BatchResult) {
        sums.add(result.indexSums)
        for (offset, mark) in result.leafMarks.enumerated() {
            let position = result.first + UInt64(offset)
            guard Int(position) < snapshot.leafMarks.count else { break }
            if snapshot.leafMarks[Int(position)] != mark { wrongLeaves.append(position) }
        }
    }

    /// Takes an entry in its order.
    mutating func add(
        _ facts: EntryFacts,
        at position: UInt64,
        previous: UInt64?,
        startsAppend: Bool
    ) {
        guard position < snapshot.size else { return }
        let before = positions.update(facts.subject, to: position)
        if let before, let previous {
            sums.remove(.subjects, facts.indexSubject, previous, before)
        }
        sums.add(.subjects, facts.indexSubject, facts.revision, position)
        if startsAppend {
            finish()
            append = (facts.indexCommand, position, 1)
        } else {
            append?.count += 1
        }
    }

    /// Ends the append that is being counted.
    mutating func finish() {
        guard let append else { return }
        sums.add(.commands, append.command, append.first, append.count)
        self.append = nil
    }

    /// The tables whose rows are not those that the entries give.
    var wrongTables: [(table: IndexSums.Table, has: UInt64, needs: UInt64)] {
        IndexSums.Table.allCases.compactMap { table in
            snapshot.sums[table] == sums[table]
                ? nil : (table, snapshot.sums[table].count, sums[table].count)
        }
    }

    /// Whether the index is that of these entries.
    var isSound: Bool { wrongTiles.isEmpty && wrongLeaves.isEmpty && wrongTables.isEmpty }
}
