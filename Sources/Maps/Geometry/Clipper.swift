// SPDX-License-Identifier: Apache-2.0

/// Cuts outlines at the borders of a box.
///
/// Rings stay closed and keep their direction (Sutherland and Hodgman); where they leave the box they
/// run along its border, which lies outside of what a tile shows. Lines fall into pieces.
enum Clipper {
    /// What of an outline lies in a box.
    static func clip(_ outline: Outline, to box: SquareBounds) -> [Outline] {
        if box.contains(outline.bounds) { return [outline] }
        guard box.meets(outline.bounds) else { return [] }
        var pieces = [outline.vertices]
        for edge in [
            Edge(isX: true, at: box.minX, isLower: true),
            Edge(isX: true, at: box.maxX, isLower: false),
            Edge(isX: false, at: box.minY, isLower: true),
            Edge(isX: false, at: box.maxY, isLower: false),
        ] where edge.cuts(outline.bounds) {
            pieces = outline.isRing ? pieces.map(edge.ring) : pieces.flatMap(edge.lines)
        }
        return pieces.compactMap { Outline(outline.role, $0) }
    }

    /// One border, and the side of it that stays.
    private struct Edge {
        let isX: Bool
        let at: Double
        let isLower: Bool

        func cuts(_ bounds: SquareBounds) -> Bool {
            isLower
                ? (isX ? bounds.minX : bounds.minY) < at
                : (isX ? bounds.maxX : bounds.maxY) > at
        }

        private func isInside(_ vertex: Vertex) -> Bool {
            let value = isX ? vertex.point.x : vertex.point.y
            return isLower ? value >= at : value <= at
        }

        /// Where a segment crosses the border; such a point is needed at any tolerance.
        private func crossing(_ from: Vertex, _ to: Vertex) -> Vertex {
            let begin = isX ? from.point.x : from.point.y
            let part = (at - begin) / ((isX ? to.point.x : to.point.y) - begin)
            var point = SquarePoint(
                x: from.point.x + (to.point.x - from.point.x) * part,
                y: from.point.y + (to.point.y - from.point.y) * part
            )
            if isX { point.x = at } else { point.y = at }
            return Vertex(point: point, importance: .infinity)
        }

        func ring(_ vertices: [Vertex]) -> [Vertex] {
            guard var last = vertices.last else { return [] }
            var wasInside = isInside(last)
            var kept: [Vertex] = []
            kept.reserveCapacity(vertices.count)
            for vertex in vertices {
                let isInside = isInside(vertex)
                if isInside != wasInside { kept.append(crossing(last, vertex)) }
                if isInside { kept.append(vertex) }
                (last, wasInside) = (vertex, isInside)
            }
            return kept
        }

        func lines(_ vertices: [Vertex]) -> [[Vertex]] {
            var found: [[Vertex]] = []
            var current: [Vertex] = []
            var last: Vertex?
            for vertex in vertices {
                let isInside = isInside(vertex)
                if let last, isInside != self.isInside(last) {
                    current.append(crossing(last, vertex))
                }
                if isInside {
                    current.append(vertex)
                } else if !current.isEmpty {
                    found.append(current)
                    current = []
                }
                last = vertex
            }
            return current.isEmpty ? found : found + [current]
        }
    }
}
