// SPDX-License-Identifier: Apache-2.0
/// An ended session became private again: to its last owner and those who supervise (ruling 33).
public struct SessionSealed: EventPayload {
    public static let kind: Kind = "session.sealed/1"

    /// The supervisor.
    public let by: UserID
    public let reason: String

    public init(by: UserID, reason: String) {
        self.by = by
        self.reason = reason
    }
}
