// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore

/// Where and how the gateway listens.
struct GatewayServer: Sendable {
    /// An address or name; the caller decides whether plain HTTP may leave the loopback.
    var host = "127.0.0.1"
    /// 0 lets the system choose; `onListening` then tells which.
    var port = 8080
    /// `nil` for plain HTTP.
    var tls: Certificates?
    /// Who is connected.
    let connections: ConnectionTable
    /// Addresses whose connections are not counted together: those of proxies.
    var uncounted: Set<String> = []

    /// Builds the service that listens, with the routes that the door has by now.
    ///
    /// Plain: HTTP/1.1. TLS: HTTP/2 where the client speaks it, else HTTP/1.1; WebSockets are on
    /// HTTP/1.1, which is what clients choose for them.
    ///
    /// - Parameters:
    ///   - door: The routes and what stands before them.
    ///   - logger: For the server and every request.
    ///   - onListening: Called with the port once connections are taken.
    /// - Returns: A service; it stops gracefully, closing sockets with 1001.
    /// - Throws: When TLS cannot be set up.
    func application(
        door: GatewayDoor,
        logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws -> some ApplicationProtocol {
        Application(
            responder: door.responder(),
            server: try serverBuilder(limits: door.limits),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                backlog: 1024
            ),
            onServerRunning: { channel in
                do {
                    try await AcceptGate.stand(before: channel)
                } catch {
                    // It was closed meanwhile: the gateway ends.
                    return
                }
                await onListening(channel.localAddress?.port ?? 0)
            },
            logger: logger
        )
    }

    private func serverBuilder(limits: GatewayLimits) throws -> HTTPServerBuilder {
        let connection = Self.connection(limits: limits)
        let (table, uncounted) = (connections, uncounted)
        guard let tls else {
            return HTTPServerBuilder { responder in
                HTTP1Channel(responder: responder, configuration: connection)
                    .guarded(by: table, limits.connections, uncounted: uncounted)
            }
        }
        let serving = tls.serving
        return HTTPServerBuilder { responder in
            // Who begins and resets streams all the time is sent away by NIOHTTP2: 200 resets in 30 seconds.
            try HTTP2UpgradeChannel(
                tlsConfiguration: serving,
                configuration: .init(
                    idleTimeout: limits.connections.idle,
                    gracefulCloseTimeout: limits.serverEnding,
                    streamConfiguration: connection
                ),
                responder: responder
            ).guarded(by: table, limits.connections, uncounted: uncounted)
        }
    }

    private static func connection(limits: GatewayLimits) -> HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [UpgradeGate(), RequestWatch(limits.connections)],
            idleTimeout: TimeAmount(limits.connections.idle),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.headerBytes,
                maxHeaderListSize: limits.headerBytes,
                maxHeaderFieldCount: limits.headerFields
            )
        )
    }
}
