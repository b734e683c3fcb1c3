// SPDX-License-Identifier: Apache-2.0
/// A hold ended.
public struct HoldLifted: EventPayload {
    public static let kind: Kind = "hold.lifted/1"

    public let hold: HoldID
    public let reason: String
    /// Two people.
    public let approvedBy: [UserID]

    public init(hold: HoldID, reason: String, approvedBy: [UserID]) {
        self.hold = hold
        self.reason = reason
        self.approvedBy = approvedBy
    }
}
