// SPDX-License-Identifier: Apache-2.0
import Events

/// Puts the results of batches together, in order: what needs the entries before it is checked here.
final class LogMerge {
    /// How many entries were hashed.
    private(set) var reached: UInt64 = 0
    private(set) var byteCount = 0
    /// The roots at the sizes that were asked for.
    private(set) var roots: [UInt64: MerkleHash] = [:]
    private(set) var findings = FindingList()
    /// How many entries could not be read or decoded.
    private(set) var unreadCount = 0
    private(set) var sealed = SealedTally()
    private(set) var erasures: [(person: PersonID, position: UInt64)] = []
    private(set) var accounts = KnownAccounts()
    private(set) var media: [MediaFact] = []
    private(set) var blobs: [BlobFact] = []
    /// Ids and commands that look as if they had been used before, to be compared in full.
    private(set) var repetitions: [Repetition] = []
    /// Where checkpoints are missing.
    var checkpointGaps: [ClosedRange<UInt64>] { cadence?.gaps ?? [] }
    private(set) var index: IndexComparison?
    /// How many subjects have events.
    var subjectCount: Int { revisions.count }

    /// The root over everything that was hashed.
    var root: MerkleHash { tree.root(endingIn: tail) }

    private var tree = BlockTree()
    // The root over the entries behind the last whole block.
    private var tail: MerkleHash?
    private var revisions = FingerprintTable(holdingNumbers: true)
    private var ids = FingerprintTable(holdingNumbers: true)
    private var commands = FingerprintTable(holdingNumbers: true)
    private var cadence: CheckpointCadence?
    private var last = EntryFacts()
    private let looksForRepetitions: Bool
    private let progress: (UInt64) -> Void

    /// Two entries whose fingerprints are the same.
    struct Repetition {
        enum What { case id, command }
        let what: What
        let position: UInt64
        let earlier: UInt64
    }

    init(
        index: IndexSnapshot?,
        cadence: CheckpointCadence? = nil,
        looksForRepetitions: Bool = true,
        progress: @escaping (UInt64) -> Void
    ) {
        self.cadence = cadence
        self.looksForRepetitions = looksForRepetitions
        self.index = index.map(IndexComparison.init)
        self.progress = progress
    }

    /// Takes the next batch.
    func add(_ result: BatchResult) {
        addBlocks(result)
        for (offset, facts) in result.facts.enumerated() where facts.isRead {
            add(facts, at: result.first + UInt64(offset))
        }
        for problem in result.problems { addDamage(problem.fact, at: problem.position) }
        unreadCount += result.unreadCount
        sealed.add(result.sealed)
        erasures += result.erasures
        for event in result.accounts { accounts.apply(event) }
        media += result.media
        blobs += result.blobs
        index?.add(result)
        reached += UInt64(result.count)
        byteCount += result.byteCount
        progress(reached)
    }

    /// Ends the last append and the tiles on the right edge.
    func finish() {
        index?.finish()
    }

    private func addBlocks(_ result: BatchResult) {
        for (offset, block) in result.blocks.enumerated() {
            for (size, partial) in block.partial {
                roots[size] = tree.root(endingIn: partial)
            }
            let number = result.first / 256 + UInt64(offset)
            if let tile = block.tile { index?.compare(0, number, tile) }
            tail = block.tail
            if let root = block.root {
                tree.append(root) { level, number, tile in
                    index?.compareFull(level, number, tile)
                }
            }
            if let index, tree.blockCount == index.snapshot.size >> 8, block.root != nil {
                tree.partialTiles { level, number, tile in self.index?.compare(level, number, tile)
                }
            }
        }
    }

    private func add(_ facts: EntryFacts, at position: UInt64) {
        defer { last = facts }
        let previous = revisions.update(facts.subject, to: facts.revision)
        let expected = previous.map { $0 &+ 1 } ?? 0
        if facts.revision != expected {
            addDamage(
                "its revision is \(facts.revision) where \(expected) follows in its subject",
                at: position
            )
        }
        if facts.time < last.time {
            addDamage("its time is before that of the entry before it", at: position)
        }
        if looksForRepetitions, let earlier = ids.insert(facts.id, position) {
            repetitions.append(Repetition(what: .id, position: position, earlier: earlier))
        }
        let isSameAppend = last.isRead && facts.command == last.command
        if isSameAppend, facts.time != last.time {
            addDamage(
                "it belongs to the append of the entry before it and has another time",
                at: position
            )
        }
        if looksForRepetitions, !isSameAppend,
            let earlier = commands.insert(facts.command, position)
        {
            repetitions.append(Repetition(what: .command, position: position, earlier: earlier))
        }
        if facts.isClockStep { cadence?.forget() }
        cadence?.add(position, facts.time)
        index?.add(facts, at: position, previous: previous, startsAppend: !isSameAppend)
    }

    private func addDamage(_ fact: String, at position: UInt64) {
        findings.add(
            Finding(
                .damage,
                place: "log position \(position)",
                position: position,
                fact,
                advice: "compare the entry with an export or a backup from before"
            )
        )
    }
}
