// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird

/// The token in a request, and the way it came.
struct Credential: Sendable, Hashable {
    /// Where a token may stand.
    enum Place: Sendable, Hashable {
        /// `Authorization: Bearer <token>`.
        case header
        /// `Sec-WebSocket-Protocol: daybook, bearer.<token>`: WebSockets only.
        case subprotocol
        /// `?access_token=<token>`: WebSockets only, for a URL stays in logs of others.
        case query
        /// The cookie that signing in sets.
        ///
        /// Last, for a browser adds it by itself: what a page says on purpose counts before it.
        case cookie
    }

    let token: String
    let place: Place

    /// The first token in a request, by the order of ``Place``.
    ///
    /// - Parameters:
    ///   - request: With or without one.
    ///   - endpoint: The pattern of its path: only of a socket's does a token in URL or subprotocol count.
    init?(of request: Request, to endpoint: String?) {
        let opensSocket = request.asksForWebSocket && SocketRoutes.have(endpoint)
        if let token = Self.bearer(in: request.headers[.authorization]) {
            (self.token, place) = (token, .header)
        } else if opensSocket, let token = Self.subprotocolToken(in: request) {
            (self.token, place) = (token, .subprotocol)
        } else if opensSocket,
            let token = request.uri.queryParameters["access_token"]
        {
            (self.token, place) = (String(token), .query)
        } else if let token = request.cookies[SessionCookie.name]?.value, !token.isEmpty {
            (self.token, place) = (token, .cookie)
        } else {
            return nil
        }
    }

    /// Refuses what a page of another site made a browser send along with our cookie.
    ///
    /// `SameSite=Lax` leaves WebSockets and some navigations open; `Origin` does not. A server that speaks TLS has no page
    /// of its own without it; of one that does not, a proxy may have.
    ///
    /// - Parameters:
    ///   - request: What came.
    ///   - forwardedHost: What a trusted proxy was asked for, if it tells.
    ///   - isTLS: Whether the server speaks TLS.
    /// - Throws: 403 with both the page's origin and what the gateway was asked as.
    func refuseOtherSites(
        _ request: Request,
        forwardedHost: String?,
        isTLS: Bool
    ) throws(Problem) {
        let isSafe = request.method == .get || request.method == .head
        guard place == .cookie, !isSafe || request.asksForWebSocket,
            let origin = request.headers[.origin]
        else { return }
        let host = forwardedHost ?? request.head.authority ?? ""
        guard Self.isPage(origin, of: host, isTLS: isTLS) else {
            throw Problem(
                .crossOrigin,
                detail:
                    "a cookie counts on our own pages only: this page is of \(origin), and the gateway was asked as \(host); a proxy in front passes Host on, or tells it by X-Forwarded-Host",
                facts: ["origin": .string(origin), "host": .string(host)]
            )
        }
    }

    /// Whether a page of this origin is the site's own.
    ///
    /// A host without a port may have lost it on the way; no browser keeps cookies apart by ports.
    private static func isPage(_ origin: String, of host: String, isTLS: Bool) -> Bool {
        guard let page = URLComponents(string: origin.lowercased()),
            let own = URLComponents(string: "any://\(host.lowercased())"),
            let scheme = page.scheme, let name = page.host, !name.isEmpty,
            scheme == "https" || !isTLS && scheme == "http"
        else { return false }
        let port = page.port ?? (scheme == "https" ? 443 : 80)
        return name == own.host && (own.port == nil || own.port == port)
    }

    private static func bearer(in field: String?) -> String? {
        guard let field, field.prefix(7).lowercased() == "bearer " else { return nil }
        return String(field.dropFirst(7))
    }

    private static func subprotocolToken(in request: Request) -> String? {
        WebSocketHandshake.list(request.headers[values: .secWebSocketProtocol])
            .first { $0.hasPrefix("bearer.") }
            .map { String($0.dropFirst(7)) }
    }
}
