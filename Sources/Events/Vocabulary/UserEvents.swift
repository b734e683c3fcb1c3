// SPDX-License-Identifier: Apache-2.0

/// What can happen to an account.
public enum UserEvent: EventFamily {
    case created(UserCreated)
    case loggedIn(UserLoggedIn)
    case loggedOut(UserLoggedOut)
    case tokenIssued(UserTokenIssued)
    case tokenRevoked(UserTokenRevoked)
    case passwordChanged(UserPasswordChanged)
    case disabled(UserDisabled)
    case enabled(UserEnabled)
    case roleChanged(UserRoleChanged)

    public static let kinds: [any EventPayload.Type] = [
        UserCreated.self, UserLoggedIn.self, UserLoggedOut.self, UserTokenIssued.self,
        UserTokenRevoked.self, UserPasswordChanged.self, UserDisabled.self, UserEnabled.self,
        UserRoleChanged.self,
    ]

    public var fact: Fact { .user(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .created(let payload): payload
        case .loggedIn(let payload): payload
        case .loggedOut(let payload): payload
        case .tokenIssued(let payload): payload
        case .tokenRevoked(let payload): payload
        case .passwordChanged(let payload): payload
        case .disabled(let payload): payload
        case .enabled(let payload): payload
        case .roleChanged(let payload): payload
        }
    }
}

/// An account was made.
///
/// Passwords and tokens never stand in the log.
public struct UserCreated: EventPayload {
    public static let row = EventKind(
        "user.created/1",
        UserEvent.created,
        audience: .supervision,
        lowDisk: .take,
        linksDigest: 0x8487_693D
    )

    public let organisation: OrganisationID
    public let role: Role
    /// The person behind the account.
    public let person: PersonID
    public let name: Sealed<String>?
    public let mustChangePassword: Bool

    public init(
        organisation: OrganisationID,
        role: Role,
        person: PersonID,
        name: Sealed<String>? = nil,
        mustChangePassword: Bool
    ) {
        self.organisation = organisation
        self.role = role
        self.person = person
        self.name = name
        self.mustChangePassword = mustChangePassword
    }

    public var links: [SubjectLink] {
        [.owner(.person(person))]
    }
}

/// A token was made for a user; the token itself stands nowhere.
public struct UserTokenIssued: EventPayload {
    public static let row = EventKind(
        "user.token_issued/1",
        UserEvent.tokenIssued,
        audience: .supervision,
        lowDisk: .take
    )

    /// Names the token, without giving it away.
    public let token: String
    /// When it ends at the latest.
    public let expires: Timestamp

    public init(token: String, expires: Timestamp) {
        self.token = token
        self.expires = expires
    }

    public var links: [SubjectLink] { [] }
}

/// A token of a user was ended before its time.
public struct UserTokenRevoked: EventPayload {
    public static let row = EventKind(
        "user.token_revoked/1",
        UserEvent.tokenRevoked,
        audience: .supervision,
        lowDisk: .take
    )

    /// Names the token, as when it was issued.
    public let token: String

    public init(token: String) {
        self.token = token
    }

    public var links: [SubjectLink] { [] }
}

/// A user has another password from now on.
public struct UserPasswordChanged: EventPayload {
    public static let row = EventKind(
        "user.password_changed/1",
        UserEvent.passwordChanged,
        audience: .supervision,
        lowDisk: .take
    )

    public let cause: Cause

    public init(cause: Cause) {
        self.cause = cause
    }

    public var links: [SubjectLink] { [] }

    /// Who chose it.
    public enum Cause: String, Codable, Hashable, Sendable, CaseIterable {
        /// The user.
        case own
        /// Somebody else set a temporary one, which the user must change.
        case reset
    }
}

/// Someone signed in.
public struct UserLoggedIn: EventPayload {
    public static let row = EventKind(
        "user.logged_in/1",
        UserEvent.loggedIn,
        audience: .supervision,
        lowDisk: .take
    )

    public let method: Method
    /// The network address it came from.
    public let address: Sealed<String>?

    public init(method: Method, address: Sealed<String>? = nil) {
        self.method = method
        self.address = address
    }

    public var links: [SubjectLink] { [] }

    /// How.
    public enum Method: String, Codable, Hashable, Sendable, CaseIterable {
        case password
        case token
        /// By a press on the start page of a demo.
        case demo
    }
}

/// Someone signed out, or was.
public struct UserLoggedOut: EventPayload {
    public static let row = EventKind(
        "user.logged_out/1",
        UserEvent.loggedOut,
        audience: .supervision,
        lowDisk: .take
    )

    public let reason: Reason

    public init(reason: Reason) {
        self.reason = reason
    }

    public var links: [SubjectLink] { [] }

    /// Why.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        case user
        case idle
        case tabClosed = "tab_closed"
        case revoked
    }
}

/// A user may no longer sign in.
public struct UserDisabled: EventPayload {
    public static let row = EventKind(
        "user.disabled/1",
        UserEvent.disabled,
        audience: .supervision,
        lowDisk: .take
    )

    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }

    public var links: [SubjectLink] { [] }
}

/// A user may sign in again.
public struct UserEnabled: EventPayload {
    public static let row = EventKind(
        "user.enabled/1",
        UserEvent.enabled,
        audience: .supervision,
        lowDisk: .take
    )

    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }

    public var links: [SubjectLink] { [] }
}

/// A user may do other things from now on.
public struct UserRoleChanged: EventPayload {
    public static let row = EventKind(
        "user.role_changed/1",
        UserEvent.roleChanged,
        audience: .supervision,
        lowDisk: .take
    )

    public let from: Role
    public let to: Role
    public let reason: String

    public init(from: Role, to: Role, reason: String) {
        self.from = from
        self.to = to
        self.reason = reason
    }

    public var links: [SubjectLink] { [] }
}
