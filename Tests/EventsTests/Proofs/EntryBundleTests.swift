// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@Suite struct `Entry bundle` {
    @Test func `has each entry after its length`() throws {
        var bytes: [UInt8] = []
        try append([1, 2, 3], to: &bytes)
        try append([], to: &bytes)
        try append([UInt8](repeating: 9, count: 258), to: &bytes)
        #expect(bytes.prefix(9) == [0, 3, 1, 2, 3, 0, 0, 1, 2])
        let entries = try EntryBundle.entries(in: bytes)
        #expect(entries.map(\.count) == [3, 0, 258])
        #expect(entries.first == [1, 2, 3])
    }

    @Test func `takes an entry of 65,535 bytes and refuses a longer one unchanged`() throws {
        var bytes: [UInt8] = []
        try append([UInt8](repeating: 1, count: 65_535), to: &bytes)
        #expect(try EntryBundle.entries(in: bytes).map(\.count) == [65_535])
        let before = bytes
        #expect(throws: TileError.entryTooLong(byteCount: 65_536)) {
            try append([UInt8](repeating: 1, count: 65_536), to: &bytes)
        }
        #expect(bytes == before)
    }

    @Test func `is refused wherever it is cut inside an entry`() throws {
        var bytes: [UInt8] = []
        var ends: Set<Int> = [0]
        for length in [3, 0, 7] {
            try append([UInt8](repeating: 5, count: length), to: &bytes)
            ends.insert(bytes.count)
        }
        for count in 0..<bytes.count where !ends.contains(count) {
            let complete = ends.filter { $0 < count }.count - 1
            #expect(throws: TileError.bundleTruncated(entries: complete)) {
                try EntryBundle.entries(in: Array(bytes.prefix(count)))
            }
        }
    }

    @Test func `has at most 256 entries`() throws {
        let full = [UInt8](repeating: 0, count: 2 * 256)
        #expect(try EntryBundle.entries(in: full).count == 256)
        #expect(throws: TileError.bundleTooLong) { try EntryBundle.entries(in: full + [0, 0]) }
    }

    @Test func `covers every position of a log once`() {
        for size in [0, 1, 255, 256, 257, 70_000] as [UInt64] {
            let bundles = Array(EntryBundle.all(ofSize: size))
            #expect(bundles.allSatisfy { $0.isWithin(size: size) })
            #expect(
                bundles.reduce(UInt64(0)) {
                    $1.positions.lowerBound == $0 ? $1.positions.upperBound : .max
                } == size
            )
        }
    }

    private func append(_ entry: [UInt8], to bytes: inout [UInt8]) throws {
        try entry.withUnsafeBytes { try EntryBundle.append($0, to: &bytes) }
    }
}
