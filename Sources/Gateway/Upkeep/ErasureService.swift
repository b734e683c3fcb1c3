// SPDX-License-Identifier: Apache-2.0
import Events
import Logging
import Projections
import ServiceLifecycle

/// Finishes at each start the erasures that a crash, or a restored backup, left half done.
struct ErasureService: Service {
    let ledger: Ledger

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await self.finish() }
            try await gracefulShutdown()
        } catch is CancellationError {
            // The gateway stops; the next start goes on.
        }
    }

    private func finish() async throws {
        do {
            if let last = ledger.log.size.checkedPrevious {
                try await ledger.readModels.runner.wait(for: last, on: "registry")
            }
            try await Erasure(ledger: ledger).finishAll()
        } catch let error as ReadModelError {
            // Read models that are still being built: keys are destroyed by the opening already.
            ledger.logger.warning(
                "erasures wait for the next start",
                metadata: ["error": "\(error)"]
            )
        }
    }
}
