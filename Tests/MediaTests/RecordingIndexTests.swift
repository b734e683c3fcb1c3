// SPDX-License-Identifier: Apache-2.0
import Media
import Testing

@Suite struct `Finding chunks by time` {
    /// Chunks of a second; every second one has a key frame; part 2 came late and lies behind part 3.
    private var index: RecordingIndex {
        let parts: [(part: UInt32, firsts: [Int64])] = [
            (1, [0, 1000, 2000]), (3, [10_000, 11_000]), (2, [5000, 6000]),
        ]
        let all = parts.flatMap { part in part.firsts.enumerated().map { (part.part, $0, $1) } }
        return RecordingIndex(
            all.enumerated().map { index, chunk in
                ChunkPlace(
                    index: index,
                    offset: UInt64(65_536 + index * 100),
                    length: 100,
                    firstMilliseconds: chunk.2,
                    lastMilliseconds: chunk.2 + 960,
                    startsWithKeyFrame: chunk.1 % 2 == 0,
                    part: chunk.0
                )
            }
        )
    }

    @Test(arguments: [
        (-5, 0), (0, 0), (999, 0), (1000, 1000), (4999, 2000), (5000, 5000), (99_999, 11_000),
    ])
    func `gives the chunk that shows a time`(time: Int64, first: Int64) {
        #expect(index.chunk(atMilliseconds: time)?.firstMilliseconds == first)
    }

    @Test func `begins with the key frame that a time needs`() {
        let shown = index.chunksToShow(atMilliseconds: 1500)
        #expect(shown.map(\.firstMilliseconds) == [0, 1000])
        #expect(
            index.chunks(inMilliseconds: 1500...5500).map(\.firstMilliseconds) == [
                0, 1000, 2000, 5000,
            ]
        )
        #expect(index.chunks(inMilliseconds: 6500...6600).map(\.firstMilliseconds) == [5000, 6000])
    }

    @Test func `tells the times without pictures`() {
        #expect(index.gaps(longerThanMilliseconds: 1000) == [2960..<5000, 6960..<10_000])
        #expect(RecordingIndex([]).gaps(longerThanMilliseconds: 1).isEmpty)
        #expect(RecordingIndex([]).chunk(atMilliseconds: 0) == nil)
    }
}
