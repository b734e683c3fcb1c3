// SPDX-License-Identifier: Apache-2.0
import Commands
import Events

/// What one reader is told of one topic (ruling 18), by what is so now.
struct TopicRights: Sendable {
    let topic: Topic
    let reader: Principal
    let rights: ReadingRights
    /// How many of a caller's sessions are followed, newest first.
    let sessionsMost: Int

    /// Where the topic's entries stand now.
    ///
    /// - Throws: ``ReadingRights/Refusal`` when the reader may not have the topic, or no longer; 403
    ///   for a role that has no desk.
    func sources() throws -> Set<LiveSource> {
        guard !reader.isGuest || GuestRights.admit(topic) else {
            throw Problem(.forbidden, detail: "this link is good for its session only")
        }
        switch topic {
        case .desk:
            guard [.desk, .everything].contains(reader.role.reach) else {
                throw Problem(
                    .forbidden,
                    detail: "the desk is the centre's; subscribe to session/ID of your own session"
                )
            }
            return Set(
                [.category("session"), .category("incident")]
                    + Self.ofTheDesk.map(LiveSource.kind)
            )
        case .me:
            guard reader.role.reach == .own, let person = reader.person else {
                throw Problem(
                    .forbidden,
                    detail: "me is a caller's; subscribe to desk"
                )
            }
            let sessions = try rights.states.current(Caller.self, person).sessions.keys
                .filter { reader.sees($0) }
            var newest: [SessionID] = []
            // Ids sort by time. The same person may be another organisation's caller, too.
            for id in sessions.sorted(by: { "\($0)" > "\($1)" }) where newest.count < sessionsMost {
                let session = try rights.states.current(Session.self, id)
                guard reader.reaches(session.contact?.organisation) else { continue }
                if try rights.sees(session, reader) { newest.append(id) }
            }
            return Set(
                newest.map { LiveSource.subject(.session($0)) } + Self.ofPhones.map(LiveSource.kind)
            )
        case .reports:
            guard ReportRoutes.rescuers.roles?.contains(reader.role) ?? false else {
                throw Problem(
                    .forbidden,
                    detail: "reports is the rescuers' and the desk's; subscribe to me"
                )
            }
            return [.category("report")]
        case .channels:
            guard CameraSight.staff.roles?.contains(reader.role) ?? false else {
                throw Problem(.forbidden, detail: "channels are for staff; subscribe to me")
            }
            return [.category("channel")]
        case .session(let id):
            try rights.check(id, for: reader)
            return [.subject(.session(id))]
        case .stream(let id):
            try rights.check(id, for: reader)
            return [.subject(.stream(id))]
        case .incident(let id):
            guard let incident = try rights.incident(named: id) else {
                throw ReadingRights.Refusal.unknown(.incident(id))
            }
            try ReadingRights.Refusal.about(.incident(id)) {
                try rights.check(incident, for: reader)
            }
            let sessions = try rights.sessions(of: incident)
                .filter { try rights.admits(reader, to: $0) }
                .map { LiveSource.subject(.session($0)) }
            return Set(sessions + [.subject(.incident(incident))])
        }
    }

    /// What else wakes the topic, and is not told: who signs in and out decides whom the desk alerts, and a caller's
    /// next session becomes a source.
    var circumstances: Set<LiveSource> {
        switch topic {
        case .desk: [.category("user")]
        case .me: reader.person.map { [.person($0)] } ?? []
        case .reports, .channels, .session, .incident, .stream: []
        }
    }

    /// An entry as the reader may have it; `nil` if not at all.
    ///
    /// The whole desk may know that a session is there, whose it is and how it ended: of a private
    /// one it is told that much, without the entry.
    func event(_ entry: Entry, _ sight: RescuerSight? = nil) throws -> TopicEvent? {
        if Self.ofPhones.contains(entry.envelope.kind) { return try phoneEvent(entry) }
        switch topic {
        case .desk: return try deskEvent(entry)
        case .reports: return try reportEvent(entry, sight)
        case .channels: return try channelEvent(entry)
        case .me, .session, .incident, .stream:
            let isAdmitted = try FeedRights(reader: reader, rights: rights).admits(entry)
            return isAdmitted ? TopicEvent(envelope: entry.envelope, entry: entry.bytes) : nil
        }
    }

