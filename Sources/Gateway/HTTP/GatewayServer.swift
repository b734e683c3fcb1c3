// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL

/// Where and how the gateway listens.
struct GatewayServer: Sendable {
    /// An address or name; the caller decides whether plain HTTP may leave the loopback.
    var host = "127.0.0.1"
    /// 0 lets the system choose; `onListening` then tells which.
    var port = 8080
    /// `nil` for plain HTTP.
    var tls: TLSFiles?

    /// The PEM files of a certificate chain, leaf first, and its key.
    struct TLSFiles: Sendable, Hashable {
        let certificateChain: String
        let privateKey: String
    }

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
    /// - Throws: When the TLS files cannot be read or used.
    func application(
        door: GatewayDoor,
        logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws -> some ApplicationProtocol {
        let connections = MaximumAvailableConnections(door.limits.connections, logger: logger)
        return Application(
            responder: door.responder(),
            server: try serverBuilder(limits: door.limits),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                backlog: 1024,
                availableConnectionsDelegate: connections
            ),
            onServerRunning: { channel in await onListening(channel.localAddress?.port ?? 0) },
            logger: logger
        )
    }

    private func serverBuilder(limits: GatewayLimits) throws -> HTTPServerBuilder {
        let connection = Self.connection(limits: limits)
        guard let tls else { return .http1(configuration: connection) }
        return try .http2Upgrade(
            tlsConfiguration: Self.configuration(of: tls),
            configuration: .init(
                idleTimeout: limits.connectionIdle,
                streamConfiguration: connection
            )
        )
    }

    private static func connection(limits: GatewayLimits) -> HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [UpgradeGate()],
            idleTimeout: TimeAmount(limits.connectionIdle),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.headerBytes,
                maxHeaderListSize: limits.headerBytes,
                maxHeaderFieldCount: limits.headerFields
            )
        )
    }

    private static func configuration(of files: TLSFiles) throws -> TLSConfiguration {
        let chain = try NIOSSLCertificate.fromPEMFile(files.certificateChain)
        let key = try NIOSSLPrivateKey(file: files.privateKey, format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        return configuration
    }
}
