// SPDX-License-Identifier: Apache-2.0
/// Whoever waits until the log has grown to some size.
struct Arrivals: Sendable {
    private struct Waiter {
        let size: UInt64
        let continuation: CheckedContinuation<Void, Never>
    }

    private var waiters: [Int: Waiter] = [:]
    private var next = 0

    /// A number to wait, and to give up waiting, under.
    mutating func ticket() -> Int {
        defer { next += 1 }
        return next
    }

    mutating func wait(
        _ ticket: Int,
        for size: UInt64,
        _ continuation: CheckedContinuation<Void, Never>
    ) {
        waiters[ticket] = Waiter(size: size, continuation: continuation)
    }

    /// Takes out whoever has waited for at most this size; the caller wakes them outside the lock.
    mutating func arrived(at size: UInt64) -> [CheckedContinuation<Void, Never>] {
        let due = waiters.filter { $0.value.size <= size }
        for ticket in due.keys { waiters[ticket] = nil }
        return due.map(\.value.continuation)
    }

    /// Takes out one that gives up.
    mutating func leave(_ ticket: Int) -> CheckedContinuation<Void, Never>? {
        waiters.removeValue(forKey: ticket)?.continuation
    }
}
