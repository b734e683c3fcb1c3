// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Projections

/// The routes of everybody: pages about rescues that need no script, and the same as GeoJSON.
///
/// They show public copies alone, see ``PublicCopy``, which are no personal data: no reading is recorded.
struct PublicPages: Sendable {
    let ledger: Ledger
    private let pictures: PublicPictures
    private let pages: @Sendable () throws -> PageFolder
    private let board: PublicBoard
    private let visitors: ClientRates

    /// - Parameters:
    ///   - ledger: Whose reports and agencies.
    ///   - pictures: The photos.
    ///   - folder: The pages, with the words in which these are written.
    ///   - reread: Reads the folder again for each answer; `nil` where it was read once.
    init(
        ledger: Ledger,
        pictures: PublicPictures,
        folder: PageFolder,
        reread: (@Sendable () throws -> PageFolder)? = nil
    ) {
        (self.ledger, self.pictures) = (ledger, pictures)
        pages = reread ?? { folder }
        board = PublicBoard(ledger)
        let limits = ledger.configuration.limits
        visitors = ClientRates(limits.publicPagesOfAddress, capacity: limits.rememberedClients)
    }

    var routes: [Route] {
        [
            Route(.get, "/rescues", for: .strangers, rescues),
            Route(.get, "/rescues/:report", for: .strangers, report),
            list("/rescues/gallery", PublicPage.gallery),
            list("/agencies", PublicPage.agencies),
            list("/guide", PublicPage.guide),
            list("/donate", PublicPage.donate),
            Route(.get, "/sitemap.xml", for: .strangers, sitemap),
            Route(.get, "/robots.txt", for: .strangers, robots),
            Route(.get, "/v1/public/reports.geojson", for: .strangers, geoJSON),
            // The names in the path are those of the reporter's own route: here the report's id, and the photo's.
            Route(.get, "/v1/public/reports/:token/photos/:number", for: .strangers, photo),
        ]
    }

    // MARK: - Pages

    private func rescues(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let wish = PublicPage.Wish(
            near: try request.text("near").map(Self.place),
            state: try request.word("state")
        )
        // What a visitor chooses freely is not kept for others.
        let name = wish.near == nil ? "/rescues \(wish.state?.rawValue ?? "")" : nil
        return try await answer(request, context, keptAs: name) {
            PublicPage.rescues($0, wish, $1)
        }
    }

    private func list(
        _ path: String,
        _ page: @escaping @Sendable (PublicBoard.Shown, PublicVisit) -> PublicPage
    ) -> Route {
        Route(.get, RouterPath(path), for: .strangers) { request, context in
            try await answer(request, context, keptAs: path, page)
        }
    }

    private func report(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let report = try await shownReport("report", context)
        var response = try await answer(request, context) { shown, visit in
            guard let report else { return PublicPage.noReport(visit) }
            return PublicPage.report(report, shown.agencies, visit)
        }
        if report == nil { response.status = .notFound }
        return response
    }

    /// Writes a page for a visitor.
    ///
    /// - Parameters:
    ///   - request: Says in which language.
    ///   - context: Who asks.
    ///   - name: Under which the page is kept for others who ask the same; `nil` for one that is not.
    ///   - make: The page.
    /// - Returns: The page, with the fields of all pages.
    /// - Throws: 429 for an address that asks too often; 404 for a gateway without pages; what reading throws.
    private func answer(
        _ request: Request,
        _ context: GatewayContext,
        keptAs name: String? = nil,
        _ make: (PublicBoard.Shown, PublicVisit) -> PublicPage
    ) async throws -> Response {
        try admit(context)
        let chosen = request.text("lang").flatMap(PublicWords.Language.init(rawValue:))
        let language = chosen ?? .init(wished: request.headers[values: .acceptLanguage])
        let shown = try await board.shown()
        func write() throws -> PageFile {
            let visit = PublicVisit(
                words: try PublicWords(language, in: pages()),
                isLanguageChosen: chosen != nil,
                site: ledger.configuration.site,
                centreName: ledger.centreName,
                publicAddress: ledger.publicAddress,
                now: shown.at
            )
            return try Self.file(make(shown, visit).document(visit).text, "html", name != nil)
        }
        let file =
            if let name {
                try shown.pages.page(
                    "\(name) \(language.rawValue) \(chosen != nil)",
                    write
                )
            } else {
                try write()
            }
        var response = file.response(to: request, PageRoutes.fields)
        response.headers[.vary] = "accept-encoding, accept-language"
        return response
    }

    /// The report in the path; `nil` for one that is not public, or never was.
    private func shownReport(
        _ name: String,
        _ context: GatewayContext
    ) async throws -> PublicCopy? {
        guard let id = ReportID(context.parameters.get(name) ?? "") else { return nil }
        return try await board.report(id)
    }

    /// - Throws: 429 for an address that asks too often.
    private func admit(_ context: GatewayContext) throws {
        try visitors.check(NetworkAddress.holder(of: context.remoteAddress))
    }

