// SPDX-License-Identifier: Apache-2.0
/// The events to append to one subject, in their order.
public struct SubjectWrite: Sendable {
    public let subject: Subject
    public let events: [Event]

    public init(_ subject: Subject, _ events: [Event]) {
        self.subject = subject
        self.events = events
    }
}

/// What must hold about a subject, whether it is written or not, for an append to be taken.
public struct Condition: Hashable, Sendable {
    public let subject: Subject
    public let expectation: Expectation

    public init(_ subject: Subject, _ expectation: Expectation) {
        self.subject = subject
        self.expectation = expectation
    }
}

/// How a subject is expected to stand when the writer takes the append.
public enum Expectation: Hashable, Sendable {
    /// Its last event has this revision.
    case revision(Revision)
    /// It has no event.
    case absent
    /// No event behind this position is linked to it in this role (see ``EventPayload/links``); with `nil`, none at all.
    case notLinked(as: LinkRole, since: LogPosition?)
}

/// What an accepted append got.
///
/// The same command id from the same actor gets the same receipt again.
public struct Receipt: Hashable, Sendable {
    /// The place of the first event; the others follow without a gap.
    public let first: LogPosition
    /// How many events were appended, at least one.
    public let count: Int
    /// The last revision that the append gave in each subject it wrote.
    public let revisions: [Subject: Revision]
    /// When the writer recorded them.
    public let time: Timestamp
    /// Whether this command had been taken before.
    public let repeated: Bool

    public init(
        first: LogPosition,
        count: Int,
        revisions: [Subject: Revision],
        time: Timestamp,
        repeated: Bool
    ) {
        self.first = first
        self.count = count
        self.revisions = revisions
        self.time = time
        self.repeated = repeated
    }

    /// The place of the last event.
    public var last: LogPosition { LogPosition(first.rawValue + UInt64(count) - 1) }
}
