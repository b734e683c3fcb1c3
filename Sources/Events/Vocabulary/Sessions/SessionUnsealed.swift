// SPDX-License-Identifier: Apache-2.0
/// A sealed session may be read again by whoever reads ended sessions.
public struct SessionUnsealed: EventPayload {
    public static let kind: Kind = "session.unsealed/1"

    /// The supervisor.
    public let by: UserID
    public let reason: String

    public init(by: UserID, reason: String) {
        self.by = by
        self.reason = reason
    }
}