    private static func file(
        _ text: String,
        _ kind: String,
        _ isCompressed: Bool
    ) throws -> PageFile {
        guard let file = PageFile(Data(text.utf8), extension: kind, isCompressed: isCompressed)
        else { throw Problem(.internalError, detail: "pages have no files of the kind \(kind)") }
        return file
    }

    private static func place(_ text: String) throws(Problem) -> Fix {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
        guard numbers.count == 2, let latitude = NumberText.real(numbers[0], in: -90...90),
            let longitude = NumberText.real(numbers[1], in: -180...180)
        else {
            throw Problem(
                .malformedRequest,
                detail: "near is a latitude and a longitude in degrees, such as 36.80,-121.79"
            )
        }
        return Fix(latitude: latitude, longitude: longitude).rounded
    }

    // MARK: - For search engines

    private func sitemap(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try admit(context)
        let shown = try await board.shown()
        let file = try shown.pages.page("/sitemap.xml") {
            var reports: [ReportID] = []
            for report in shown.active + shown.past + shown.rescued
            where !reports.contains(report.id) { reports.append(report.id) }
            let paths =
                ["/report"] + PublicPage.parts.map(\.0) + reports.map { "/rescues/\($0)" }
            var writer = XMLWriter()
            writer.element("urlset", ["xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9"]) {
                for path in paths {
                    $0.element("url") { $0.text("loc", ledger.publicAddress + path) }
                }
            }
            return try Self.file(String(decoding: writer.data, as: UTF8.self), "xml", true)
        }
        return file.response(to: request, [.cacheControl: "no-cache"])
    }

    /// Search engines are led to the public pages, and to nothing else.
    private func robots(_ request: Request, _ context: GatewayContext) -> Response {
        let open = ["/report$"] + PublicPage.parts.map(\.0) + ["/web/", "/v1/public/reports/"]
        let lines =
            ["User-agent: *"] + open.map { "Allow: \($0)" }
            + ["Disallow: /", "Sitemap: \(ledger.publicAddress)/sitemap.xml", ""]
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: lines.joined(separator: "\n")))
        )
    }

    // MARK: - For programs

    private func geoJSON(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try admit(context)
        let shown = try await board.shown()
        let file = try shown.pages.page("reports.geojson") {
            let features = (shown.active + shown.past).map {
                PublicFeature($0, ledger.publicAddress)
            }
            let body = try JSONBody.encoder.encode(PublicFeatures(features: features))
            return try Self.file(String(decoding: body, as: UTF8.self), "json", true)
        }
        var response = file.response(to: request, [.cacheControl: "no-cache"])
        response.headers[.contentType] = "application/geo+json"
        return response
    }

    private func photo(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try admit(context)
        let size: PublicCopy.PhotoSize = try request.word("size") ?? .large
        let name = context.parameters.get("number").flatMap { SHA256Digest($0) }
        let report = try await shownReport("token", context)
        guard let photo = report?.photos.first(where: { $0.blob == name }) else {
            throw Problem(.notFound, detail: "there is no such public photo; look at the report")
        }
        let tag = EntityTag(of: Data("\(photo.blob.text) \(size.rawValue)".utf8))
        var headers: HTTPFields = [
            .cacheControl: "public, max-age=300",
            .contentSecurityPolicy: "default-src 'none'; sandbox",
        ]
        headers[.eTag] = tag.text
        guard !tag.isKnown(to: request) else {
            return Response(status: .notModified, headers: headers)
        }
        let picture = try await pictures.copy(
            of: photo,
            maxSide: size.maxSide,
            for: NetworkAddress.holder(of: context.remoteAddress)
        )
        headers[.contentType] = "image/jpeg"
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture))
        )
    }
}

/// Public copies of reports, as a GeoJSON FeatureCollection (RFC 7946).
private struct PublicFeatures: Encodable {
    let type = "FeatureCollection"
    let features: [PublicFeature]
}

private struct PublicFeature: Encodable {
    let type = "Feature"
    let id: ReportID
    let geometry: Point
    let properties: Properties

    struct Point: Encodable {
        let type = "Point"
        /// Longitude first.
        let coordinates: [Double]
    }

    struct Properties: Encodable {
        let species: String
        let sizeClass: ReportSubmitted.SizeClass
        let condition: ReportSubmitted.Condition
        let status: ReportStatus
        let agency: String?
        /// The hours in which it was submitted and closed.
        let submittedAt: Timestamp
        let closedAt: Timestamp?
        let url: String
        let photos: [String]
    }

    init(_ report: PublicCopy, _ publicAddress: String) {
        id = report.id
        geometry = Point(coordinates: [report.place.longitude, report.place.latitude])
        properties = Properties(
            species: report.species,
            sizeClass: report.sizeClass,
            condition: report.condition,
            status: report.status,
            agency: report.agencyName,
            submittedAt: report.submitted,
            closedAt: report.closed,
            url: "\(publicAddress)/rescues/\(report.id)",
            photos: report.photos.map { publicAddress + report.path(of: $0, .large) }
        )
    }
}
