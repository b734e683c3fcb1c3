// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The shapes of a shapefile (`.shp`): points, lines and polygons in degrees, in order.
///
/// ESRI Shapefile Technical Description, July 1998. Heights and measures are not read.
struct Shapefile: Sendable {
    /// One record; an empty list of parts is a null shape.
    struct Shape: Sendable, Hashable {
        let kind: Kind
        /// Rings of a polygon are closed: their last point is the first.
        let parts: [[GeoPoint]]
    }

    enum Kind: Sendable, Hashable {
        case points
        case lines
        case polygon
    }

    let shapes: [Shape]

    /// Reads a file whole, and the index (`.shx`) beside it.
    ///
    /// - Throws: ``MapError``.
    init(at file: URL) throws {
        let index = file.deletingPathExtension().appendingPathExtension("shx")
        try self.init(FileBytes.read(file), index: FileBytes.read(index), name: file.path)
    }

    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - index: Where each record is: between two of them there may be bytes of none.
    ///   - name: For messages.
    /// - Throws: ``MapError/malformed(_:reason:)``.
    init(_ bytes: [UInt8], index: [UInt8], name: String) throws(MapError) {
        let reader = ByteReader(bytes: bytes)
        let places = ByteReader(bytes: index)
        guard reader.integer(Int32.self, at: 0, isBigEndian: true) == 9994,
            places.integer(Int32.self, at: 0, isBigEndian: true) == 9994, index.count >= 100
        else { throw .malformed(name, reason: "it does not begin as a shapefile") }
        var shapes: [Shape] = []
        for entry in stride(from: 100, to: index.count, by: 8) {
            guard let begin = places.integer(Int32.self, at: entry, isBigEndian: true),
                let words = places.integer(Int32.self, at: entry + 4, isBigEndian: true),
                begin >= 50, words >= 2, bytes.count >= Int(begin) * 2 + 8 + Int(words) * 2
            else { throw .malformed(name, reason: "record \(shapes.count) is torn") }
            let first = Int(begin) * 2 + 8
            guard let shape = Self.shape(reader, first..<first + Int(words) * 2) else {
                throw .malformed(
                    name,
                    reason: "record \(shapes.count) is no point, line or polygon"
                )
            }
            shapes.append(shape)
        }
        self.shapes = shapes
    }

    private static func shape(_ reader: ByteReader, _ record: Range<Int>) -> Shape? {
        guard let type = reader.integer(Int32.self, at: record.lowerBound) else { return nil }
        let place = record.lowerBound + 4
        switch type {
        case 0: return Shape(kind: .points, parts: [])
        case 1, 11, 21: return point(reader, at: place).map { Shape(kind: .points, parts: [[$0]]) }
        case 3, 13, 23: return parts(reader, record).map { Shape(kind: .lines, parts: $0) }
        case 5, 15, 25: return parts(reader, record).map { Shape(kind: .polygon, parts: $0) }
        default: return nil
        }
    }

    private static func point(_ reader: ByteReader, at place: Int) -> GeoPoint? {
        guard let x = reader.double(at: place), let y = reader.double(at: place + 8),
            x.isFinite, y.isFinite
        else { return nil }
        return GeoPoint(longitude: x, latitude: y)
    }

    /// Bounds, the count of parts and points, where each part begins, the points.
    private static func parts(_ reader: ByteReader, _ record: Range<Int>) -> [[GeoPoint]]? {
        let head = record.lowerBound + 36
        guard let parts = reader.integer(Int32.self, at: head),
            let points = reader.integer(Int32.self, at: head + 4), parts >= 0, points >= 0,
            record.upperBound - head - 8 >= Int(parts) * 4 + Int(points) * 16
        else { return nil }
        let starts = (0..<Int(parts)).map {
            reader.integer(Int32.self, at: head + 8 + $0 * 4) ?? -1
        }
        let ends = starts.dropFirst().map(Int.init) + [Int(points)]
        let first = head + 8 + Int(parts) * 4
        var found: [[GeoPoint]] = []
        for (start, end) in zip(starts.map(Int.init), ends) {
            guard 0 <= start, start <= end, end <= Int(points) else { return nil }
            let part = (start..<end).compactMap { point(reader, at: first + $0 * 16) }
            guard part.count == end - start else { return nil }
            found.append(part)
        }
        return found
    }
}

/// A file, read whole.
enum FileBytes {
    static func read(_ file: URL) throws(MapError) -> [UInt8] {
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw .sourceMissing(file.path)
        }
        guard let data = FileManager.default.contents(atPath: file.path) else {
            throw .file(file.path, reason: "it may not be read")
        }
        guard data.count <= MapLimits.shapefileBytes else {
            throw .file(
                file.path,
                reason: "it is larger than \(MapLimits.shapefileBytes) bytes"
            )
        }
        return [UInt8](data)
    }
}
