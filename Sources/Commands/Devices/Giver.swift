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

    /// By whom of the centre a phone or browser came into the session.
    ///
    /// - Returns: `nil` for one that sees it by itself, or because an older phone agreed; otherwise whoever speaks for it now
    ///   before whoever no longer does.
    public func giver(of device: Device) -> Giver? {
        let agreed = device.admissions[id] ?? []
        var givers = agreed.compactMap(Giver.init)
        guard device.admittedBy.isEmpty, givers.count == agreed.count else { return nil }
        if let link = links.values.first(where: { $0.openedBy == device.id }) {
            givers.append(link.giver)
        } else if device.isOlder(than: id) {
            return nil
        }
        return givers.first(where: isGood) ?? givers.first
    }

    /// Whether a phone or browser of the caller's may go on in the session, now that it has this owner.
    ///
    /// What came in only by the word of an operator who does not have the session any more stays in while nobody else
    /// speaks for the caller: then it is the caller. Beside another phone of theirs it listens to nothing until the owner, a
    /// supervisor or an older phone agrees to it.
    ///
    /// - Parameters:
    ///   - device: Which one.
    ///   - others: Tells of the other ones that spoke.
    /// - Returns: Whether it may.
    /// - Throws: What `others` throws.
    public func admits(_ device: Device, _ others: (DeviceID) throws -> Device) rethrows -> Bool {
        guard let giver = giver(of: device), !isGood(giver) else { return true }
        return try !speakers.contains { id in
            guard id != device.id else { return false }
            let other = try others(id)
            return other.validPerson != nil && self.giver(of: other)?.user != giver.user
        }
    }
}

extension Device {
    /// Whether a session that its person has is one that it may see (ruling 39): it began after the phone was registered, or
    /// somebody agreed.
    ///
    /// - Parameters:
    ///   - session: Which one; its id tells when it began.
    ///   - older: Tells of the phones that agreed.
    /// - Returns: Whether it may.
    /// - Throws: What `older` throws.
    func sees(_ session: SessionID, _ older: (DeviceID) throws -> Device) rethrows -> Bool {
        var (waiting, known) = ([self], Set([id]))
        while let device = waiting.popLast() {
            if device.admissions[session] != nil || device.isOlder(than: session) { return true }
            for id in device.admittedBy where known.insert(id).inserted {
                let next = try older(id)
                // The word of a phone ends with it.
                if !next.isRevoked { waiting.append(next) }
            }
        }
        return false
    }

    /// Whether pushes about a session may reach it.
    ///
    /// - Parameters:
    ///   - session: One of its person's.
    ///   - others: Tells of the phones that agreed to it, and of those that spoke in the session.
    /// - Returns: Whether they may.
    /// - Throws: What `others` throws.
    public func mayBeTold(
        of session: Session,
        _ others: (DeviceID) throws -> Device
    ) rethrows -> Bool {
        let isGuest = session.links.values.contains { $0.openedBy == id }
        guard try isGuest || sees(session.id, others) else { return false }
        return try session.admits(self, others)
    }

    fileprivate func isOlder(than session: SessionID) -> Bool {
        guard let registeredAt, let begun = UUIDv7("\(session)") else { return false }
        return begun.milliseconds >= registeredAt.microseconds / 1_000
    }
}
