// SPDX-License-Identifier: Apache-2.0
public import Events

/// A member of the centre who let a phone or a browser in: by a link, by a code, or by agreeing to it.
///
/// What one operator gave holds while no other operator has the session: whoever claims it need not trust everybody whom
/// the one before let in (decision 0052).
public struct Giver: Hashable, Sendable {
    public let user: UserID
    /// Whether the role stood above the owner of a session then.
    public let isSupervisor: Bool

    /// - Parameters:
    ///   - user: Who gave.
    ///   - actor: In whose name that was recorded, which tells the role.
    init(_ user: UserID, named actor: Actor) {
        self.user = user
        isSupervisor = actor.user.map { Staff($0.id, as: $0.role).isSupervisor } ?? false
    }

    /// Who gave a code whose role then nobody wrote down.
    init(_ user: UserID) {
        (self.user, isSupervisor) = (user, false)
    }

    /// Who agreed; `nil` if it was a phone of the caller's own.
    init?(_ actor: Actor) {
        guard let user = actor.user else { return nil }
        self.init(user.id, named: actor)
    }
}

extension Session {
    /// Whether what somebody gave for the session still holds: nobody else owns it.
    func isGood(_ giver: Giver) -> Bool {
        owner == nil || owner == giver.user || giver.isSupervisor
    }
}
