// SPDX-License-Identifier: Apache-2.0
/// A one-use link was made, by which a caller without the application joins (ruling 24).
///
/// The link and its code are secrets and stand nowhere in the ledger.
public struct SessionLinkIssued: EventPayload {
    public static let kind: Kind = "session.link_issued/1"

    public let link: LinkID
    public let by: UserID
    public let expiresAt: Timestamp

    public init(link: LinkID, by: UserID, expiresAt: Timestamp) {
        self.link = link
        self.by = by
        self.expiresAt = expiresAt
    }
}
