// SPDX-License-Identifier: Apache-2.0

/// The times of RFC 3261 §17 and its table 4; the letters are the timers' names there.
public struct SIPTimers: Hashable, Sendable {
    /// T1: the estimate of a round trip.
    public var roundTrip: Duration
    /// T2: the longest pause between two copies.
    public var pauseMax: Duration
    /// T4: how long a message stays in the network.
    public var lifetime: Duration

    public init(
        roundTrip: Duration = .milliseconds(500),
        pauseMax: Duration = .seconds(4),
        lifetime: Duration = .seconds(5)
    ) {
        self.roundTrip = roundTrip
        self.pauseMax = pauseMax
        self.lifetime = lifetime
    }

    /// 64·T1: B, D, F, H, J, L and M.
    var patience: Duration { roundTrip * 64 }
    /// How long J is while the table is nearly full: two copies of a request would have come by then.
    var patienceUnderPressure: Duration { pauseMax * 2 }
    /// When an INVITE without an answer gets a 100 (§17.2.1).
    var tryingAfter: Duration { roundTrip * 2 / 5 }
    /// C: the longest that an INVITE may go without a final answer.
    var ringing: Duration { .seconds(180) }
}

/// Keys by when they are due, the earliest first: a binary heap.
struct DeadlineQueue<Key: Sendable>: Sendable {
    typealias Instant = ContinuousClock.Instant

    private var heap: [(due: Instant, key: Key)] = []

    var count: Int { heap.count }

    /// When the first one is due.
    var first: Instant? { heap.first?.due }

    mutating func insert(_ key: Key, due: Instant) {
        heap.append((due, key))
        var child = heap.count - 1
        while child > 0, heap[child].due < heap[(child - 1) / 2].due {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Takes the first one if it is due.
    mutating func pop(dueBy now: Instant) -> (due: Instant, key: Key)? {
        guard let first = heap.first, first.due <= now else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            let child = 2 * parent + 1
            guard child < heap.count else { return first }
            let isSecond = child + 1 < heap.count && heap[child + 1].due < heap[child].due
            let least = isSecond ? child + 1 : child
            guard heap[least].due < heap[parent].due else { return first }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
