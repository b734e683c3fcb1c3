// SPDX-License-Identifier: Apache-2.0
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
    func refuseOtherSites(_ request: Request, isTLS: Bool) throws(Problem) {
        let isSafe = request.method == .get || request.method == .head
        guard place == .cookie, !isSafe || request.asksForWebSocket,
            let origin = request.headers[.origin]
        else { return }
        let host = request.head.authority ?? ""
        guard origin == "https://\(host)" || !isTLS && origin == "http://\(host)" else {
            throw Problem(.crossOrigin, detail: "a cookie counts on our own pages only")
        }
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
