// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Testing

@testable import Maps

@Suite struct `A shapefile` {
    @Test(arguments: 0..<20 as Range<UInt64>) func `is read as it was written`(seed: UInt64) throws
    {
        var generator = SeededGenerator(seed: seed)
        let shapes = (0..<10).map { _ -> Shapefile.Shape in
            let island = SampleShapes.island(points: 12, &generator)
            return switch Int.random(in: 0..<4, using: &generator) {
            case 0: Shapefile.Shape(kind: .points, parts: [[island[0]]])
            case 1: Shapefile.Shape(kind: .lines, parts: [island, Array(island.prefix(3))])
            case 2: Shapefile.Shape(kind: .polygon, parts: [island + [island[0]]])
            default: Shapefile.Shape(kind: .points, parts: [])
            }
        }
        let file = SampleShapes.shapefile(shapes)
        let read = try Shapefile(file.bytes, index: file.index, name: "x.shp")
        #expect(read.shapes == shapes)
    }

    @Test func `that is torn anywhere is refused with words`() throws {
        var generator = SeededGenerator(seed: 1)
        let island = SampleShapes.island(points: 9, &generator)
        let whole = SampleShapes.shapefile([
            Shapefile.Shape(kind: .polygon, parts: [island + [island[0]]])
        ])
        for length in 0..<whole.bytes.count - 2 {
            let error = #expect(throws: MapError.self) {
                try Shapefile(Array(whole.bytes.prefix(length)), index: whole.index, name: "x.shp")
            }
            #expect(error?.description.contains("x.shp") == true)
        }
    }

    @Test func `has a table of texts and numbers, in the encoding that it says`() throws {
        let bytes = SampleShapes.table(["name", "rank"], [["São Tomé", "3"], ["", "1.5"]])
        let table = try AttributeTable(bytes, name: "x.dbf")
        #expect(table.count == 2)
        #expect(table.text("name", of: 0) == "São Tomé")
        #expect(table.text("name", of: 1) == nil)
        #expect(table.number("rank", of: 1) == 1.5)
        #expect(table.text("nothing", of: 0) == nil)
        #expect(table.text("name", of: 2) == nil)
    }

    @Test func `puts holes behind the ring that they lie in`() {
        func square(_ x: Double, _ size: Double) -> [GeoPoint] {
            [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)].map {
                GeoPoint(longitude: x + $0.0 * size, latitude: $0.1 * size + x)
            }
        }
        let parts = [
            Array(square(2, 2).reversed()), square(20, 9), square(0, 10),
            Array(square(22, 3).reversed()), Array(square(50, 3).reversed()),
        ]
        let outlines = Shapefile.Shape(kind: .polygon, parts: parts).outlines
        // The last one lies in nothing: it is no hole.
        #expect(outlines.map(\.role) == [.outer, .hole, .outer, .hole])
        #expect(outlines[0].bounds.contains(outlines[1].bounds))
        #expect(outlines[2].bounds.contains(outlines[3].bounds))
    }
}
