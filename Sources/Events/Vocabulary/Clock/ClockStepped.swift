// SPDX-License-Identifier: Apache-2.0
/// The clock moved by more than a second against the monotonic clock.
public struct ClockStepped: EventPayload {
    public static let kind: Kind = "clock.stepped/1"

    /// Positive: forward.
    public let stepMicroseconds: Int
    /// Whether the wall clock is followed behind the step; more than an hour ahead it is not, until confirmed.
    public let followed: Bool

    public init(stepMicroseconds: Int, followed: Bool) {
        self.stepMicroseconds = stepMicroseconds
        self.followed = followed
    }
}
