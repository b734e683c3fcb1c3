// SPDX-License-Identifier: Apache-2.0
public import Foundation
import GRDB

/// A set of tiles in an MBTiles file, vector or raster; read only, by a few connections.
public final class TileSet: Sendable {
    /// What its tiles are.
    public enum Format: String, Sendable, Codable {
        case vector = "pbf"
        case png
        case jpeg = "jpg"
        case webp
    }

    /// What addresses call it: the file's name, in small letters.
    public let name: String
    public let path: String
    public let format: Format
    public let zooms: ClosedRange<Int>
    /// West, south, east, north, in degrees.
    public let bounds: [Double]
    /// Who is to be named; plain text, or what the file has.
    public let attribution: String?
    public let title: String?
    private let pool: DatabasePool

    /// Opens a file.
    ///
    /// - Throws: ``MapError/tileSetUnusable(_:reason:)``.
    public init(at file: URL) throws(MapError) {
        path = file.path
        name = Self.name(of: file)
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw .tileSetUnusable(file.path, reason: "there is no such file")
        }
        let metadata: [String: String]
        let found: (least: Int, most: Int)?
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.maximumReaderCount = MapLimits.readers
            configuration.busyMode = .timeout(1)
            pool = try DatabasePool(path: file.path, configuration: configuration)
            (metadata, found) = try pool.read { database in
                let metadata = try Self.metadata(database)
                // Without such a table, or where the file was cut off, no tile would be found later.
                _ = try Int.fetchOne(database, sql: "SELECT zoom_level FROM tiles LIMIT 1")
                return (metadata, try Self.zooms(metadata, database))
            }
        } catch {
            throw .tileSetUnusable(file.path, reason: "\(error)")
        }
        guard try !Self.isCutOff(file, pool) else {
            throw .tileSetUnusable(file.path, reason: "it was cut off; copy it again")
        }
        guard let found, found.least >= 0, found.most <= MapLimits.zoom else {
            throw .tileSetUnusable(file.path, reason: "it has no tiles")
        }
        let format = metadata["format"]?.lowercased() ?? "png"
        guard let format = Format(rawValue: format == "jpeg" ? "jpg" : format) else {
            throw .tileSetUnusable(file.path, reason: "its format is \(format)")
        }
        self.format = format
        zooms = found.least...found.most
        bounds = Self.bounds(metadata["bounds"])
        attribution = metadata["attribution"]
        title = metadata["name"]
    }

    /// One tile as it lies in the file; `nil` where it shows nothing.
    ///
    /// - Throws: What SQLite says.
    public func tile(_ id: TileID) async throws -> Data? {
        guard zooms.contains(id.zoom) else { return nil }
        return try await pool.read { database in
            try Data.fetchOne(
                database,
                sql: """
                    SELECT tile_data FROM tiles
                    WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3 AND length(tile_data) <= ?4
                    """,
                arguments: [id.zoom, id.column, id.rowFromSouth, MapLimits.tileBytes]
            )
        }
    }

    /// Whether the file is shorter than its own head says.
    private static func isCutOff(_ file: URL, _ pool: DatabasePool) throws(MapError) -> Bool {
        do {
            let bytes = try pool.read { database in
                try Int.fetchOne(
                    database,
                    sql:
                        "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
                )
            }
            let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
            return size < bytes ?? 0
        } catch {
            throw .tileSetUnusable(file.path, reason: "\(error)")
        }
    }

    private static func name(of file: URL) -> String {
        let plain = file.deletingPathExtension().lastPathComponent.lowercased().map { letter in
            letter.isASCII && (letter.isLetter || letter.isNumber) ? letter : "-"
        }
        return plain.isEmpty ? "map" : String(plain.prefix(64))
    }

    private static func metadata(_ database: Database) throws -> [String: String] {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT name, value FROM metadata WHERE typeof(value) <> 'blob' LIMIT 100"
        )
        return Dictionary(
            rows.compactMap { row in
                guard let name: String = row["name"], let value: String = row["value"] else {
                    return nil
                }
                return (name, value)
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// What the file says, or else the tiles: of a country these are millions.
    private static func zooms(
        _ metadata: [String: String],
        _ database: Database
    ) throws -> (least: Int, most: Int)? {
        if let least = metadata["minzoom"].flatMap(Int.init),
            let most = metadata["maxzoom"].flatMap(Int.init), least <= most
        {
            return (least, most)
        }
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT (SELECT min(zoom_level) FROM tiles) AS least, (SELECT max(zoom_level) FROM tiles) AS most
                """
        )
        guard let least: Int = row?["least"], let most: Int = row?["most"] else { return nil }
        return (least, most)
    }

    private static func bounds(_ text: String?) -> [Double] {
        let numbers = (text ?? "").split(separator: ",").compactMap {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        return numbers.count == 4 ? numbers : [-180, -GeoPoint.edge, 180, GeoPoint.edge]
    }
}
