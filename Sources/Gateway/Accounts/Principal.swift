// SPDX-License-Identifier: Apache-2.0
import Events

/// Who sends a request, as its token says.
struct Principal: Sendable, Hashable {
    /// A person with a password, or a phone that was registered.
    enum Identity: Sendable, Hashable {
        case user(id: String, login: String)
        /// `person` is whoever owns the phone, the key to sealed data; `phoneNumber` in E.164.
        case device(id: String, person: String, phoneNumber: String)
    }

    let identity: Identity
    let role: Role
    /// The organisation that rights go by.
    let org: String
    /// What the token is limited to; empty when it may do whatever the role may.
    let scopes: Set<String>
    /// Names the token, without giving it away.
    let tokenID: String
    /// Only changing the password is allowed.
    let mustChangePassword: Bool

    /// The `actor` of events: `operator/123456789`, `device/0199…`.
    var actor: String {
        switch identity {
        case .user(let id, _): "\(role.rawValue)/\(id)"
        case .device(let id, _, _): "device/\(id)"
        }
    }

    /// The user, if it is one.
    var userID: String? {
        if case .user(let id, _) = identity { id } else { nil }
    }

    /// The device, if it is one.
    var deviceID: String? {
        if case .device(let id, _, _) = identity { id } else { nil }
    }

    /// The owner of the device, if it is one.
    var personID: String? {
        if case .device(_, let person, _) = identity { person } else { nil }
    }

    /// Whether the token covers a scope.
    func covers(_ scope: String) -> Bool { scopes.isEmpty || scopes.contains(scope) }
}
