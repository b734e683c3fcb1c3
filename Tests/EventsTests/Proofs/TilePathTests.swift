// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Testing

@Suite struct `Tile path` {
    @Test(arguments: [
        (Tile(level: 0, index: 0), "tile/0/000"),
        (Tile(level: 0, index: 999), "tile/0/999"),
        (Tile(level: 1, index: 1_000), "tile/1/x001/000"),
        (Tile(level: 0, index: 1_234_067), "tile/0/x001/x234/067"),
        (Tile(level: 63, index: 1_234_067, width: 255), "tile/63/x001/x234/067.p/255"),
        (Tile(level: 7, index: 5, width: 1), "tile/7/005.p/1"),
        (
            Tile(level: 0, index: ProofLimits.tileIndexMax),
            "tile/0/x072/x057/x594/x037/x927/935"
        ),
    ])
    func `prints and reads coordinates`(tile: Tile, path: String) throws {
        #expect(tile.path == path)
        #expect(try TilePath(path) == .hashes(tile))
    }

    @Test func `prints and reads entry bundles`() throws {
        let bundle = EntryBundle(index: 1_234_067, width: 8)
        #expect(bundle.path == "tile/entries/x001/x234/067.p/8")
        #expect(try TilePath(bundle.path) == .entries(bundle))
        #expect(try TilePath("tile/entries/273") == .entries(EntryBundle(index: 273)))
        #expect(bundle.positions == 315_921_152..<315_921_160)
    }

    @Test(arguments: [
        "", "tile", "tile/", "tile/0", "tile/0/", "/tile/0/000", "tile/0/000/", "tile//000",
        "tile/64/000", "tile/00/000", "tile/01/000", "tile/-1/000", "tile/+1/000", "tile/a/000",
        "tile/0/0", "tile/0/00", "tile/0/0000", "tile/0/x000", "tile/0/x000/000",
        "tile/0/x000/x001/000", "tile/0/001/000", "tile/0/x001/x000", "tile/0/X001/000",
        "tile/0/x01/000", "tile/0/x1234/000", "tile/0/٠٠٠", "tile/0/0 0", "tile/0/-01",
        "tile/0/000.p", "tile/0/000.p/", "tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/01",
        "tile/0/000.p/1/", "tile/0/000.p/1.p/1", "tile/0/000.P/1", "tile/0/000.p/+1",
        "tile/0/x001.p/1/000", "tile/data/000", "tile/entries", "tile/entries/", "tiles/0/000",
        "tile/0/x072/x057/x594/x037/x927/936", "tile/0/x999/x999/x999/x999/x999/999",
        "tile/0/x001/x000/x000/x000/x000/x000/000", "tile/0/../000", "checkpoint",
    ])
    func `refuses every other spelling`(path: String) {
        #expect(throws: TileError.path(path)) { try TilePath(path) }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `is read back for random coordinates`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let index = UInt64.random(in: 0...ProofLimits.tileIndexMax, using: &generator)
            let tile = Tile(
                level: .random(in: 0...63, using: &generator),
                index: index >> UInt64.random(in: 0..<56, using: &generator),
                width: .random(in: 1...256, using: &generator)
            )
            #expect(try TilePath(tile.path) == .hashes(tile), "\(tile.path)")
        }
    }
}

@Suite struct `Hash tile` {
    @Test func `has the widths of the standard's example at size 70,000`() {
        let tiles = Array(Tile.all(ofSize: 70_000))
        #expect(tiles.count { $0.level == 0 && $0.isFull } == 273)
        #expect(tiles.count { $0.level == 1 && $0.isFull } == 1)
        #expect(tiles.count { $0.level == 2 && $0.isFull } == 0)
        #expect(
            Tile.rightEdge(ofSize: 70_000) == [
                Tile(level: 0, index: 273, width: 112),
                Tile(level: 1, index: 1, width: 17),
                Tile(level: 2, index: 0, width: 1),
            ]
        )
        #expect(tiles.filter { !$0.isFull } == Tile.rightEdge(ofSize: 70_000))
    }

    @Test func `has a full tile below a partial one at size 256, and none at size 0`() {
        #expect(
            Array(Tile.all(ofSize: 256)) == [
                Tile(level: 0, index: 0), Tile(level: 1, index: 0, width: 1),
            ]
        )
        #expect(Array(Tile.all(ofSize: 0)).isEmpty)
        #expect(Tile(level: 0, index: 0, atSize: 0) == nil)
        #expect(Tile(level: 1, index: 0, atSize: 255) == nil)
        #expect(Tile(level: 63, index: 0, atSize: .max) == nil)
    }

    @Test func `is within the sizes that have all its hashes`() {
        let partial = Tile(level: 1, index: 1, width: 17)
        #expect(!partial.isWithin(size: (256 + 17) * 256 - 1))
        #expect(partial.isWithin(size: (256 + 17) * 256))
        #expect(!Tile(level: 0, index: 0).isWithin(size: 255))
        #expect(Tile(level: 0, index: 0).isWithin(size: 256))
        #expect(!Tile(level: 63, index: 0, width: 1).isWithin(size: .max))
    }
}
