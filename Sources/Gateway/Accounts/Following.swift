// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

/// Whether the accounts are what the ledger says of them, as far as this process knows (decision 0058); every start makes
/// all of it again.
final class Following: Sendable {
    private struct State {
        var failures = 0
        var fault: Fault?
    }

    private let state = Mutex(State())

    /// Why they do not follow the ledger; `nil` while they do.
    var fault: Fault? { state.withLock { $0.fault } }

    /// How often they fell behind.
    var failures: Int { state.withLock { $0.failures } }

    /// Records a change, then makes it: what is recorded and not made they are behind with.
    func change<Value>(
        recording record: () async throws -> Void,
        making make: () async throws -> Value
    ) async throws -> Value {
        do {
            try await record()
        } catch let error as EventLogError {
            // It may be recorded all the same.
            if case .outcomeUnknown = error { fallBehind(error) }
            throw error
        }
        do {
            return try await make()
        } catch {
            fallBehind(error)
            throw error
        }
    }

    /// What was recorded could not be made.
    func fallBehind(_ error: any Error) {
        let cause = Fault(error)
        let fault = Fault(
            code: "behind \(cause.code)",
            words: "the accounts do not follow the ledger, so that somebody whose rights ended may "
                + "still have them: \(cause.words)"
        )
        state.withLock { state in
            state.failures += 1
            state.fault = fault
        }
    }

    /// All of it was made, if none failed meanwhile.
    func catchUp(since failures: Int) {
        state.withLock { state in
            if state.failures == failures { state.fault = nil }
        }
    }
}
