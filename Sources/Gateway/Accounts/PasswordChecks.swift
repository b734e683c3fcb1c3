// SPDX-License-Identifier: Apache-2.0
import NIOPosix
import Synchronization

/// Runs scrypt on two threads of its own, so that no event loop waits and memory stays bounded.
///
/// When more passwords wait than allowed, the next one is refused at once.
final class PasswordChecks: Sendable {
    /// One for the process: two hashes at a time are all that two cores bear beside the work.
    private static let threads: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: 2)
        threads.start()
        return threads
    }()

    private let waiting = Mutex(0)
    private let waitingMax: Int

    init(waitingMax: Int) {
        self.waitingMax = waitingMax
    }

    /// Runs a blocking check or hash.
    ///
    /// Half of the places in the queue are for who is known here, so that strangers do not fill it.
    ///
    /// - Throws: ``AccountError/tooManySignIns`` when too many wait, else what the work throws.
    func run<Value: Sendable>(
        isKnown: Bool = true,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try waiting.withLock { waiting in
            guard waiting < (isKnown ? waitingMax : (waitingMax + 1) / 2) else {
                throw AccountError.tooManySignIns
            }
            waiting += 1
        }
        defer { waiting.withLock { $0 -= 1 } }
        return try await Self.threads.runIfActive(work)
    }
}
