// SPDX-License-Identifier: Apache-2.0
import Events
import Logging
import Projections

/// Looks for what is due, and lets a policy act on it; no policy waits for another.
///
/// Looks again when the next row is due, and at least twice a second: a new row may be due sooner,
/// and a wall clock may step.
struct PolicyService: Sendable {
    /// The longest time between two looks.
    static let lookInterval = Duration.milliseconds(500)
    /// The shortest, while something due is being recorded.
    static let lookPause = Duration.milliseconds(20)

    let ledger: Ledger
    let policy: any TimedPolicy

    /// Looks and acts until it is cancelled; what is due then is found again by the next start.
    ///
    /// - Throws: What keeps the policy from acting, such as a full disk.
    func run() async throws {
        let start = try ledger.start(ofPolicy: policy.name)
        while true {
            do {
                try await level()
                try await policy.act(at: ledger.now, behind: start)
                try await pause()
            } catch let error as ReadModelError {
                ledger.logger.debug("a policy waits", metadata: ["reason": "\(error)"])
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
