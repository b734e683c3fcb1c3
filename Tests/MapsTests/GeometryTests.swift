// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Foundation
import Testing

@testable import Maps

@Suite struct `An outline` {
    @Test(arguments: 0..<30 as Range<UInt64>)
    func `keeps at any tolerance what Douglas and Peucker keep`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var point = SquarePoint(x: 0.5, y: 0.5)
        let line = (0..<150).map { _ in
            point.x += Double.random(in: -0.01...0.01, using: &generator)
            point.y += Double.random(in: -0.01...0.01, using: &generator)
            return point
        }
        let vertices = Simplifier.vertices(line, isRing: false)
        let tolerance = Double.random(in: 0...0.05, using: &generator)
        let kept = vertices.filter { $0.importance >= tolerance * tolerance }.map(\.point)
        #expect(kept == Self.simplified(line[...], tolerance))
        // What was left out lies within the tolerance of what remains.
        for left in line {
            let nearest =
                zip(kept, kept.dropFirst())
                .map { Simplifier.squaredDistance(left, $0, $1) }.min() ?? 0
            #expect(nearest <= tolerance * tolerance * 1.000_001)
        }
    }

    /// The algorithm as one writes it down.
    private static func simplified(
        _ line: ArraySlice<SquarePoint>,
        _ tolerance: Double
    ) -> [SquarePoint] {
        guard line.count > 2, let first = line.first, let last = line.last else {
            return Array(line)
        }
        let distances = line.indices.dropFirst().dropLast().map {
            ($0, Simplifier.squaredDistance(line[$0], first, last))
        }
        var (farthest, distance) = (0, -1.0)
        for (index, own) in distances where own > distance { (farthest, distance) = (index, own) }
        guard distance >= tolerance * tolerance else { return [first, last] }
        return simplified(line[...farthest], tolerance).dropLast()
            + simplified(line[farthest...], tolerance)
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `cut into four keeps its area, its direction and its borders`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let middle = GeoPoint(
            longitude: Double.random(in: -5...5, using: &generator),
            latitude: Double.random(in: -5...5, using: &generator)
        )
        let island = try #require(
            SampleShapes.outline(SampleShapes.island(around: middle, points: 40, &generator))
        )
        let whole = Self.area(island)
        var sum = 0.0
        for tile in TileID.world.children {
            let box = tile.bounds()
            for piece in Clipper.clip(island, to: box) {
                #expect(box.contains(piece.bounds))
                #expect(Self.area(piece) >= 0)
                sum += Self.area(piece)
            }
        }
        #expect(abs(sum - whole) < whole * 1e-9)
    }

    @Test func `of a line falls into the pieces inside`() throws {
        let points = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.3), (0.1, 0.3), (0.2, 0.4)].map {
            Vertex(point: SquarePoint(x: $0.0, y: $0.1), importance: 1)
        }
        let line = try #require(Outline(.line, points))
        let box = SquareBounds(minX: 0, minY: 0, maxX: 0.5, maxY: 1)
        let pieces = Clipper.clip(line, to: box)
        #expect(pieces.map(\.vertices.count) == [2, 3])
        #expect(pieces.allSatisfy { box.contains($0.bounds) })
        // A point at a border is needed at any tolerance.
        #expect(
            pieces[0].vertices[1]
                == Vertex(point: SquarePoint(x: 0.5, y: 0.1), importance: .infinity)
        )
    }

    static func area(_ outline: Outline) -> Double {
        Shapefile.Shape.area(outline.vertices.map(\.point)) / 2
    }
}

@Suite struct `A tile's place` {
    @Test func `counts from the north, in MBTiles from the south`() throws {
        let tile = try #require(TileID(zoom: 3, column: 5, row: 1))
        #expect(tile.rowFromSouth == 6)
        #expect(tile.bounds() == SquareBounds(minX: 0.625, minY: 0.125, maxX: 0.75, maxY: 0.25))
        #expect(tile.children.map(\.zoom) == [4, 4, 4, 4])
    }

    @Test(arguments: [(-1, 0, 0), (0, 1, 0), (0, 0, 1), (3, 8, 0), (3, 0, -1), (25, 0, 0)])
    func `must be in the world`(zoom: Int, column: Int, row: Int) {
        #expect(TileID(zoom: zoom, column: column, row: row) == nil)
    }

    @Test func `of known towns is where everybody has it`() {
        // Greenwich lies on the middle line; Web Mercator gives its row by the formula of EPSG:3857.
        let point = GeoPoint(longitude: 0, latitude: 51.4779).inSquare
        #expect(point.x == 0.5)
        #expect(abs(point.y - 0.332_636) < 1e-4)
        #expect(GeoPoint(longitude: 0, latitude: 0).inSquare.y == 0.5)
        #expect(abs(GeoPoint(longitude: 0, latitude: -90).inSquare.y - 1) < 1e-12)
    }
}
