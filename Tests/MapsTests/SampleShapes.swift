// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Foundation

@testable import Maps

/// Shapes by chance, and files of them.
enum SampleShapes {
    /// A ring around a middle that never crosses itself, clockwise on the map; not closed.
    static func island(
        around middle: GeoPoint = GeoPoint(longitude: 10, latitude: 20),
        points: Int = 200,
        degrees: Double = 15,
        _ generator: inout SeededGenerator
    ) -> [GeoPoint] {
        (0..<points).map { index in
            let angle = -2 * Double.pi * Double(index) / Double(points)
            let radius = degrees * Double.random(in: 0.5...1, using: &generator)
            return GeoPoint(
                longitude: middle.longitude + radius * cos(angle),
                latitude: middle.latitude + radius * sin(angle)
            )
        }
    }

    static func outline(_ points: [GeoPoint], _ role: Outline.Role = .outer) -> Outline? {
        Outline(role, Simplifier.vertices(points.map(\.inSquare), isRing: role != .line))
    }

    /// A shapefile and its index; between the records lie bytes of none, as in real ones.
    static func shapefile(_ shapes: [Shapefile.Shape]) -> (bytes: [UInt8], index: [UInt8]) {
        var bytes = header
        var index = header
        for shape in shapes {
            let content = content(of: shape)
            index += big(bytes.count / 2) + big(content.count / 2)
            bytes += big(1) + big(content.count / 2) + content
            bytes += [0xDE, 0xAD]
        }
        return (bytes, index)
    }

    private static let header = big(9994) + [UInt8](repeating: 0, count: 96)

    private static func content(of shape: Shapefile.Shape) -> [UInt8] {
        guard let first = shape.parts.first else { return little(0) }
        if shape.kind == .points { return little(1) + double(first[0]) }
        let kind = shape.kind == .lines ? 3 : 5
        var starts: [UInt8] = []
        var place = 0
        for part in shape.parts {
            starts += little(place)
            place += part.count
        }
        return little(kind) + [UInt8](repeating: 0, count: 32) + little(shape.parts.count)
            + little(place) + starts + shape.parts.joined().flatMap(double)
    }

    /// A table of texts, 20 bytes each, in Windows' encoding.
    static func table(_ columns: [String], _ rows: [[String]]) -> [UInt8] {
        let width = 20
        let head = 33 + 32 * columns.count
        var bytes: [UInt8] = [3, 122, 1, 1] + little(rows.count)
        bytes += short(head) + short(1 + width * columns.count)
        bytes += [UInt8](repeating: 0, count: 20)
        for column in columns {
            let name = Array(column.utf8)
            bytes += name + [UInt8](repeating: 0, count: 11 - name.count)
            bytes += [UInt8(ascii: "C"), 0, 0, 0, 0, UInt8(width)]
            bytes += [UInt8](repeating: 0, count: 15)
        }
        bytes.append(0x0D)
        for row in rows {
            bytes.append(0x20)
            for text in row {
                let data = [UInt8](text.data(using: .windowsCP1252) ?? Data())
                bytes += data + [UInt8](repeating: 0x20, count: width - data.count)
            }
        }
        return bytes
    }

    private static func big(_ value: Int) -> [UInt8] { Array(little(value).reversed()) }
    private static func little(_ value: Int) -> [UInt8] {
        withUnsafeBytes(of: Int32(value).littleEndian, Array.init)
    }
    private static func short(_ value: Int) -> [UInt8] { Array(little(value).prefix(2)) }
    private static func double(_ point: GeoPoint) -> [UInt8] {
        [point.longitude, point.latitude].flatMap { value in
            withUnsafeBytes(of: value.bitPattern.littleEndian, Array.init)
        }
    }
}
