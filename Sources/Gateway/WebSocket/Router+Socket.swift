// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Metrics

extension RouterMethods where Context == GatewayContext {
    /// Adds a WebSocket to the router; it passes the same middleware as any route.
    ///
    /// ```swift
    /// router.socket("/v1/streams/:id/ingest") { request, context in
    ///     try context.signedIn()        // throws a Problem: an ordinary 401 or 403
    /// } handler: { connection, principal in
    ///     for await message in connection.messages { … }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The route.
    ///   - limits: What holds for each connection, made of what holds for most.
    ///   - accept: Decides before anything is answered, from the request alone. What it returns
    ///     goes to the handler; what it throws becomes an ordinary answer, and no socket opens.
    ///   - handler: Serves the connection; when it returns the connection closes with 1000, when
    ///     it throws with the code that fits the error's problem, whose slug is the reason.
    ///     Cancelled when the peer has been gone for ``WebSocketLimits/handlerGrace``.
    /// - Returns: The router, for further routes.
    @discardableResult
    func socket<Ticket: Sendable>(
        _ path: RouterPath,
        limits: @escaping @Sendable (WebSocketLimits) -> WebSocketLimits = { $0 },
        accept: @escaping @Sendable (Request, GatewayContext) async throws -> Ticket,
        handler: @escaping @Sendable (WebSocketConnection, Ticket) async throws -> Void
    ) -> Self {
        SocketRoutes.add(path)
        return on(path, method: .get) { request, context in
            let handshake = try WebSocketHandshake(request)
            guard let channel = context.channel else { throw Problem.upgradeRequired }
            let ticket = try await accept(request, context)
            let seat = try context.seat()
            // By the pattern of its path: those are few.
            let open = Meter(
                label: "sockets_open",
                dimensions: [("kind", path.description)],
                factory: context.metrics
            )
            let session = WebSocketSession(
                connection: WebSocketConnection(id: context.requestID, logger: context.logger),
                limits: limits(context.limits.socket),
                channel: channel
            ) { connection in
                defer {
                    open.decrement()
                    withExtendedLifetime(seat) {}
                }
                open.increment()
                try await handler(connection, ticket)
            }
            return handshake.response(
                body: ResponseBody { writer in
                    try await session.run(inbound: request.body, writer: writer)
                }
            )
        }
    }
}

extension Request {
    /// Whether the client asks for a WebSocket; such a request has no end of its body.
    ///
    /// Only a GET can (RFC 6455 §4.1); whether there is a socket at its path, the router knows.
    var asksForWebSocket: Bool {
        method == .get && headers[.upgrade]?.lowercased() == "websocket"
    }
}
