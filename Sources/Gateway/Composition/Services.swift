// SPDX-License-Identifier: Apache-2.0
import Events
import Logging
import ServiceLifecycle

/// Closes the log when everything above it has stopped.
struct LogService: Service {
    let log: EventLog

    /// Waits for the end, then closes: waiting appends are answered and a last checkpoint is signed.
    func run() async throws {
        do {
            try await gracefulShutdown()
        } catch is CancellationError {
            // Something else failed; what was acknowledged is on disk either way.
        }
        await log.close()
    }
}

extension Ledger {
    /// A part of the gateway that begins again where it fails; see ``Supervised``.
    func supervised(
        _ name: String,
        _ need: ServiceStandings.Need,
        ending: Supervised.Ending = .cancelled,
        isWell: @escaping @Sendable () -> Bool = { true },
        _ work: @escaping @Sendable () async throws -> Void
    ) -> Supervised {
        Supervised(
            name: name,
            need: need,
            standings: standings,
            logger: logger,
            ending: ending,
            isOver: { [log] in log.isClosed },
            isWell: isWell,
            work: work
        )
    }
}
