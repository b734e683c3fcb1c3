// SPDX-License-Identifier: Apache-2.0
/// The clock moved by more than a second against the monotonic clock.
public struct ClockStepped: EventPayload {
    public static let kind: Kind = "clock.stepped/1"

    /// Positive: forward.
    public let stepMicroseconds: Int
    /// Whether recorded time followed; a step forward of over an hour is not followed until confirmed.
    public let followed: Bool

    public init(stepMicroseconds: Int, followed: Bool) {
        self.stepMicroseconds = stepMicroseconds
        self.followed = followed
    }
}
