// SPDX-License-Identifier: Apache-2.0
import Events
import Logging
import ServiceLifecycle
import Synchronization

/// Counts strangers who were turned away, and tells the ledger of them together (ruling 41).
///
/// Counting waits for nothing and writes nothing: the answer to a stranger does not wait for a disk.
/// The ledger hears of each reason at most once a minute, whatever they try, and once more when the gateway ends.
final class StrangerRefusals: Sendable {
    /// What one event will say.
    struct Tally: Sendable, Hashable {
        let reason: AccessRefused.Reason
        var count = 0
        /// The last one.
        var attempt = ""
        /// How many came from which network; few, for the first ones tell enough.
        var networks: [String: Int] = [:]

        /// Where most of them came from; of equals the first in the order of the alphabet.
        var network: String? {
            networks.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        }
    }

    private struct State {
        var open: [AccessRefused.Reason: Tally] = [:]
        var toldAt: [AccessRefused.Reason: ContinuousClock.Instant] = [:]
        var totals: [AccessRefused.Reason: Int] = [:]
    }

    /// The first refusals of a while ring; whoever tells the ledger sleeps until then.
    let rings: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation
    private let interval: Duration
    private let networksMax: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - interval: How long the ledger hears nothing more of a reason.
    ///   - networksMax: Networks that are told apart in that time.
    init(every interval: Duration, networksMax: Int) {
        self.interval = interval
        self.networksMax = networksMax
        (rings, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// How many were turned away since the start.
    var totals: [AccessRefused.Reason: Int] { state.withLock { $0.totals } }

    /// Counts one.
    ///
    /// - Parameters:
    ///   - reason: Why.
    ///   - attempt: What was tried: method and route, without values.
    ///   - address: Where it came from.
    func count(_ reason: AccessRefused.Reason, attempt: String, address: String) {
        let network = NetworkAddress.block(of: address)
        let isFirst = state.withLock { state in
            state.totals[reason, default: 0] += 1
            var tally = state.open[reason] ?? Tally(reason: reason)
            tally.count += 1
            tally.attempt = attempt
            if let network, tally.networks[network] != nil || tally.networks.count < networksMax {
                tally.networks[network, default: 0] += 1
            }
            state.open[reason] = tally
            return tally.count == 1
        }
        if isFirst { bell.yield() }
    }

    /// Takes out everything, for the end of the gateway: what is not told then is lost.
    func takeAll() -> [Tally] {
        state.withLock { state in
            defer { state.open = [:] }
            return Array(state.open.values)
        }
    }

    /// Takes out what may be told now.
    ///
    /// - Returns: The tallies, and how long until the next one may be told; `nil` if none is open.
    func take(at now: ContinuousClock.Instant = .now) -> (due: [Tally], wait: Duration?) {
        state.withLock { state in
            var due: [Tally] = []
            var wait: Duration?
            for (reason, tally) in state.open {
                let left = state.toldAt[reason].map { $0 + interval - now } ?? .zero
                guard left <= .zero else {
                    wait = min(wait ?? left, left)
                    continue
                }
                due.append(tally)
                state.open[reason] = nil
                state.toldAt[reason] = now
            }
            return (due, wait)
        }
    }
}

/// Tells the ledger of strangers who were turned away.
struct StrangerRefusalService: Service {
    let ledger: Ledger

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                for await _ in ledger.strangers.rings {
                    while let wait = await tell() { try await Task.sleep(for: wait) }
                }
            }
        } catch is CancellationError {
            // What was counted since is told below.
        }
        for tally in ledger.strangers.takeAll() { await ledger.record(tally) }
    }

    /// Tells what may be told now.
    ///
    /// - Returns: How long until there is more; `nil` if nothing is open.
    func tell() async -> Duration? {
        let (due, wait) = ledger.strangers.take()
        for tally in due { await ledger.record(tally) }
        return wait
    }
}
