// SPDX-License-Identifier: Apache-2.0
import Events

/// What is planned, earliest first; of two at the same moment, the one that was planned first.
struct Agenda {
    private struct Item {
        let append: PlannedAppend
        let number: Int

        static func < (left: Item, right: Item) -> Bool {
            (left.append.time, left.number) < (right.append.time, right.number)
        }
    }

    // A binary heap: no item is earlier than the one at half its index.
    private var heap: [Item] = []
    private var planned = 0

    /// When the next one happens.
    var nextTime: Timestamp? { heap.first?.append.time }

    mutating func plan(_ append: PlannedAppend) {
        heap.append(Item(append: append, number: planned))
        planned += 1
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func takeNext() -> PlannedAppend? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return first.append
    }

    private mutating func sink() {
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
            guard let least = children.min(by: { heap[$0] < heap[$1] }), heap[least] < heap[parent]
            else { return }
            heap.swapAt(least, parent)
            parent = least
        }
    }
}
