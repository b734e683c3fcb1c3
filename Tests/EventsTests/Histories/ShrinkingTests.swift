// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Testing

@Suite struct `Shrinking` {
    @Test func `leaves exactly what the failure needs`() throws {
        let shrunk = try StreamShrinker<Int> { $0.contains(17) && $0.contains(3) }.shrink(
            Array(0..<1_000)
        )
        #expect(shrunk == [3, 17])
    }

    @Test func `leaves nothing of a sequence that always fails, and all of one that never does`()
        throws
    {
        #expect(try StreamShrinker<Int> { _ in true }.shrink(Array(0..<100)) == [])
        #expect(try StreamShrinker<Int> { _ in false }.shrink([1, 2]) == [1, 2])
    }

    @Test func `ends in a sequence from which nothing more can be taken`() throws {
        var generator = SeededGenerator.fromEnvironment()
        for _ in 0..<50 {
            let needed = Set((0..<4).map { _ in Int.random(in: 0..<200, using: &generator) })
            let fails: ([Int]) -> Bool = { needed.isSubset(of: $0) }
            #expect(Set(try StreamShrinker(fails: fails).shrink(Array(0..<200))) == needed)
        }
    }

    @Test func `tells the seed and the smallest sequence`() throws {
        let seed = SeededGenerator.environmentSeed &+ 2
        let failure = #expect(throws: PropertyFailure<UInt64>.self) {
            try checkProperty(
                seeds: 5,
                make: { [$0, $0 &+ 1, 7] },
                holds: { !$0.contains(seed &+ 1) || $0.count < 2 }
            )
        }
        #expect(failure?.elements.count == 2)
        #expect(failure?.description.contains("DAYBOOK_SEED=") == true)
    }
}
