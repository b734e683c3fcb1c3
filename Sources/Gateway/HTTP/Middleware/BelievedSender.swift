// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird

/// Whom a page believes to be signed in: a browser has one cookie for all its pages, so that somebody else may be by now.
///
/// `Daybook-As: <user or device>`; of a WebSocket, whose headers a browser sets itself, `as.<user or device>` beside the
/// subprotocol. A client that names nobody is held to nothing.
struct BelievedSender: Sendable {
    private let id: String

    /// Whom a request names; `nil` if nobody.
    init?(of request: Request) {
        guard let id = request.headers[.sender] ?? Self.named(bySocket: request) else { return nil }
        self.id = id
    }

    private static func named(bySocket request: Request) -> String? {
        guard request.asksForWebSocket else { return nil }
        return WebSocketHandshake.list(request.headers[values: .secWebSocketProtocol])
            .first { $0.hasPrefix("as.") }
            .map { String($0.dropFirst(3)) }
    }

    /// Refuses what one person does in a page where another has signed in: it would be recorded as the other's.
    ///
    /// - Throws: 409 `signed-in-as-other`; nothing was done.
    func require(_ principal: Principal) throws(Problem) {
        guard id != principal.userID ?? principal.deviceID else { return }
        throw Problem(
            .signedInAsOther,
            detail: "somebody else is signed in now, and nothing was done; "
                + "GET /v1/me without Daybook-As tells who"
        )
    }
}
