// SPDX-License-Identifier: Apache-2.0
public import Events

/// By whose word a phone or browser of the caller's is in a session, and how far that word carries (decisions 0052 and 0072).
public struct Standing: Hashable, Sendable {
    public let weight: Weight
    /// Who of the centre gave that word; `nil` where nobody did.
    public let giver: Giver?

    /// The more, the less anybody else's word is in its way.
    public enum Weight: Int, Comparable, Sendable {
        /// An operator let it into the session who does not have that any more.
        case formerOwner
        /// It was there before the session, by the code of an operator who does not have that.
        case olderPhone
        /// It began the session itself, nobody of the centre stands behind it, or who does need not be asked about.
        case sound

        public static func < (one: Weight, other: Weight) -> Bool { one.rawValue < other.rawValue }
    }

    /// Whether it makes way for another one that spoke for the caller.
    ///
    /// - Parameters:
    ///   - other: The standing of that one.
    ///   - hasSpoken: Whether this one has spoken, too. Of two phones that were both there before, who only listens goes:
    ///     otherwise each would shut out the other, and the caller would be out with both.
    /// - Returns: Whether it does.
    func yields(to other: Standing, hasSpoken: Bool) -> Bool {
        guard weight < .sound else { return false }
        guard weight == other.weight else { return weight < other.weight }
        guard giver?.user != other.giver?.user else { return false }
        return weight == .formerOwner || !hasSpoken
    }

    /// What is told of one of several: the weightiest, and of equals always the same.
    private var order: (Weight, String) { (weight, giver.map { "\($0.user)" } ?? "") }

    fileprivate static func isLess(_ one: Standing, than other: Standing) -> Bool {
        one.order < other.order
    }
}

extension Session {
    /// By whose word a phone or browser is in the session: the weightiest that can be said for it.
    ///
    /// Who was let in by a phone is as good as that phone, and no better: its word is followed to where it came from.
    ///
    /// - Parameters:
    ///   - device: Which one.
    ///   - others: Tells of the phones that agreed to it.
    /// - Returns: Its standing.
    /// - Throws: What `others` throws.
    public func standing(
        of device: Device,
        _ others: (DeviceID) throws -> Device
    ) rethrows -> Standing {
        var words: [Standing] = []
        try device.walkElders(in: id, others) { phone in
            words += self.words(for: phone)
            return true
        }
        if let best = words.max(by: Standing.isLess) { return best }
        // Nobody who could be named lets it in here; that its past does not reach so far, the accounts say.
        return device.codeGiver.map { standing(by: $0, otherwise: .formerOwner) }
            ?? Standing(weight: .sound, giver: nil)
    }

    /// What is said for a phone or browser without asking another one.
    private func words(for device: Device) -> [Standing] {
        let givers =
            (device.admissions[id] ?? []).compactMap { Giver($0) }
            + links.values.filter { $0.openedBy == device.id }.map(\.giver)
        var words = givers.map { standing(by: $0, otherwise: .formerOwner) }
        if contact?.beganBy == device.id {
            words.append(Standing(weight: .sound, giver: device.codeGiver))
        } else if device.isOlder(than: id) {
            words.append(
                device.codeGiver.map { standing(by: $0, otherwise: .olderPhone) }
                    ?? Standing(weight: .sound, giver: nil)
            )
        }
        return words
    }

    private func standing(by giver: Giver, otherwise weight: Standing.Weight) -> Standing {
        Standing(weight: isGood(giver) ? .sound : weight, giver: giver)
    }

    /// Whether a phone or browser of the caller's may go on in the session, now that it has this owner.
    ///
    /// What has nobody's word but that of an operator who does not have the session stays in while nobody else speaks for the
    /// caller: then it is the caller. Beside another one that spoke, and has more to say for itself, it listens to nothing
    /// until the owner, a supervisor or an older phone agrees to it.
    ///
    /// - Parameters:
    ///   - device: Which one.
    ///   - others: Tells of the other ones that spoke, and of those that agreed.
    /// - Returns: Whether it may.
    /// - Throws: What `others` throws.
    public func admits(_ device: Device, _ others: (DeviceID) throws -> Device) rethrows -> Bool {
        let own = try standing(of: device, others)
        guard own.weight < .sound else { return true }
        for id in speakers where id != device.id {
            let other = try others(id)
            guard other.validPerson != nil else { continue }
            let theirs = try standing(of: other, others)
            if own.yields(to: theirs, hasSpoken: speakers.contains(device.id)) { return false }
        }
        return true
    }

    /// Whether a phone or browser of the caller's is in the session at all, whoever has it.
    ///
    /// - Parameters:
    ///   - device: Which one.
    ///   - others: Tells of the phones that agreed to it.
    /// - Returns: Whether it is.
    /// - Throws: What `others` throws.
    public func has(_ device: Device, _ others: (DeviceID) throws -> Device) rethrows -> Bool {
        if links.values.contains(where: { $0.openedBy == device.id }) { return true }
        return try device.sees(id, others)
    }
}

extension Device {
    /// Whether a session that its person has is one that it may see (ruling 39): it began after the phone was registered, or
    /// somebody agreed.
    fileprivate func sees(
        _ session: SessionID,
        _ older: (DeviceID) throws -> Device
    ) rethrows -> Bool {
        var isSeen = false
        try walkElders(in: session, older) { phone in
            isSeen = phone.admissions[session] != nil || phone.isOlder(than: session)
            return !isSeen
        }
        return isSeen
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
        guard try session.has(self, others) else { return false }
        return try session.admits(self, others)
    }

    /// Goes from a phone to those that agreed to it, and to those that agreed to these; the word of a phone ends with it.
    ///
    /// - Parameters:
    ///   - session: For which session; who agreed to that one alone counts as well.
    ///   - older: Tells of the phones that agreed.
    ///   - visit: Looks at each, the phone itself first; `false` ends it.
    fileprivate func walkElders(
        in session: SessionID,
        _ older: (DeviceID) throws -> Device,
        _ visit: (Device) -> Bool
    ) rethrows {
        var (waiting, known) = ([self], Set([id]))
        while let device = waiting.popLast(), visit(device) {
            let agreed = (device.admissions[session] ?? []).compactMap(\.device)
            for id in device.admittedBy.union(agreed) where known.insert(id).inserted {
                let next = try older(id)
                if !next.isRevoked { waiting.append(next) }
            }
        }
    }

    /// Whether a session began after it was registered; what came by a link is in that link's session alone.
    fileprivate func isOlder(than session: SessionID) -> Bool {
        guard !isGuest, let registeredAt, let begun = UUIDv7("\(session)") else { return false }
        return begun.milliseconds >= registeredAt.microseconds / 1_000
    }
}
