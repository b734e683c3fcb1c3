// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird

/// Adds the header fields that keep a browser from doing what a page of ours never needs.
///
/// A route that sets one of them itself keeps its own.
struct SecurityHeadersMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    /// Whether the gateway serves TLS, so that browsers may be told to insist on it.
    let isTLS: Bool

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        var response = try await next(request, context)
        for (name, value) in Self.fields where !response.headers.contains(name) {
            response.headers[name] = value
        }
        if isTLS { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        return response
    }

    private static let fields: [(HTTPField.Name, String)] = [
        (.xContentTypeOptions, "nosniff"),
        (.referrerPolicy, "no-referrer"),
        (.crossOriginResourcePolicy, "same-origin"),
        (
            .contentSecurityPolicy,
            "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
                + "connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; "
                + "frame-ancestors 'none'"
        ),
    ]
}
