// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import Logging

/// `/metrics` on a listener of its own, which is not for the public: no token is asked for.
struct MetricsServer: Sendable {
    let host: String
    /// 0 lets the system choose; `onListening` then tells which.
    let port: Int

    /// Builds the service that listens.
    ///
    /// - Parameters:
    ///   - metrics: What it shows.
    ///   - logger: For the server.
    ///   - onListening: Called with the port once connections are taken.
    /// - Returns: A service; a port that is taken ends it with an error.
    func application(
        metrics: PrometheusRegistry,
        logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let router = Router()
        router.get("/metrics") { _, _ in metrics.response() }
        return Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { channel in await onListening(channel.localAddress?.port ?? 0) },
            logger: logger
        )
    }
}
