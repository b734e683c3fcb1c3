// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird

/// Stands in front of the router, which compares addresses: a head that is not sound gets no further (``OutsideText``).
///
/// It is answered on the way of all others, so that it is logged and counted as they are, but nothing of it goes along: no field,
/// no address, and so nobody who is signed in.
struct HeadGate<Responder: HTTPResponder>: HTTPResponder
where Responder.Context == GatewayContext {
    let router: Responder

    func respond(to request: Request, context: GatewayContext) async throws -> Response {
        do {
            try OutsideText.check(head: request.head)
        } catch {
            var context = context
            context.refusedHead = error
            let bare = HTTPRequest(
                method: request.method,
                scheme: nil,
                authority: nil,
                path: Self.noRoute
            )
            return try await router.respond(
                to: Request(head: bare, body: request.body),
                context: context
            )
        }
        return try await router.respond(to: Self.atItsAddress(request), context: context)
    }

    /// A chat is at `/chat`, and, as the source document has it, at the server's own address.
    private static func atItsAddress(_ request: Request) -> Request {
        guard request.asksForWebSocket, request.uri.path == "/" else { return request }
        var head = request.head
        head.path = "/chat" + (request.uri.query.map { "?\($0)" } ?? "")
        return Request(head: head, body: request.body)
    }

    /// No route has this address.
    private static var noRoute: String { "/.refused" }
}
