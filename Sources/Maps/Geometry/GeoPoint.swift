// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A place on the globe, in degrees.
struct GeoPoint: Sendable, Hashable {
    let longitude: Double
    let latitude: Double

    /// Where it lies in the square of the whole world.
    ///
    /// Web Mercator (EPSG:3857) scaled to 0…1, x to the east, y to the south. The poles are at
    /// the edges, as far as this projection knows them.
    var inSquare: SquarePoint {
        let north = max(-Self.edge, min(Self.edge, latitude)) * .pi / 180
        let y = 0.5 - log(tan(.pi / 4 + north / 2)) / (2 * .pi)
        return SquarePoint(x: longitude / 360 + 0.5, y: min(1, max(0, y)))
    }

    /// The latitude at which the world is a square.
    static let edge = 85.051_128_779_806_59
}

/// A place in the square of the whole world, 0…1 to the east and to the south.
struct SquarePoint: Sendable, Hashable {
    var x: Double
    var y: Double
}

/// A part of that square, its borders in it.
struct SquareBounds: Sendable, Hashable {
    var minX: Double
    var minY: Double
    var maxX: Double
    var maxY: Double

    /// The least that holds points; `nil` for none.
    init?(of vertices: [Vertex]) {
        guard let first = vertices.first?.point else { return nil }
        self.init(minX: first.x, minY: first.y, maxX: first.x, maxY: first.y)
        for vertex in vertices {
            minX = min(minX, vertex.point.x)
            maxX = max(maxX, vertex.point.x)
            minY = min(minY, vertex.point.y)
            maxY = max(maxY, vertex.point.y)
        }
    }

    init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    func contains(_ other: SquareBounds) -> Bool {
        minX <= other.minX && other.maxX <= maxX && minY <= other.minY && other.maxY <= maxY
    }

    func meets(_ other: SquareBounds) -> Bool {
        minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
    }
}
