// SPDX-License-Identifier: Apache-2.0
/// A token was made for a user; the token itself stands nowhere.
public struct UserTokenIssued: EventPayload {
    public static let kind: Kind = "user.token_issued/1"

    /// Names the token, without giving it away.
    public let token: String
    /// When it ends at the latest.
    public let expires: Timestamp

    public init(token: String, expires: Timestamp) {
        self.token = token
        self.expires = expires
    }
}

/// A token of a user was ended before its time.
public struct UserTokenRevoked: EventPayload {
    public static let kind: Kind = "user.token_revoked/1"

    /// Names the token, as when it was issued.
    public let token: String

    public init(token: String) {
        self.token = token
    }
}

/// A user has another password from now on.
public struct UserPasswordChanged: EventPayload {
    public static let kind: Kind = "user.password_changed/1"

    public let cause: Cause

    public init(cause: Cause) {
        self.cause = cause
    }

    /// Who chose it.
    public enum Cause: String, Codable, Hashable, Sendable, CaseIterable {
        /// The user.
        case own
        /// Somebody else set a temporary one, which the user must change.
        case reset
    }
}
