// SPDX-License-Identifier: Apache-2.0

/// A point of an outline, and from which tolerance on it may be left out.
struct Vertex: Sendable, Hashable {
    var point: SquarePoint
    /// The square of the largest tolerance at which it is still needed.
    var importance: Double
}

/// A line, or a ring without its closing point.
struct Outline: Sendable, Hashable {
    enum Role: Sendable, Hashable {
        case point
        case line
        case outer
        case hole
    }

    let role: Role
    let vertices: [Vertex]
    let bounds: SquareBounds

    /// - Returns: `nil` when too little is left to be one.
    init?(_ role: Role, _ vertices: [Vertex]) {
        guard vertices.count >= role.verticesLeast, let bounds = SquareBounds(of: vertices) else {
            return nil
        }
        self.role = role
        self.vertices = vertices
        self.bounds = bounds
    }

    var isRing: Bool { role == .outer || role == .hole }

    /// What remains at a tolerance: the line of Douglas and Peucker.
    func kept(atTolerance tolerance: Double) -> [SquarePoint] {
        let least = tolerance * tolerance
        return vertices.lazy.filter { $0.importance >= least }.map(\.point)
    }
}

extension Outline.Role {
    var verticesLeast: Int {
        switch self {
        case .point: 1
        case .line: 2
        case .outer, .hole: 3
        }
    }
}
