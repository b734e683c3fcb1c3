// SPDX-License-Identifier: Apache-2.0

extension Shapefile.Shape {
    /// The shape in the world's square; holes follow the ring that they lie in.
    var outlines: [Outline] {
        switch kind {
        case .points:
            parts.compactMap {
                Outline(.point, Simplifier.vertices($0.map(\.inSquare), isRing: false))
            }
        case .lines:
            parts.compactMap {
                Outline(.line, Simplifier.vertices($0.map(\.inSquare), isRing: false))
            }
        case .polygon:
            polygon
        }
    }

    /// In a shapefile outer rings run clockwise on the map, holes the other way.
    private var polygon: [Outline] {
        var outer: [(ring: Outline, holes: [Outline])] = []
        var holes: [Outline] = []
        for part in parts {
            let points = part.map(\.inSquare)
            let isClosed = points.count > 1 && points.first == points.last
            let open = isClosed ? Array(points.dropLast()) : points
            let area = Self.area(open)
            guard area != 0,
                let ring = Outline(
                    area > 0 ? .outer : .hole,
                    Simplifier.vertices(open, isRing: true)
                )
            else { continue }
            if area > 0 { outer.append((ring, [])) } else { holes.append(ring) }
        }
        for hole in holes {
            let around = outer.indices.filter { index in
                outer[index].ring.bounds.contains(hole.bounds)
                    && Self.contains(outer[index].ring, hole.vertices[0].point)
            }
            // The innermost one; a hole in nothing is no hole.
            let smallest = around.min { Self.size(outer[$0].ring) < Self.size(outer[$1].ring) }
            if let smallest { outer[smallest].holes.append(hole) }
        }
        return outer.flatMap { [$0.ring] + $0.holes }
    }

    /// Twice the area in the square; positive for a ring that runs clockwise on the map.
    static func area(_ points: [SquarePoint]) -> Double {
        guard var last = points.last else { return 0 }
        var area = 0.0
        for point in points {
            area += last.x * point.y - point.x * last.y
            last = point
        }
        return area
    }

    private static func size(_ ring: Outline) -> Double {
        (ring.bounds.maxX - ring.bounds.minX) * (ring.bounds.maxY - ring.bounds.minY)
    }

    /// Whether a point lies in a ring: a line from it to the east crosses the ring an odd number of times.
    private static func contains(_ ring: Outline, _ point: SquarePoint) -> Bool {
        guard var last = ring.vertices.last?.point else { return false }
        var isInside = false
        for vertex in ring.vertices {
            let next = vertex.point
            if (next.y > point.y) != (last.y > point.y),
                point.x < (last.x - next.x) * (point.y - next.y) / (last.y - next.y) + next.x
            {
                isInside.toggle()
            }
            last = next
        }
        return isInside
    }
}
