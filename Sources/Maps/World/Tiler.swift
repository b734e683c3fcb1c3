// SPDX-License-Identifier: Apache-2.0

/// Cuts features into tiles, from the whole world down.
struct Tiler {
    /// The finest zoom; what is finer is drawn from it.
    let zoomMost: Int

    /// A share of a tile's side that it knows of its neighbours, so that lines meet.
    static let margin = 1.0 / 64

    /// Every tile that shows something, compressed; a tile before those it consists of.
    ///
    /// - Parameters:
    ///   - features: In the order in which each layer is drawn.
    ///   - write: Takes one tile after another.
    func tiles(
        of features: [Feature],
        write: (TileID, [UInt8]) throws -> Void
    ) rethrows {
        try cut(.world, features.filter { $0.zoomLeast <= zoomMost }, write)
    }

    private func cut(
        _ tile: TileID,
        _ features: [Feature],
        _ write: (TileID, [UInt8]) throws -> Void
    ) rethrows {
        let box = tile.bounds(widerBy: Self.margin)
        let inside = features.compactMap { $0.clipped(to: box) }
        guard !inside.isEmpty else { return }
        let shown = inside.filter { $0.zoomLeast <= tile.zoom }
        if let bytes = VectorTile(tile, toleranceSteps: tolerance(at: tile.zoom)).encoded(shown) {
            try write(tile, Gzip.compressed(bytes))
        }
        guard tile.zoom < zoomMost else { return }
        for child in tile.children { try cut(child, inside, write) }
    }

    /// A quarter of a pixel of a tile of 256; finer where the tile is drawn larger than that.
    private func tolerance(at zoom: Int) -> Double {
        zoom == zoomMost ? 1 : 4
    }
}
