// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// The opening handshake of RFC 6455 §4.2, checked.
struct WebSocketHandshake: Sendable {
    /// The answer to the client's key.
    let accept: String
    /// The subprotocol that was agreed, if the client offered ours.
    let subprotocol: String?

    /// The subprotocol that we speak.
    ///
    /// Browsers cannot set headers on a WebSocket, so they offer this one beside
    /// `bearer.<token>`; only this one is ever chosen.
    static let subprotocol = "daybook"

    /// Checks the request of a client.
    ///
    /// - Throws: ``Problem/upgradeRequired`` when the request is no WebSocket handshake of version
    ///   13, and a malformed-request problem when it is one with faults.
    init(_ request: Request) throws(Problem) {
        let headers = request.headers
        guard request.method == .get,
            Self.list(headers[values: .upgrade]).contains(where: { $0.lowercased() == "websocket" }
            ),
            Self.list(headers[values: .connection]).contains(where: {
                $0.lowercased() == "upgrade"
            }), headers[.secWebSocketVersion] == "13"
        else { throw .upgradeRequired }
        guard let key = headers[.secWebSocketKey], Data(base64Encoded: key)?.count == 16,
            (headers[.contentLength] ?? "0") == "0", headers[.transferEncoding] == nil
        else {
            throw Problem(
                .malformedRequest,
                detail: "Sec-WebSocket-Key must be 16 bytes in base64, and the request without body"
            )
        }
        accept = Self.accept(for: key)
        let offered = Self.list(headers[values: .secWebSocketProtocol])
        subprotocol = offered.contains(Self.subprotocol) ? Self.subprotocol : nil
    }

    /// The answer that opens the socket; its body runs the session.
    func response(body: ResponseBody) -> Response {
        var headers: HTTPFields = [
            .upgrade: "websocket", .connection: "Upgrade", .secWebSocketAccept: accept,
        ]
        headers[.secWebSocketProtocol] = subprotocol
        return Response(status: .switchingProtocols, headers: headers, body: body)
    }

    /// The value of `Sec-WebSocket-Accept` for a key (RFC 6455 §4.2.2).
    static func accept(for key: String) -> String {
        let text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        return Data(Insecure.SHA1.hash(data: Data(text.utf8))).base64EncodedString()
    }

    /// The items of a comma-separated header, of all its lines.
    static func list(_ lines: [String]) -> [String] {
        lines.flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
