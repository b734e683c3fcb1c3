// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

@testable import Events
@testable import Replay

/// The parts that check entries on several threads, given what no writer of ours makes.
@Suite(.timeLimit(.minutes(10))) struct `Checking entries in batches` {
    private static func batch(_ number: Int, of count: Int, at first: UInt64 = 0) -> EntryBatch {
        var batch = EntryBatch(number: number, first: first, capacity: 16 * count)
        for index in 0..<count {
            Array("entry \(first + UInt64(index))".utf8).withUnsafeBytes { batch.append($0) }
        }
        return batch
    }

    @Test func `takes two fingerprints that are the same for a suspicion, not for damage`() {
        let merge = LogMerge(index: nil) { _ in }
        var result = BatchResult(number: 0, first: 0, count: 2)
        for subject in UInt64(1)...2 {
            var facts = EntryFacts()
            (facts.subject, facts.time, facts.isRead) = (subject, subject, true)
            (facts.id, facts.command) = (7, subject == 1 ? 9 : 0)
            result.facts.append(facts)
        }
        result.facts.append(result.facts[0])
        result.facts[2].subject = 3
        result.facts[2].time = 3
        merge.add(result)
        #expect(merge.findings.damageCount == 0)
        #expect(merge.repetitions.map(\.position) == [1, 2, 2])
        #expect(merge.repetitions.map(\.earlier) == [0, 0, 0])
    }

    /// As a stranger's phone could send: two commands whose fingerprints without a seed are the same.
    @Test func `seeds what finds commands that come twice`() async throws {
        let entries = try await AuditedLedger(events: 60).entries()
        var checkers = (UInt64(1)...2).map { seed in
            EntryChecker(
                .init(decodes: false, origin: Array(AuditedLedger.origin.utf8), seed: seed)
            )
        }
        var batch = EntryBatch(number: 0, first: 0, capacity: 65_536)
        entries[0].withUnsafeBytes { batch.append($0) }
        let facts = checkers.indices.map { checkers[$0].check(batch).facts[0] }
        #expect(facts.map(\.isRead) == [true, true])
        #expect(facts[0].command != facts[1].command)
        #expect(facts[0].id != facts[1].id)
    }

    @Test(arguments: [0, 1, 299, 300, 1 << 62, 1 << 63, UInt64.max])
    func `takes any size that a damaged index says`(size: UInt64) {
        var checker = EntryChecker(.init(decodes: false, origin: [], indexSize: size))
        let result = checker.check(Self.batch(0, of: 300))
        #expect(result.count == 300)
        #expect(result.leafMarks.count == Int(min(size, 300)))
    }

    @Test func `gives the root at every size that is wanted, and at no other`() {
        let sizes: [UInt64] = [0, 1, 2, 255, 256, 257, 511, 512, 513, 700, 701, .max]
        var checker = EntryChecker(.init(decodes: false, origin: [], sizes: sizes))
        let result = checker.check(Self.batch(0, of: 700))
        let merge = LogMerge(index: nil) { _ in }
        merge.add(result)
        var expected: [UInt64: MerkleHash] = [:]
        var tree = MerkleFrontier()
        for index in 0..<700 {
            tree.append(.leaf(Array("entry \(index)".utf8)))
            if sizes.contains(tree.size) { expected[tree.size] = tree.root }
        }
        #expect(merge.roots == expected)
    }

    @Test(arguments: 1...4)
    func `never runs far ahead of what is merged`(threads: Int) {
        let submitted = Mutex(0)
        let furthest = Mutex(0)
        let numbers = Mutex<[Int]>([])
        let pipeline = CheckPipeline(threads: threads, .init(decodes: false, origin: [])) {
            result in
            // Merging is the slow part here.
            _ = (0..<300).reduce(MerkleHash.emptyTree) { hash, _ in .node(hash, hash) }
            let ahead = submitted.withLock { $0 } - result.number
            furthest.withLock { $0 = max($0, ahead) }
            numbers.withLock { $0.append(result.number) }
        }
        for number in 0..<400 {
            pipeline.submit(Self.batch(number, of: 3, at: UInt64(3 * number)))
            submitted.withLock { $0 += 1 }
        }
        pipeline.finish()
        #expect(numbers.withLock { $0 } == Array(0..<400))
        #expect(furthest.withLock { $0 } <= ReplayLimits.batchesWaitingMax + threads + 1)
    }

    @Test func `narrows a difference down by the newest checkpoint of its kind that agrees`() throws
    {
        let signer = try NoteSigner(
            name: AuditedLedger.origin,
            seed: [UInt8](repeating: 7, count: 32)
        )
        var list = CheckpointList()
        var roots: [UInt64: MerkleHash] = [:]
        func add(_ size: UInt64, _ source: CheckpointList.Source, agrees: Bool) throws {
            let root = MerkleHash.leaf(Array("root \(size)".utf8))
            roots[size] = agrees ? root : .emptyTree
            let head = try Checkpoint(origin: AuditedLedger.origin, size: size, root: root)
            list.add(try head.sign(with: signer).description, from: source)
        }
        try add(40, .log, agrees: false)
        try add(10, .auditor("kept"), agrees: true)
        try add(30, .log, agrees: true)
        try add(50, .auditor("kept"), agrees: false)
        try add(20, .folder, agrees: true)
        let suspects: [UInt64] = [3, 10, 12, 29, 30, 31, 32, 33, 34, 35, 49, 50]
        let found = list.compare(roots: roots, reached: 60, isWhole: true, suspects: suspects)
        #expect(found.map(\.place) == ["checkpoint in the log", "kept"])
        #expect(found.map(\.position) == [30, 10])
        #expect(found.first?.fact.hasSuffix("at 30, 31, 32, 33, 34, …") == true)
        #expect(found.last?.fact.hasSuffix("at 10, 12, 29, 30, 31, …") == true)
        let none = list.compare(roots: roots, reached: 60, isWhole: true, suspects: [3, 55])
        #expect(none.map(\.position) == [nil, nil])
        #expect(none.first?.fact.hasSuffix("may differ from position 30 on") == true)
    }
}
