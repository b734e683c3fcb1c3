// SPDX-License-Identifier: Apache-2.0
import Events
import Logging
import Projections
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

/// Keeps the read models level with the log.
struct ProjectionService: Service {
    let runner: ProjectionRunner

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await self.runner.run() }
        } catch is CancellationError {
            // Progress is committed with the rows: the next start goes on from there.
        }
    }
}
