// SPDX-License-Identifier: Apache-2.0
public import Events

/// A run of entries without gaps, decoded as far as projectors need it.
public struct EventPage: Sendable {
    /// The position of the first entry.
    public let first: LogPosition
    /// How many entries the page stands for, decoded or skipped.
    public let count: Int
    /// Those entries that some projector handles, in log order.
    public let events: [RecordedEvent]
    /// The leaf hash of the last entry.
    public let leaf: SHA256Digest

    public init(first: LogPosition, count: Int, events: [RecordedEvent], leaf: SHA256Digest) {
        precondition(count > 0, "a page holds at least one entry")
        self.first = first
        self.count = count
        self.events = events
        self.leaf = leaf
    }

    /// The first position behind the page.
    public var next: LogPosition { LogPosition(first.rawValue + UInt64(count)) }
}
