// SPDX-License-Identifier: Apache-2.0

/// An event that is still to be recorded; the log adds position, revision and time.
public struct Event: Hashable, Sendable {
    /// Unique in the world, by whoever made it: the log refuses one that it has seen just now, and keeps no list of all.
    public let id: EventID
    /// What happened.
    public let fact: Fact
    /// When the device claims that it happened; never orders.
    public let occurredAt: Timestamp?
    /// The event that caused this one.
    public let causation: EventID?

    public init(
        id: EventID,
        fact: Fact,
        occurredAt: Timestamp? = nil,
        causation: EventID? = nil
    ) {
        self.id = id
        self.fact = fact
        self.occurredAt = occurredAt
        self.causation = causation
    }
}

/// An event with its place in the log, decoded.
public struct RecordedEvent: Hashable, Sendable {
    /// Everything beside the payload.
    public let envelope: Envelope
    /// What happened, with sealed fields still sealed.
    public let fact: Fact

    public init(envelope: Envelope, fact: Fact) {
        self.envelope = envelope
        self.fact = fact
    }
}
