// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// `/metrics`, `/healthz`, and `/readyz` with its reasons, on a listener of their own, which is not for the public: no token is asked for.
struct MetricsServer: Sendable {
    let host: String
    /// 0 lets the system choose; `onListening` then tells which.
    let port: Int
    /// What holds for its connections.
    let limits: ConnectionLimits

    init(host: String, port: Int, limits: ConnectionLimits = ConnectionLimits()) {
        self.host = host
        self.port = port
        self.limits = limits.ofMetricsListener
    }

    /// Builds the service that listens.
    ///
    /// - Parameters:
    ///   - metrics: What it shows.
    ///   - readiness: Which part has which fault.
    ///   - logger: For the server.
    ///   - onListening: Called with the port once connections are taken.
    /// - Returns: A service; a port that is taken ends it with an error.
    func application(
        metrics: PrometheusRegistry,
        readiness: Readiness,
        logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let router = Router()
        router.get("/metrics") { _, _ in metrics.response() }
        router.get("/healthz") { _, _ in readiness.health() }
        router.get("/readyz") { _, _ in try readiness.response(for: .whoeverRunsIt) }
        let limits = limits
        let table = ConnectionTable(limits)
        return Application(
            router: router,
            server: HTTPServerBuilder { responder in
                HTTP1Channel(
                    responder: responder,
                    configuration: .init(
                        additionalChannelHandlers: [RequestWatch(limits)],
                        idleTimeout: TimeAmount(limits.idle)
                    )
                ).guarded(by: table, limits, uncounted: [])
            },
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
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
}
