// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Maps
import NIOCore

/// `GET /tiles`, which maps are here, and `GET /tiles/{set}/{z}/{x}/{y}`, a tile of one.
///
/// The map of the world is everybody's, for the pages on which passers-by report; a site's own plans are for those who work with
/// them.
struct MapRoutes: Sendable {
    let shelf: MapShelf

    var routes: [Route] {
        [
            Route(.get, "/tiles", for: .strangers, list),
            Route(.get, "/tiles/:set/:z/:x/:y", for: .strangers, tile),
        ]
    }

    private static let staff: Set<Role> = [
        .guard, .rescuer, .operator, .supervisor, .analyst, .auditor, .organisationAdmin, .admin,
    ]
    /// What `make basemap` makes.
    private static let world = "world"

    /// The maps that whoever asks may have.
    private func sets(for context: GatewayContext) -> [TileSet] {
        let isStaff = context.principal.map { Self.staff.contains($0.role) } ?? false
        return shelf.sets.filter { isStaff || $0.name == Self.world }
    }

    /// A TileJSON 3.0 each.
    private struct SetBody: Encodable {
        let tilejson = "3.0.0"
        let set: String
        let name: String?
        let format: TileSet.Format
        let tiles: [String]
        let minzoom: Int
        let maxzoom: Int
        let bounds: [Double]
        let attribution: String?
    }

    private struct ListBody: Encodable {
        let items: [SetBody]
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) throws -> Response {
        try .json(
            ListBody(
                items: sets(for: context).map { set in
                    SetBody(
                        set: set.name,
                        name: set.title,
                        format: set.format,
                        tiles: ["/tiles/\(set.name)/{z}/{x}/{y}"],
                        minzoom: set.zooms.lowerBound,
                        maxzoom: set.zooms.upperBound,
                        bounds: set.bounds,
                        attribution: set.attribution
                    )
                }
            )
        )
    }

    @Sendable private func tile(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let name = try context.parameters.require("set")
        guard let set = sets(for: context).first(where: { $0.name == name }) else {
            throw Problem(.notFound, detail: "there is no map \(name); GET /tiles lists them")
        }
        guard let id = try Self.tile(context) else {
            throw Problem(.notFound, detail: "there is no such tile in any world")
        }
        guard let data = try await set.tile(id) else {
            return Response(status: .noContent, headers: [.cacheControl: Self.keeping])
        }
        let isCompressed = TileCompression.isGzip(data)
        let tag = EntityTag(of: data)
        var headers: HTTPFields = [
            .contentType: set.format.mediaType, .eTag: tag.text,
            .cacheControl: Self.keeping,
        ]
        guard !tag.isKnown(to: request) else {
            return Response(status: .notModified, headers: headers)
        }
        if isCompressed { headers[.contentEncoding] = "gzip" }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
        )
    }

    private static func tile(_ context: GatewayContext) throws -> TileID? {
        let numbers = try ["z", "x", "y"].map { try context.parameters.require($0) }
            .map { NumberText.whole($0, in: 0...Int(Int32.max)) ?? -1 }
        return TileID(zoom: numbers[0], column: numbers[1], row: numbers[2])
    }

    /// A day, for this reader alone.
    private static let keeping = "private, max-age=86400"
}

extension TileSet.Format {
    /// What the tiles are labelled as.
    var mediaType: String {
        switch self {
        case .vector: "application/vnd.mapbox-vector-tile"
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .webp: "image/webp"
        }
    }
}
