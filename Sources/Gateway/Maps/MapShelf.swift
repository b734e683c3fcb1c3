// SPDX-License-Identifier: Apache-2.0
import Foundation
import Maps

/// The sets of tiles that a gateway serves, in the order in which they are drawn.
struct MapShelf: Sendable {
    let sets: [TileSet]

    static let empty = MapShelf(sets: [])

    private init(sets: [TileSet]) {
        self.sets = sets
    }

    /// Opens sets of tiles.
    ///
    /// - Parameter files: MBTiles files, the lowest first; two of one name are refused.
    /// - Throws: `MapError`.
    init(_ files: [URL]) throws {
        guard files.count <= MapShelfLimits.sets else {
            throw MapError.tileSetUnusable(
                files[MapShelfLimits.sets].path,
                reason: "it would be more than \(MapShelfLimits.sets) sets"
            )
        }
        var sets: [TileSet] = []
        for file in files {
            let set = try TileSet(at: file)
            guard !sets.contains(where: { $0.name == set.name }) else {
                throw MapError.tileSetUnusable(
                    file.path,
                    reason: "another one is called \(set.name), too"
                )
            }
            sets.append(set)
        }
        self.sets = sets
    }

    /// The sets that are served when nobody names any: a world map, and what lies in the ledger's
    /// folder `maps`.
    ///
    /// - Parameter folder: The ledger's.
    /// - Returns: The world first; empty when there is nothing.
    static func standard(for folder: URL) -> [URL] {
        let maps = folder.appending(path: "maps")
        let own = FileManager.default.enumerator(
            at: maps,
            includingPropertiesForKeys: nil,
            options: [.skipsHiddenFiles, .skipsSubdirectoryDescendants]
        )
        let named = (own?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { $0.pathExtension == "mbtiles" }
            .sorted { $0.path < $1.path }
        let hasWorld = named.contains { $0.lastPathComponent == worldName }
        let world = hasWorld ? nil : PageFolder.shared(worldName, inSources: ".build/\(worldName)")
        let first = named.filter { $0.lastPathComponent == worldName }
        let rest = named.filter { $0.lastPathComponent != worldName }
        return first + (world.map { [$0] } ?? []) + rest
    }

    private static let worldName = "world.mbtiles"

    func set(named name: String) -> TileSet? {
        sets.first { $0.name == name }
    }
}
