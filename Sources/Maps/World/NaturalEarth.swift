// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The world as Natural Earth has it at 1:10 million: land, borders, rivers, towns; public domain.
struct NaturalEarth: Sendable {
    /// Where Debian's `libmagics++-data` puts the shapefiles.
    static let standardFolder = "/usr/share/magics/10m"

    let folder: URL

    /// Everything of one layer.
    ///
    /// - Throws: ``MapError``.
    func features(_ layer: MapLayer) throws -> [Feature] {
        let file = folder.appending(path: "ne_10m_\(Self.names[layer] ?? layer.rawValue).shp")
        let shapes = try Shapefile(at: file).shapes
        let table = try AttributeTable(
            at: file.deletingPathExtension().appendingPathExtension("dbf")
        )
        guard table.count == shapes.count else {
            throw MapError.malformed(
                file.path,
                reason: "it has \(shapes.count) shapes, its table \(table.count) rows"
            )
        }
        return shapes.enumerated().compactMap { row, shape in
            let outlines = shape.outlines
            guard !outlines.isEmpty else { return nil }
            return Feature(
                id: UInt64(row + 1),
                layer: layer,
                zoomLeast: Self.zoomLeast(layer, table, row),
                properties: Self.properties(layer, table, row),
                outlines: outlines
            )
        }
    }

    private static let names: [MapLayer: String] = [
        .land: "land", .river: "rivers_lake_centerlines",
        .state: "admin_1_states_provinces_lines", .border: "admin_0_boundary_lines_land",
        .place: "populated_places_simple",
    ]

    /// Small things wait until one looks closely.
    private static func zoomLeast(_ layer: MapLayer, _ table: AttributeTable, _ row: Int) -> Int {
        let rank = Int(table.number("scalerank", of: row) ?? 0)
        return switch layer {
        case .land, .border: 0
        case .river: max(2, min(7, rank))
        case .state: max(3, min(7, Int(table.number("min_zoom", of: row) ?? 0)))
        case .place: max(1, min(7, rank))
        }
    }

    private static func properties(
        _ layer: MapLayer,
        _ table: AttributeTable,
        _ row: Int
    ) -> [(name: String, value: PropertyValue)] {
        guard layer == .place, let name = table.text("name", of: row) else { return [] }
        var found: [(String, PropertyValue)] = [("name", .text(name))]
        if let rank = table.number("scalerank", of: row) {
            found.append(("rank", .integer(Int(rank))))
        }
        if let people = table.number("pop_max", of: row), people > 0 {
            found.append(("population", .integer(Int(people))))
        }
        if table.number("adm0cap", of: row) == 1 { found.append(("capital", .boolean(true))) }
        if let country = table.text("adm0name", of: row) {
            found.append(("country", .text(country)))
        }
        return found
    }
}
