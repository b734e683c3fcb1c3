// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Testing

@Suite struct `Tile builder` {
    @Test func `gives the tiles and root of the definition at every size up to 1,100`() throws {
        let leaves = MerkleVectors.distinctLeaves(1_100)
        var builder = TileBuilder()
        var stored = StoredTiles()
        var frontier = MerkleFrontier()
        for size in 0...1_100 {
            #expect(builder.frontier == frontier)
            #expect(builder.size == UInt64(size))
            stored.store(&builder)
            try expectDefinition(stored, leaves: leaves.prefix(size), lookAt: size)
            guard size < 1_100 else { break }
            builder.append(leaves[size])
            frontier.append(leaves[size])
        }
    }

    @Test(arguments: [65_535, 65_536, 65_537, 70_000, 131_329])
    func `gives the tiles of the definition for logs of three levels`(size: Int) throws {
        let leaves = MerkleVectors.distinctLeaves(size)
        let stored = StoredTiles(leaves: leaves)
        try expectDefinition(stored, leaves: leaves[...], lookAt: nil)
        let tiles = Set(Tile.all(ofSize: UInt64(size)).map(\.path))
        let found = stored.bytes.map { key, bytes in
            Tile(level: key.level, index: key.index, width: bytes.count / 32).path
        }
        #expect(Set(found) == tiles)
    }

    @Test(arguments: 0..<20)
    func `goes on from stored tiles wherever it stopped`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let size = Int.random(in: 0..<3_000, using: &generator) + (seed == 0 ? 66_000 : 0)
        let leaves = MerkleVectors.distinctLeaves(size)
        var stored = StoredTiles()
        var builder = TileBuilder()
        for leaf in leaves {
            if Int.random(in: 0..<200, using: &generator) == 0 {
                stored.store(&builder)
                builder = try TileBuilder(size: builder.size, tiles: stored.read)
            }
            builder.append(leaf)
        }
        stored.store(&builder)
        #expect(builder.frontier.root == MerkleVectors.root(of: leaves[...]), "seed \(seed)")
        #expect(stored.bytes == StoredTiles(leaves: leaves).bytes, "seed \(seed)")
    }

    @Test func `hands over each changed tile once, and none when nothing changed`() {
        var builder = TileBuilder()
        var handed: [String] = []
        func drain() -> [String] {
            handed = []
            builder.drain { tile, _ in handed.append(tile.path) }
            return handed
        }
        #expect(drain().isEmpty)
        for leaf in MerkleVectors.distinctLeaves(300) { builder.append(leaf) }
        #expect(drain() == ["tile/0/000", "tile/0/001.p/44", "tile/1/000.p/1"])
        #expect(drain().isEmpty)
        builder.append(.emptyTree)
        #expect(drain() == ["tile/0/001.p/45"])
    }

    @Test func `hands the same tiles over again after a drain that failed`() throws {
        struct Full: Error {}
        var builder = TileBuilder()
        for leaf in MerkleVectors.distinctLeaves(600) { builder.append(leaf) }
        var left = 2
        #expect(throws: Full.self) {
            try builder.drain { _, _ in
                if left == 0 { throw Full() }
                left -= 1
            }
        }
        var stored = StoredTiles()
        stored.store(&builder)
        #expect(stored.bytes == StoredTiles(leaves: MerkleVectors.distinctLeaves(600)).bytes)
    }

    @Test func `does not go on from a tile that is cut off`() throws {
        let stored = StoredTiles(leaves: MerkleVectors.distinctLeaves(300))
        let tile = Tile(level: 0, index: 1, width: 44)
        #expect(throws: TileError.length(tile, byteCount: 43 * 32)) {
            try TileBuilder(size: 300) { Array(try stored.read($0).prefix(43 * 32)) }
        }
    }

    /// Compares tiles, root and some proofs with the recursive definition.
    private func expectDefinition(
        _ stored: StoredTiles,
        leaves: ArraySlice<MerkleHash>,
        lookAt focus: Int?
    ) throws {
        let size = UInt64(leaves.count)
        let tree = MerkleTree(size: size, tiles: stored.read)
        #expect(try tree.root() == MerkleVectors.root(of: leaves))
        // Level 0 holds the leaf hashes; what is above follows from the root, checked as a whole
        // at some sizes only.
        for tile in Tile.rightEdge(ofSize: size) where tile.level == 0 || focus == nil {
            #expect(try stored.read(tile) == definition(of: tile, leaves: leaves))
        }
        guard focus.map({ $0 % 128 == 1 }) ?? true, size > 0 else { return }
        for tile in Tile.all(ofSize: size) where tile.level > 0 {
            #expect(try stored.read(tile) == definition(of: tile, leaves: leaves))
        }
        let proof = try tree.inclusionProof(of: size / 2)
        try proof.verify(leaf: leaves[Int(size / 2)], root: try tree.root())
        let consistency = try tree.consistencyProof(from: size / 3)
        let old = MerkleVectors.root(of: leaves.prefix(Int(size / 3)))
        try consistency.verify(oldRoot: old, newRoot: try tree.root())
    }

    private func definition(of tile: Tile, leaves: ArraySlice<MerkleHash>) -> [UInt8] {
        let span = 1 << (8 * tile.level)
        return (0..<tile.width).flatMap { place in
            let first = (Int(tile.index) * 256 + place) * span
            return MerkleVectors.root(of: leaves[first..<first + span]).bytes
        }
    }
}
