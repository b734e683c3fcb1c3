// SPDX-License-Identifier: Apache-2.0

/// Every limit of maps, with its unit.
enum MapLimits {
    /// The finest zoom of a tile; beyond it a tile is smaller than a hand.
    static let zoom = 24
    /// Bytes of a shapefile or its table; each is read whole.
    static let shapefileBytes = 512 * 1024 * 1024
    /// Bytes of one tile that is served.
    static let tileBytes = 8 * 1024 * 1024
    /// Connections that read one set of tiles at once.
    static let readers = 2
    /// Tiles that are written in one transaction.
    static let tilesOfTransaction = 2048
}
