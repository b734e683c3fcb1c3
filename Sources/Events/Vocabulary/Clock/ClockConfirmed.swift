// SPDX-License-Identifier: Apache-2.0
/// Somebody confirmed a wall clock that was too far ahead to be believed; from here on it is followed.
///
/// Who, says the actor. The event itself still has the time that was held back.
public struct ClockConfirmed: EventPayload {
    public static let kind: Kind = "clock.confirmed/1"

    /// How far the wall clock was ahead.
    public let heldBackMicroseconds: Int

    public init(heldBackMicroseconds: Int) {
        self.heldBackMicroseconds = heldBackMicroseconds
    }
}
