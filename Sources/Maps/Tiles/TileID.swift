// SPDX-License-Identifier: Apache-2.0

/// One tile of the world's square: zoom, column from the west, row from the north.
public struct TileID: Sendable, Hashable {
    public let zoom: Int
    public let column: Int
    public let row: Int

    /// - Returns: `nil` for a tile that no world has.
    public init?(zoom: Int, column: Int, row: Int) {
        guard (0...MapLimits.zoom).contains(zoom), (0..<1 << zoom).contains(column),
            (0..<1 << zoom).contains(row)
        else { return nil }
        self.init(known: zoom, column, row)
    }

    private init(known zoom: Int, _ column: Int, _ row: Int) {
        self.zoom = zoom
        self.column = column
        self.row = row
    }

    /// The whole world.
    static let world = TileID(known: 0, 0, 0)

    /// The row as MBTiles counts it, from the south.
    public var rowFromSouth: Int { (1 << zoom) - 1 - row }

    /// The four tiles of the next zoom.
    var children: [TileID] {
        [(0, 0), (1, 0), (0, 1), (1, 1)].map { right, down in
            TileID(known: zoom + 1, column * 2 + right, row * 2 + down)
        }
    }

    /// The part of the world's square, wider by a share of its side in every direction.
    func bounds(widerBy share: Double = 0) -> SquareBounds {
        let side = 1 / Double(1 << zoom)
        return SquareBounds(
            minX: (Double(column) - share) * side,
            minY: (Double(row) - share) * side,
            maxX: (Double(column) + 1 + share) * side,
            maxY: (Double(row) + 1 + share) * side
        )
    }
}
