// SPDX-License-Identifier: Apache-2.0
import Events
import Logging
import ServiceLifecycle

/// Keeps one part of the gateway going: a fault is named, and after a pause it begins again.
///
/// Every part that runs beside the server runs in one, so that none of them ends the gateway: not a file that cannot be
/// deleted, nor a policy's error, a missing folder, a full disk. ``ServiceStandings`` shows the fault until the part has gone
/// well for a while (``Pauses/settling(after:)``, ``isWell``). Only a log that is closed ends the trying; the gateway then ends by itself.
struct Supervised: Service {
    /// How a part learns that the gateway stops.
    enum Ending: Sendable {
        /// It is cancelled.
        case cancelled
        /// It asks by itself, for it has something to finish.
        case byItself
    }

    /// The pauses between tries: the first, and the longest that they double to.
    struct Pauses: Sendable {
        var first = Duration.milliseconds(500)
        var longest = Duration.seconds(10)

        /// How long a part must go on to count as well again.
        ///
        /// Twice as long as it took to fail, but no longer than two of the longest pauses: what went well for a month and
        /// failed for a moment is not unwell for two.
        func settling(after lasted: Duration) -> Duration {
            min(max(lasted, first) * 2, longest * 2)
        }
    }

    let name: String
    /// Whether the gateway can serve without it.
    let need: ServiceStandings.Need
    let standings: ServiceStandings
    let logger: Logger
    var ending = Ending.cancelled
    var pauses = Pauses()
    /// Whether trying again makes no sense any more.
    let isOver: @Sendable () -> Bool
    /// Whether going on for a while shows that it is well: not while it still tries what it failed at.
    var isWell: @Sendable () -> Bool = { true }
    /// Works until there is nothing left to do, or it is cancelled.
    let work: @Sendable () async throws -> Void

    /// Works, again and again if it must, until the gateway stops.
    func run() async throws {
        standings.begin(name, need)
        do {
            switch ending {
            case .cancelled: try await cancelWhenGracefulShutdown { try await self.keepGoing() }
            case .byItself: try await keepGoing()
            }
            try await gracefulShutdown()
        } catch is CancellationError {
            // The gateway stops.
        }
    }

    private func keepGoing() async throws {
        var pause = pauses.first
        var failedAfter: Duration?
        while !isOver() {
            let began = ContinuousClock.now
            do {
                try await attempt(settlingAfter: failedAfter)
                return wellAgain()
            } catch {
                try Task.checkCancellation()
                let lasted = ContinuousClock.now - began
                if lasted > pauses.longest { pause = pauses.first }
                note(error)
                failedAfter = lasted
            }
            try await cancelWhenGracefulShutdown { [pause] in try await Task.sleep(for: pause) }
            pause = min(pause * 2, pauses.longest)
        }
    }

    /// Works once; behind a fault it counts as well when it has gone on for a while.
    private func attempt(settlingAfter failedAfter: Duration?) async throws {
        guard let failedAfter else { return try await work() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                repeat {
                    try await Task.sleep(for: pauses.settling(after: failedAfter))
                } while !isWell()
                wellAgain()
            }
            try await work()
            group.cancelAll()
        }
    }

    private func note(_ error: any Error) {
        guard !isOver() else { return }
        // Repeated, it is no news.
        let level: Logger.Level = standings.fail(name, Fault(error)) ? .error : .debug
        logger.log(
            level: level,
            "a service has a fault and begins again",
            metadata: ["service": "\(name)", "error": "\(error)"]
        )
    }

    private func wellAgain() {
        guard standings.recover(name) else { return }
        logger.notice("a service is well again", metadata: ["service": "\(name)"])
    }
}
