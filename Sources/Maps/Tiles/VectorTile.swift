// SPDX-License-Identifier: Apache-2.0

/// A vector tile as bytes (Mapbox Vector Tile 2.1), not compressed.
struct VectorTile {
    /// Steps of a tile's side.
    static let extent = 4096

    private let id: TileID
    private let tolerance: Double
    private let side: Double

    /// - Parameters:
    ///   - id: Which tile.
    ///   - toleranceSteps: How far, in steps of the tile's side, an outline may be off.
    init(_ id: TileID, toleranceSteps: Double) {
        self.id = id
        side = 1 / Double(1 << id.zoom)
        tolerance = toleranceSteps * side / Double(Self.extent)
    }

    /// The tile of some features that were clipped to it; `nil` when nothing of them is to be seen.
    func encoded(_ features: [Feature]) -> [UInt8]? {
        var tile = ProtobufWriter()
        for layer in MapLayer.allCases {
            var writer = LayerWriter(layer.rawValue)
            for feature in features where feature.layer == layer {
                writer.add(feature, geometry(of: feature))
            }
            if let bytes = writer.bytes { tile.bytes(3, bytes) }
        }
        return tile.bytes.isEmpty ? nil : tile.bytes
    }

    private func geometry(of feature: Feature) -> TileGeometry {
        var geometry = TileGeometry()
        var hasOuter = true
        for outline in feature.outlines {
            // A hole without the ring around it would count as land.
            if outline.role == .hole, !hasOuter { continue }
            let isAdded = geometry.add(outline.role, steps(outline))
            if outline.role == .outer { hasOuter = isAdded }
        }
        return geometry
    }

    private func steps(_ outline: Outline) -> [TilePoint] {
        let west = Double(id.column) * side
        let north = Double(id.row) * side
        let scale = Double(Self.extent) / side
        var steps: [TilePoint] = []
        for point in outline.kept(atTolerance: tolerance) {
            let step = TilePoint(
                x: Int(((point.x - west) * scale).rounded()),
                y: Int(((point.y - north) * scale).rounded())
            )
            if steps.last != step { steps.append(step) }
        }
        if outline.isRing, steps.count > 1, steps.first == steps.last { steps.removeLast() }
        return steps
    }
}

/// A point of a tile, in steps of its side to the east and to the south.
struct TilePoint: Sendable, Hashable {
    let x: Int
    let y: Int
}

/// The drawing commands of one feature (MVT 2.1, §4.3).
struct TileGeometry {
    private(set) var commands: [UInt32] = []
    private(set) var type: UInt64 = 0
    private var pen = TilePoint(x: 0, y: 0)

    /// Draws a part; says whether anything of it is to be seen.
    @discardableResult
    mutating func add(_ role: Outline.Role, _ points: [TilePoint]) -> Bool {
        guard points.count >= role.verticesLeast, let first = points.first else { return false }
        switch role {
        case .point: type = 1
        case .line: type = 2
        case .outer, .hole:
            // The direction tells outer rings from holes; what has no area has none.
            let area = Self.doubledArea(points)
            guard role == .outer ? area > 0 : area < 0 else { return false }
            type = 3
        }
        move(to: first)
        if points.count > 1 { lines(to: points.dropFirst()) }
        if type == 3 { commands.append(1 << 3 | 7) }
        return true
    }

    private mutating func move(to point: TilePoint) {
        commands.append(1 << 3 | 1)
        step(to: point)
    }

    private mutating func lines(to points: ArraySlice<TilePoint>) {
        commands.append(UInt32(points.count) << 3 | 2)
        for point in points { step(to: point) }
    }

    private mutating func step(to point: TilePoint) {
        commands.append(ProtobufWriter.zigzag(point.x - pen.x))
        commands.append(ProtobufWriter.zigzag(point.y - pen.y))
        pen = point
    }

    /// Positive for a ring that runs clockwise on the map.
    static func doubledArea(_ points: [TilePoint]) -> Int {
        guard var last = points.last else { return 0 }
        var area = 0
        for point in points {
            area += last.x * point.y - point.x * last.y
            last = point
        }
        return area
    }
}