    /// That a phone may be registered for a number, and what becomes of it, is told to its owner's phones, and to who has the
    /// owner's open session (ruling 39).
    private func phoneEvent(_ entry: Entry) throws -> TopicEvent? {
        let person: PersonID
        switch try EventDecoder().decode(entry).fact {
        case .device(.codeIssued(let issued)): person = issued.person
        case .device(.registered(let registered)): person = registered.person
        case .device(.admitted(let admitted)): person = admitted.person
        case .device(.revoked(let revoked)): person = revoked.person
        default: return nil
        }
        let isConcerned: Bool
        switch topic {
        case .me:
            isConcerned =
                reader.person == person && reader.scopes.isEmpty
                && String(entry.envelope.subject.name) != reader.deviceID
        case .desk:
            let open = try rights.states.current(Caller.self, person).openSession
            let owner = try open.flatMap { try rights.states.current(Session.self, $0).owner }
            isConcerned = reader.user != nil && owner == reader.user
        case .reports, .channels, .session, .incident, .stream: isConcerned = false
        }
        return isConcerned ? TopicEvent(envelope: entry.envelope, entry: entry.bytes) : nil
    }

    /// That something happened to a report, without what: the page asks.
    private func reportEvent(_ entry: Entry, _ sight: RescuerSight?) throws -> TopicEvent? {
        guard reader.reaches(entry.envelope.organisation),
            let id = ReportID(String(entry.envelope.subject.name)),
            try sight?.sees(rights.states.current(Report.self, id)) ?? false
        else { return nil }
        return TopicEvent(envelope: entry.envelope, entry: nil)
    }

    /// That something happened in a channel, without what: the page asks.
    ///
    /// A change of its members is told to all staff: it may have ended a membership.
    private func channelEvent(_ entry: Entry) throws -> TopicEvent? {
        guard let id = ChannelID(String(entry.envelope.subject.name)),
            entry.envelope.organisation == reader.organisation
        else { return nil }
        let isMember = try rights.states.current(TeamChannel.self, id)
            .hasMember(reader.role, of: reader.organisation)
        guard isMember || entry.envelope.kind == ChannelSet.kind else { return nil }
        return TopicEvent(envelope: entry.envelope, entry: nil)
    }

    private func deskEvent(_ entry: Entry) throws -> TopicEvent? {
        do {
            try FeedRights(reader: reader, rights: rights).check(entry)
            return TopicEvent(envelope: entry.envelope, entry: entry.bytes)
        } catch ReadingRights.Refusal.othersSession
            where Self.addressed.contains(entry.envelope.kind)
        {
            return try addressed(entry)
        } catch ReadingRights.Refusal.othersSession(_, let owner)
            where EventCatalog.current[entry.envelope.kind]?.traits.isKnown == true
        {
            return TopicEvent(envelope: entry.envelope, entry: nil, owner: owner)
        } catch is ReadingRights.Refusal {
            return nil
        }
    }

    /// That a session is offered is told also to the colleague whom it is offered to, with why, and that a link is declined to
    /// who proposed it; nothing else of it is.
    private func addressed(_ entry: Entry) throws -> TopicEvent? {
        let user: UserID
        switch try EventDecoder().decode(entry).fact {
        case .session(.offered(let offered)): user = offered.to
        case .session(.linkDeclined(let declined)): user = declined.proposer
        default: return nil
        }
        guard user == reader.user else { return nil }
        return TopicEvent(envelope: entry.envelope, entry: entry.bytes)
    }

    private static let addressed: Set<Kind> = SessionOffered.kinds.union([SessionLinkDeclined.kind])

    /// That a number gets another phone, and what was said of it.
    private static let ofPhones = [
        DeviceCodeIssued.kind, DeviceRegistered.kind, DeviceAdmitted.kind, DeviceRevoked.kind,
    ]

    /// What the desk is told of besides sessions and incidents.
    private static let ofTheDesk = EventCatalog.current.kinds { $0.isOnDesk }
        .union(ofPhones)
}
