// SPDX-License-Identifier: Apache-2.0

/// What happened to the server's clock.
public enum ClockEvent: EventFamily {
    case stepped(ClockStepped)
    case confirmed(ClockConfirmed)

    public static let kinds: [any EventPayload.Type] = [
        ClockStepped.self, ClockConfirmed.self,
    ]

    public var fact: Fact { .clock(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .stepped(let payload): payload
        case .confirmed(let payload): payload
        }
    }
}

/// Somebody confirmed a wall clock that was too far ahead to be believed; from here on it is followed.
///
/// Who, says the actor. The event itself still has the time that was held back.
public struct ClockConfirmed: EventPayload {
    public static let row = EventKind(
        "clock.confirmed/1",
        ClockEvent.confirmed,
        audience: .desk,
        lowDisk: .takeToTheLast
    )

    /// How far the wall clock was ahead.
    public let heldBackMicroseconds: Int

    public init(heldBackMicroseconds: Int) {
        self.heldBackMicroseconds = heldBackMicroseconds
    }

    public var links: [SubjectLink] { [] }
}

/// The clock moved by more than a second against the monotonic clock.
public struct ClockStepped: EventPayload {
    public static let row = EventKind(
        "clock.stepped/1",
        ClockEvent.stepped,
        audience: .desk,
        lowDisk: .takeToTheLast
    )

    /// Positive: forward.
    public let stepMicroseconds: Int
    /// Whether the wall clock is followed behind the step; more than an hour ahead it is not, until confirmed.
    public let followed: Bool

    public init(stepMicroseconds: Int, followed: Bool) {
        self.stepMicroseconds = stepMicroseconds
        self.followed = followed
    }

    public var links: [SubjectLink] { [] }
}
