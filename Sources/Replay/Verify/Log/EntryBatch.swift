// SPDX-License-Identifier: Apache-2.0
/// Entries that follow each other, copied together: one piece of work for a checking thread.
struct EntryBatch: Sendable {
    /// Which piece, from 0.
    let number: Int
    /// The position of the first entry: a multiple of ``ReplayLimits/entriesPerBatch``.
    let first: UInt64
    private(set) var bytes: [UInt8] = []
    private(set) var ends: [Int] = []

    init(number: Int, first: UInt64, capacity: Int) {
        self.number = number
        self.first = first
        bytes.reserveCapacity(capacity)
        ends.reserveCapacity(ReplayLimits.entriesPerBatch)
    }

    var count: Int { ends.count }
    var isFull: Bool { ends.count == ReplayLimits.entriesPerBatch }

    mutating func append(_ entry: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: entry)
        ends.append(bytes.count)
    }

    /// Where an entry stands in the bytes.
    func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }
}
