// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// What tells this process to end: before anything serves it ends at once, from then on gracefully.
///
/// Opening a ledger may take minutes, when an index is made anew, and a start that is told to end has nobody to say goodbye
/// to: what it left is what a crash may leave at any time.
final class EndSignals: Sendable {
    private let serving = Mutex<ServiceGroup?>(nil)
    // Set once, and otherwise only cancelled, which the library takes from any thread.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]
    private static let numbers = [SIGTERM, SIGINT]

    /// Listens from now on, as long as this is kept: from the first moment on the system itself ends the process no more.
    ///
    /// - Parameter logger: For the word with which a start ends.
    init(_ logger: Logger) {
        // Not on the threads of tasks: whoever opens a ledger may hold the last of them.
        let queue = DispatchQueue(label: "end-signals")
        sources = Self.numbers.map { DispatchSource.makeSignalSource(signal: $0, queue: queue) }
        for (number, source) in zip(Self.numbers, sources) {
            source.setEventHandler { [weak self] in self?.end(because: number, logger) }
            source.activate()
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// From here on services are ended, one after the other, and nothing else is.
    func turn(to group: ServiceGroup) {
        serving.withLock { $0 = group }
    }

    private func end(because number: Int32, _ logger: Logger) {
        if let group = serving.withLock({ $0 }) {
            // Ends with the group, which remembers it where it has not begun yet.
            Task { await group.triggerGracefulShutdown() }
            return
        }
        logger.warning(
            "told to end before anything was served",
            metadata: ["signal": "\(String(cString: strsignal(number)))"]
        )
        GatewayLog.end()
        // Others of this process are in the middle of opening files, and go no further.
        _exit(0)
    }
}
