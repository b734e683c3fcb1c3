// SPDX-License-Identifier: Apache-2.0
public import Events

/// What a command comes to when it is not simply refused.
public enum Decision<Outcome: Sendable>: Sendable {
    /// Record these facts together; ``Command/outcome(of:)`` says what they mean, be it a refusal.
    case record([Write])
    /// It is so already; nothing is recorded, not even that it was asked, so that the same id is decided anew. The place is where it came about, if that is known.
    case already(Outcome, Place? = nil)
}

/// Where an event stands.
public struct Place: Hashable, Sendable {
    public let subject: Subject
    public let position: LogPosition
    public let revision: Revision
    public let time: Timestamp

    public init(_ envelope: Envelope) {
        subject = envelope.subject
        position = envelope.position
        revision = envelope.revision
        time = envelope.time
    }
}
