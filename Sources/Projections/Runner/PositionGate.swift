// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

/// Where those wait who want a read model to show a position.
final class PositionGate: Sendable {
    private let state = Mutex(State())

    private struct State {
        var reached: UInt64 = 0
        var waiting: [UInt64: Waiter] = [:]
        var lastTicket: UInt64 = 0
    }

    private struct Waiter {
        let wanted: UInt64
        let continuation: CheckedContinuation<Void, Never>
    }

    /// How many events the read model stands for.
    var reached: UInt64 { state.withLock { $0.reached } }

    /// Notes progress and wakes those who waited for it.
    func advance(to next: LogPosition) {
        let woken = state.withLock { state in
            state.reached = next.rawValue
            let ready = state.waiting.filter { $0.value.wanted <= next.rawValue }
            for ticket in ready.keys { state.waiting[ticket] = nil }
            return ready.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    /// Waits until that many events are in; returns early, without them, when the task is cancelled.
    func wait(for wanted: UInt64) async {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isHere = state.withLock { state in
                    if state.reached >= wanted || Task.isCancelled { return true }
                    state.waiting[ticket] = Waiter(wanted: wanted, continuation: continuation)
                    return false
                }
                if isHere { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.continuation.resume()
        }
    }
}
