// SPDX-License-Identifier: Apache-2.0
/// Someone signed out, or was.
public struct UserLoggedOut: EventPayload {
    public static let kind: Kind = "user.logged_out/1"

    public let reason: Reason

    public init(reason: Reason) {
        self.reason = reason
    }

    /// Why.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        case user
        case idle
        case tabClosed = "tab_closed"
        case revoked
    }
}
