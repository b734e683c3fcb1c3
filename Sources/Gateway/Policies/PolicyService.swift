// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Logging
import Projections
import ServiceLifecycle

/// Looks for what is due, and lets each policy act on it.
///
/// Looks again when the next row is due, and at least twice a second: a new row may be due sooner,
/// and a wall clock may step.
struct PolicyService: Service {
    /// The longest time between two looks.
    static let lookInterval = Duration.milliseconds(500)
    /// The shortest, while something due is being recorded.
    static let lookPause = Duration.milliseconds(20)

    let ledger: Ledger

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await self.watch() }
        } catch is CancellationError {
            // What is due is found again by the next start.
        }
    }

    private func watch() async throws {
        let policies = try ledger.timedPolicies.map { policy in
            (policy: policy, start: try ledger.start(ofPolicy: policy.name))
        }
        while !Task.isCancelled {
            do {
                try await level()
                for (policy, start) in policies {
                    try await policy.act(at: ledger.now, behind: start)
                }
                try await pause()
            } catch let error as ReadModelError {
                ledger.logger.debug("policies wait", metadata: ["reason": "\(error)"])
                try await Task.sleep(for: Self.lookInterval)
            } catch let error where error is EventLogError || error is CommandFault {
                if ledger.log.isClosed { return }
                ledger.logger.error("a policy could not act", metadata: ["error": "\(error)"])
                try await Task.sleep(for: Self.lookInterval)
            }
        }
    }

    /// Waits until the rows show everything that is in the log.
    private func level() async throws {
        guard let last = ledger.log.size.checkedPrevious else { return }
        try await ledger.readModels.runner.wait(for: last, on: "deadlines")
    }

    private func pause() async throws {
        let numbers = ledger.configuration.policies
        let next = try await ledger.readModels.deadlines.next(
            silence: numbers.streamSilence,
            end: numbers.streamEnd
        )
        let wait = next.map { $0 - ledger.now } ?? Self.lookInterval
        try await Task.sleep(for: min(max(wait, Self.lookPause), Self.lookInterval))
    }
}
