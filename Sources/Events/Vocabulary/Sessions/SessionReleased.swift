// SPDX-License-Identifier: Apache-2.0
/// The owner let go of the session, which stays open.
public struct SessionReleased: EventPayload {
    public static let kind: Kind = "session.released/1"

    public let owner: UserID
    public let reason: Reason

    public init(owner: UserID, reason: Reason) {
        self.owner = owner
        self.reason = reason
    }

    public var links: [SubjectLink] {
        [.owner(.user(owner))]
    }

    /// Why the owner let go.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        case leftOpen = "left_open"
        case logout
        case disconnect
    }
}
