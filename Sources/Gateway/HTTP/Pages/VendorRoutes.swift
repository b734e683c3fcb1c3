// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird

/// `GET /vendor`, which files of others are here, and `GET /vendor/{file}`, one of them.
///
/// Nothing of the file system but these files can be reached.
struct VendorRoutes: Sendable {
    let shelf: VendorShelf

    var routes: [Route] {
        [
            Route(.get, "/vendor", for: .strangers, list),
            Route(.get, "/vendor/:file", for: .strangers, file),
        ]
    }

    private struct ListBody: Encodable {
        /// Where each file is, by what pages call it.
        let files: [String: String]
        /// What would bring the ones that are missing.
        let remedy: String?
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) throws -> Response {
        let files = shelf.items.map { ($0.file.key, "/vendor/\($0.servedAs)") }
        var response: Response = try .json(
            ListBody(
                files: Dictionary(files, uniquingKeysWith: { first, _ in first }),
                remedy: shelf.remedy
            )
        )
        response.headers[.cacheControl] = "no-cache"
        return response
    }

    @Sendable private func file(_ request: Request, _ context: GatewayContext) throws -> Response {
        let name = try context.parameters.require("file")
        guard let page = shelf.page(servedAs: name) else {
            throw Problem(
                .unknownRoute,
                detail: "GET /vendor lists the files of others that are here, by their names of now"
            )
        }
        // The name has the digest: other bytes have another name.
        return page.response(
            to: request,
            [.cacheControl: "public, max-age=31536000, immutable"]
        )
    }
}
