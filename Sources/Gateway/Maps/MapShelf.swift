// SPDX-License-Identifier: Apache-2.0
import Foundation
import Maps

/// The sets of tiles that a gateway serves, in the order in which they are drawn.
struct MapShelf: Sendable {
    private(set) var sets: [TileSet] = []
    /// That files were left out, and why.
    private(set) var fault: Fault?

    static let empty = MapShelf()

    private init() {}

    /// Opens sets that somebody named.
    ///
    /// - Throws: `MapError` for one that cannot be used.
    init(_ files: [URL]) throws {
        for file in files { try add(file) }
    }

    /// Opens the sets that somebody named, or else those that are found.
    ///
    /// - Throws: `MapError` for one that was named and cannot be used; what is only found and damaged is left out, since nobody is to go
    ///   without help for a picture.
    init(_ configuration: GatewayConfiguration) throws {
        if let files = configuration.maps {
            try self.init(files)
            return
        }
        self.init()
        for file in Self.standard(for: configuration.folder) {
            do {
                try add(file)
            } catch {
                fault = fault ?? Fault(code: "maps", words: "left out: \(error)")
            }
        }
    }

    /// - Parameter file: An MBTiles file, drawn over those before it.
    /// - Throws: `MapError`, also for a second one of a name.
    private mutating func add(_ file: URL) throws(MapError) {
        guard sets.count < MapShelfLimits.sets else {
            throw .tileSetUnusable(
                file.path,
                reason: "it would be more than \(MapShelfLimits.sets) sets"
            )
        }
        let set = try TileSet(at: file)
        guard !sets.contains(where: { $0.name == set.name }) else {
            throw .tileSetUnusable(file.path, reason: "another one is called \(set.name), too")
        }
        sets.append(set)
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
