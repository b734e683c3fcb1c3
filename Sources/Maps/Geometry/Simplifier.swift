// SPDX-License-Identifier: Apache-2.0

/// Says once, for every tolerance, which points of an outline are needed (Douglas and Peucker).
///
/// A point's importance is the distance at which the algorithm would choose it, and never more
/// than that of the choice before: filtering by importance is the algorithm at that tolerance.
enum Simplifier {
    /// - Parameters:
    ///   - points: A line, or a ring without its closing point.
    ///   - isRing: The first point and the one farthest from it then hold the ring.
    /// - Returns: As many vertices, in order.
    static func vertices(_ points: [SquarePoint], isRing: Bool) -> [Vertex] {
        var vertices = points.map { Vertex(point: $0, importance: 0) }
        guard let first = points.first else { return [] }
        vertices[0].importance = .infinity
        guard points.count > 1 else { return vertices }
        guard isRing else {
            vertices[points.count - 1].importance = .infinity
            weigh(&vertices, from: 0, to: points.count - 1, most: .infinity)
            return vertices
        }
        // The ring is walked as a line that comes back to where it began.
        vertices.append(Vertex(point: first, importance: .infinity))
        weigh(&vertices, from: 0, to: points.count, most: .infinity)
        vertices.removeLast()
        return vertices
    }

    private struct Span {
        let from: Int
        let to: Int
        let most: Double
    }

    private static func weigh(_ vertices: inout [Vertex], from: Int, to: Int, most: Double) {
        var spans = [Span(from: from, to: to, most: most)]
        while let span = spans.popLast() {
            guard span.to - span.from > 1 else { continue }
            let begin = vertices[span.from].point
            let end = vertices[span.to].point
            var farthest = span.from + 1
            var distance = -1.0
            for index in span.from + 1..<span.to {
                let own = squaredDistance(vertices[index].point, begin, end)
                if own > distance { (farthest, distance) = (index, own) }
            }
            let importance = min(span.most, distance)
            vertices[farthest].importance = importance
            guard importance > 0 else { continue }
            spans.append(Span(from: span.from, to: farthest, most: importance))
            spans.append(Span(from: farthest, to: span.to, most: importance))
        }
    }

    /// From a point to a segment.
    static func squaredDistance(
        _ point: SquarePoint,
        _ begin: SquarePoint,
        _ end: SquarePoint
    ) -> Double {
        var x = begin.x
        var y = begin.y
        let dx = end.x - x
        let dy = end.y - y
        let squaredLength = dx * dx + dy * dy
        if squaredLength > 0 {
            let part = ((point.x - x) * dx + (point.y - y) * dy) / squaredLength
            let within = max(0, min(1, part))
            x += dx * within
            y += dy * within
        }
        return (point.x - x) * (point.x - x) + (point.y - y) * (point.y - y)
    }
}
