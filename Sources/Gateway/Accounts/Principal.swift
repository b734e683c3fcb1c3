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
    /// How far back a phone sees (ruling 39).
    var past: Past
    /// Of a phone: whether no older one of the same person is left to ask about it, or one agreed to it.
    var isJudged: Bool
    /// Only changing the password is allowed.
    let mustChangePassword: Bool

    /// What somebody may see of their own past.
    enum Past: Sendable, Hashable {
        case all
        /// What began at a moment, in milliseconds since 1970, or later, and the earlier sessions that somebody agreed to.
        case since(Int64, and: Set<String>)

        /// Whether a session lies in it; an id tells when its session began.
        func contains(_ session: String) -> Bool {
            guard case .since(let moment, let agreed) = self else { return true }
            guard let id = UUIDv7(session) else { return false }
            return id.milliseconds >= moment || agreed.contains(session)
        }

        /// When it begins; `nil` if it has no beginning.
        var begin: Timestamp? {
            guard case .since(let moment, _) = self else { return nil }
            return Timestamp(microseconds: moment * 1_000)
        }

        /// Whether everything that another lets be seen lies in this one.
        func includes(_ other: Past) -> Bool {
            switch (self, other) {
            case (.all, _): true
            case (.since, .all): false
            case (.since(let moment, _), .since(let later, let others)):
                moment <= later && others.allSatisfy { contains($0) }
            }
        }
    }

    /// Whether somebody who is asked for again is who signed in: another role, organisation or limit is another sign-in;
    /// seeing more of one's own past is none.
    func goesOn(as now: Principal) -> Bool {
        var same = now
        same.past = past
        same.isJudged = isJudged
        return same == self && now.past.includes(past)
    }

    /// The `actor` of events: `operator/123456789`, `device/0199…`.
    var actor: String {
        switch identity {
        case .user(let id, _): "\(role.rawValue)/\(id)"
        case .device(let id, _, _): "device/\(id)"
        }
    }

    /// In whose share of what all have together this counts: a person's phones have one, however many they are.
    ///
    /// A phone that nobody has judged, and the guest of a link, may be somebody else's: each takes of its own share only.
    var holder: String {
        switch identity {
        case .user(let id, _): "user/\(id)"
        case .device(_, let person, _) where isJudged && scopes.isEmpty: "person/\(person)"
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
