// SPDX-License-Identifier: Apache-2.0
/// A user may no longer sign in.
public struct UserDisabled: EventPayload {
    public static let kind: Kind = "user.disabled/1"

    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

/// A user may sign in again.
public struct UserEnabled: EventPayload {
    public static let kind: Kind = "user.enabled/1"

    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

/// A user may do other things from now on.
public struct UserRoleChanged: EventPayload {
    public static let kind: Kind = "user.role_changed/1"

    public let from: Role
    public let to: Role
    public let reason: String

    public init(from: Role, to: Role, reason: String) {
        self.from = from
        self.to = to
        self.reason = reason
    }
}
