// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Makes the world map: an MBTiles file of vector tiles, from Natural Earth's shapefiles.
public struct WorldMap: Sendable {
    private let source: NaturalEarth
    private let zoomMost: Int

    /// - Parameters:
    ///   - folder: Where the shapefiles lie; `nil` for where Debian's package puts them.
    ///   - zoomMost: The finest zoom of tiles, at most 7: what is finer, the source does not know.
    public init(from folder: URL? = nil, zoomMost: Int = 7) {
        source = NaturalEarth(folder: folder ?? URL(filePath: NaturalEarth.standardFolder))
        self.zoomMost = max(0, min(7, zoomMost))
    }

    /// What a map came to be.
    public struct Summary: Codable, Sendable, Hashable {
        public let tiles: Int
        public let bytes: Int
        public let features: Int
    }

    /// Writes the map beside its file and puts it in place when it is whole.
    ///
    /// - Parameters:
    ///   - file: What to write; a file of this name is replaced.
    ///   - progress: Hears of each layer that was read, and of tiles as they are written.
    /// - Returns: What was written.
    /// - Throws: ``MapError``, or what SQLite says.
    public func write(
        to file: URL,
        progress: (_ stage: String, _ done: Int) -> Void = { _, _ in }
    ) throws -> Summary {
        var features: [Feature] = []
        for layer in MapLayer.allCases {
            progress("reading \(layer.rawValue)", features.count)
            features += try source.features(layer)
        }
        let writer = try MBTilesWriter(beside: file)
        do {
            try writer.describe(Self.metadata(zoomMost: zoomMost))
            try Tiler(zoomMost: zoomMost).tiles(of: features) { tile, bytes in
                try writer.write(tile, bytes)
                if writer.tiles.isMultiple(of: 64) { progress("tiles", writer.tiles) }
            }
            try writer.finish()
        } catch {
            writer.discard()
            throw error
        }
        return Summary(tiles: writer.tiles, bytes: writer.bytes, features: features.count)
    }

    private static func metadata(zoomMost: Int) -> [String: String] {
        let layers = MapLayer.allCases.map { layer in
            let fields =
                layer == .place
                ? #"{"capital":"Boolean","country":"String","name":"String","population":"Number","rank":"Number"}"#
                : "{}"
            return
                #"{"id":"\#(layer.rawValue)","fields":\#(fields),"minzoom":0,"maxzoom":\#(zoomMost)}"#
        }
        return [
            "name": "World", "format": "pbf", "type": "baselayer", "version": "1",
            "description": "Land, borders, rivers and towns of the world at 1:10 million",
            "attribution": "Natural Earth, public domain",
            "minzoom": "0", "maxzoom": "\(zoomMost)",
            "bounds": "-180,-85.0511,180,85.0511", "center": "0,20,2",
            "json": #"{"vector_layers":[\#(layers.joined(separator: ","))]}"#,
        ]
    }
}
