// SPDX-License-Identifier: Apache-2.0
/// One operator took the session; it is private to that operator now.
public struct SessionClaimed: EventPayload {
    public static let kind: Kind = "session.claimed/1"

    public let owner: UserID

    public init(owner: UserID) {
        self.owner = owner
    }

    public var links: [SubjectLink] {
        [.owner(.user(owner))]
    }
}
