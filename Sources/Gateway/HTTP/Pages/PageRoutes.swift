// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird

/// The web pages: `/`, `/console` and `/call`, and what they are made of below `/web`.
///
/// Nothing here asks who somebody is: the pages hold no data, and sign in like any other client.
struct PageRoutes: Sendable {
    let folder: PageFolder

    func add(to router: Router<GatewayContext>) {
        router.get("/") { request, _ in try answer("index.html", request) }
        for page in ["console", "call"] {
            router.get("/\(page)") { request, _ in try answer("\(page)/index.html", request) }
        }
        router.get("/web/**") { request, context in
            try answer(context.parameters.getCatchAll().joined(separator: "/"), request)
        }
    }

    private func answer(_ path: String, _ request: Request) throws(Problem) -> Response {
        guard let file = folder.files[path] else {
            throw Problem(
                .unknownRoute,
                detail: folder.files.isEmpty
                    ? "this gateway has no pages; start it with --web and the folder of them"
                    : "there is no such page"
            )
        }
        var headers = Self.fields
        headers[.contentType] = file.contentType
        headers[.eTag] = file.entityTag.text
        guard !file.entityTag.isKnown(to: request) else {
            return Response(status: .notModified, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.bytes))
    }

    /// Everything comes from here, no text becomes code, and nobody frames us.
    ///
    /// Camera and place are for our own pages. `no-cache` means: ask whether it has changed.
    private static let fields: HTTPFields = [
        .cacheControl: "no-cache",
        .contentSecurityPolicy: [
            "default-src 'none'", "script-src 'self'", "style-src 'self'",
            "img-src 'self' data: blob:",
            "media-src 'self' blob:", "connect-src 'self'", "worker-src 'self'",
            "manifest-src 'self'", "base-uri 'none'", "form-action 'self'",
            "frame-ancestors 'none'",
        ].joined(separator: "; "),
        .permissionsPolicy:
            "camera=(self), geolocation=(self), microphone=(), screen-wake-lock=(self)",
        .serviceWorkerAllowed: "/call",
    ]
}
