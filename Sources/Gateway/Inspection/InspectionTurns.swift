// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

/// The few turns in which streams have pictures decoded, handed out in the order of ``TurnOrder``.
final class InspectionTurns: Sendable {
    private struct State {
        var order: TurnOrder
        var next = 0
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state: Mutex<State>

    init(_ limits: ArchiveLimits) {
        state = Mutex(
            State(
                order: TurnOrder(
                    count: limits.inspections,
                    perSession: limits.inspectionsOfSession
                )
            )
        )
    }

    /// How many streams wait for a turn.
    var waiting: Int { state.withLock { $0.order.waiting } }

    /// Runs something when its turn has come.
    ///
    /// - Parameters:
    ///   - session: Whose share it is of.
    ///   - isFresh: Whether somebody may be looking at these pictures now.
    ///   - work: One turn's worth.
    /// - Returns: What `work` gives.
    /// - Throws: `CancellationError` when cancelled before its turn; what `work` throws.
    func take<Value: Sendable>(
        of session: SessionID,
        isFresh: Bool,
        _ work: () async throws -> Value
    ) async throws -> Value {
        guard await begin(session, isFresh) else { throw CancellationError() }
        defer { end(session) }
        return try await work()
    }

    /// - Returns: `false` when cancelled before the turn began.
    private func begin(_ session: SessionID, _ isFresh: Bool) async -> Bool {
        let name = state.withLock { state in
            state.next += 1
            return state.next
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard !Task.isCancelled else { return true }
                    state.waiting[name] = continuation
                    state.order.wait(name, of: session, isFresh: isFresh)
                    return false
                }
                if isCancelled { continuation.resume(returning: false) } else { admit() }
            }
        } onCancel: {
            let withdrawn = state.withLock { state in
                state.order.withdraw(name, of: session)
                    ? state.waiting.removeValue(forKey: name) : nil
            }
            withdrawn?.resume(returning: false)
        }
    }

    private func end(_ session: SessionID) {
        state.withLock { $0.order.end(of: session) }
        admit()
    }

    private func admit() {
        let begun = state.withLock { state in
            var begun: [CheckedContinuation<Bool, Never>] = []
            while let name = state.order.next() {
                if let one = state.waiting.removeValue(forKey: name) { begun.append(one) }
            }
            return begun
        }
        for continuation in begun { continuation.resume(returning: true) }
    }
}
