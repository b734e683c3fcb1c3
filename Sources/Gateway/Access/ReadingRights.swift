// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Projections

/// Who may read what: the one place for every route, socket and feed (rulings 18 and 33).
///
/// It asks the folds, which are level with the log, so that a claim counts from its commit on.
struct ReadingRights: Sendable {
    let log: EventLog
    let states: any CurrentStates

    /// Why somebody may not read.
    enum Refusal: Error, Hashable {
        /// There is no such thing, or not in the reader's organisation: told alike.
        case unknown(Subject)
        /// The role reads no such thing.
        case role(Subject)
        /// It is another caller's.
        case otherCaller(Subject)
        /// It has ended and was sealed, and nobody owned it last.
        case sealed(Subject)
        /// It is private to its owner.
        case othersSession(Subject, owner: UserID)

        /// The same of what the reader named, where what stands behind it refused: a refusal tells of nothing else.
        func about(_ subject: Subject) -> Refusal {
            switch self {
            case .unknown: .unknown(subject)
            case .role: .role(subject)
            case .otherCaller: .otherCaller(subject)
            case .sealed: .sealed(subject)
            case .othersSession(_, let owner): .othersSession(subject, owner: owner)
            }
        }

        /// Lets a check of what stands behind a subject refuse in the subject's name.
        static func about(_ subject: Subject, _ check: () throws -> Void) throws {
            do {
                try check()
            } catch let refusal as Refusal {
                throw refusal.about(subject)
            }
        }
    }

    /// Lets somebody read a session's contents, or throws why not.
    func check(_ session: SessionID, for reader: Principal) throws {
        let subject = Subject.session(session)
        let state = try states.current(Session.self, session)
        guard let contact = state.contact, try isInReach(subject, of: reader) else {
            throw Refusal.unknown(subject)
        }
        switch reader.role.reach {
        case .everything: return
        case .desk:
            // Private while it is handled; what has ended a colleague may look up, unless it was sealed.
            guard state.endedAt == nil || state.isSealed else { return }
            guard let owner = state.owner else {
                guard !state.isSealed else { throw Refusal.sealed(subject) }
                return
            }
            guard owner != reader.user else { return }
            // What was sealed is its last owner's, whatever it is linked with.
            guard try !state.isSealed && isJoined(state, with: reader.user) else {
                throw Refusal.othersSession(subject, owner: owner)
            }
        case .own:
            guard reader.person == contact.caller else { throw Refusal.otherCaller(subject) }
            guard try sees(state, reader) else { throw Refusal.unknown(subject) }
        case .nothing: throw Refusal.role(subject)
        }
    }

    /// Lets somebody read an incident; of one that was merged, the incident that it is part of.
    ///
    /// At the desk that is whoever may read all of its sessions, whoever has an open one of them, and whoever took up the
    /// guard's alarm with which it was opened; to the latter two the sessions that are private to others are not shown with it.
    ///
    /// - Parameters:
    ///   - incident: Which one.
    ///   - reader: Who reads.
    ///   - isWhole: Only whoever may read all of it: for joining it with something else.
    /// - Throws: ``Refusal``.
    func check(
        _ incident: IncidentID,
        for reader: Principal,
        whole isWhole: Bool = false
    ) throws {
        let subject = Subject.incident(incident)
        let present = try present(incident)
        guard present.isOpened, try isInReach(subject, of: reader) else {
            throw Refusal.unknown(subject)
        }
        switch reader.role.reach {
        case .everything: return
        case .own, .desk:
            let sessions = try sessions(of: present.id)
            if try !isWhole && (hasOpen(oneOf: sessions, reader) || hasTakenUp(present.id, reader))
            {
                return
            }
            // One without sessions is nobody else's: those who supervise look after it.
            guard !sessions.isEmpty else { throw Refusal.role(subject) }
            try Refusal.about(subject) {
                for session in sessions { try check(session, for: reader) }
            }
        case .nothing: throw Refusal.role(subject)
        }
    }

    /// Lets somebody read a stream: its video, index and stills; the rights are its session's.
    func check(_ stream: StreamID, for reader: Principal) throws {
        guard let start = try states.current(Commands.Stream.self, stream).start else {
            throw Refusal.unknown(.stream(stream))
        }
        try Refusal.about(.stream(stream)) { try check(start.session, for: reader) }
    }

    /// Whether somebody may read a session's contents, for lists that leave out or close what is private.
    func admits(_ reader: Principal, to session: SessionID) throws -> Bool {
        try Self.holds { try check(session, for: reader) }
    }

    /// Whether somebody may read an incident.
    func admits(_ reader: Principal, to incident: IncidentID) throws -> Bool {
        try Self.holds { try check(incident, for: reader) }
    }

    /// Whether a check lets somebody pass; a fault is no refusal, and is thrown.
    static func holds(_ check: () throws -> Void) throws -> Bool {
        do {
            try check()
            return true
        } catch is Refusal {
            return false
        }
    }

    /// Refuses a caller's own session that a new phone does not see, as if it were not there.
    func requireSeen(_ session: SessionID, by principal: Principal) throws {
        guard let person = principal.person else { return }
        let state = try states.current(Session.self, session)
        guard state.contact?.caller == person, try !sees(state, principal) else { return }
        throw Refusal.unknown(.session(session))
    }

    /// Whether a caller's phone or browser goes on in a session of its person's: it lies in its past, and whoever let it in is
    /// no stranger to the present owner (decision 0052).
    func sees(_ session: Session, _ reader: Principal) throws -> Bool {
        guard reader.sees(session.id) else { return false }
        guard let id = reader.deviceID.flatMap({ DeviceID($0) }) else { return true }
        return try session.admits(states.current(Device.self, id)) {
            try states.current(Device.self, $0)
        }
    }

    /// The same by its id.
    func sees(_ session: SessionID, _ reader: Principal) throws -> Bool {
        try sees(states.current(Session.self, session), reader)
    }

    /// Refuses a thing of another organisation as if it were not there.
    func requireThere(_ subject: Subject, for reader: Principal) throws {
        guard try isInReach(subject, of: reader) else { throw Refusal.unknown(subject) }
    }

    /// The sessions that belong to an incident now.
    func sessions(of incident: IncidentID) throws -> [SessionID] {
        try states.current(Incident.self, incident).sessions.filter {
            try states.current(Membership.self, $0).incident == incident
        }
    }

    /// The incident to which a session belongs now.
    func incident(of session: SessionID) throws -> IncidentID? {
        try states.current(Membership.self, session).incident
    }

    /// What an id of an incident means: itself, what it was merged into, or for the id of a session its present
    /// incident (ruling 17).
    ///
    /// - Returns: `nil` if there is no such thing.
    func incident(named id: IncidentID) throws -> IncidentID? {
        let present = try present(id)
        if present.isOpened { return present.id }
        return try SessionID("\(id)").flatMap { try incident(of: $0) }
    }

    /// The incident that the id of one means now.
    private func present(_ id: IncidentID) throws -> Incident {
        try Incident.present(id) { try states.current(Incident.self, $0) }
    }

    /// The organisation that owns a thing; `nil` if it has no event.
    func organisation(of subject: Subject) throws -> OrganisationID? {
        try log.entries(of: subject, limit: 1).first?.envelope.organisation
    }

    /// The organisation whose data a thing is; a person's is that of the sessions, a list of accounts says whose it is.
    func owner(of subject: Subject) throws -> OrganisationID? {
        if subject.category == "users" { return OrganisationID(String(subject.name)) }
        guard subject.category == "person", let person = PersonID(String(subject.name)) else {
            return try organisation(of: subject)
        }
        let sessions = try states.current(Caller.self, person).sessions.keys
        return try sessions.first.flatMap { try organisation(of: .session($0)) }
    }

    /// Whether a thing is there for a reader at all: in the reader's organisation, and within the token.
    func isInReach(_ subject: Subject, of reader: Principal) throws -> Bool {
        guard reader.admits(subject), let organisation = try organisation(of: subject) else {
            return false
        }
        return reader.seesAllOrganisations || organisation == reader.organisation
    }

    /// Whether a reader at the desk took up the guard's alarm with which an incident was opened.
    func hasTakenUp(_ incident: IncidentID, _ reader: Principal) throws -> Bool {
        guard let user = reader.user, reader.role.reach == .desk else { return false }
        let alarm = try states.current(Commands.GuardAlarm.self, GuardAlarmID(incident.uuid))
        return alarm.incident == incident && alarm.answeredBy == user
    }

    /// Whether one of the sessions is the reader's at the desk, and open.
    private func hasOpen(oneOf sessions: [SessionID], _ reader: Principal) throws -> Bool {
        guard let user = reader.user else { return false }
        return try sessions.contains {
            let session = try states.current(Session.self, $0)
            return session.owner == user && session.endedAt == nil
        }
    }

    /// Whether a claimed session was opened to somebody who has an open session of the same incident (decisions 0011 and 0031).
    ///
    /// What brought the two together counts if the session's owner or somebody who supervises did it, after the claim:
    /// whoever links a session that waits opens nothing that is said to its later owner, and whoever moves both together
    /// brings nobody together (decision 0040).
    private func isJoined(_ session: Session, with user: UserID?) throws -> Bool {
        let membership = try states.current(Membership.self, session.id)
        guard let user, let owner = session.owner, let claimedAt = session.claimedAt,
            let incident = membership.incident
        else { return false }
        return try sessions(of: incident).contains { id in
            let other = try states.current(Session.self, id)
            let theirs = try states.current(Membership.self, id)
            guard other.owner == user, other.endedAt == nil else { return false }
            if isAgreed(session, membership, other, theirs) { return true }
            guard let joining = membership.join(with: theirs), !joining.isAgreed,
                joining.at > claimedAt, let maker = joining.by.user
            else { return false }
            return maker.id == owner || maker.role.reach == .everything
        }
    }

    /// Whether those who own two sessions now agreed that they are one event: with the next owner of either it ends, and what
    /// two agreed opens nothing of a third.
    private func isAgreed(
        _ session: Session,
        _ membership: Membership,
        _ other: Session,
        _ theirs: Membership
    ) -> Bool {
        guard let agreed = membership.agreement(with: theirs), let mine = session.claimedAt,
            let others = other.claimedAt
        else { return false }
        return agreed > mine && agreed > others
    }
}

extension Role {
    /// How far a role sees into sessions.
    enum Reach: Hashable {
        case everything
        /// What is nobody's, one's own, what is linked to one's own, and what has ended.
        case desk
        /// The caller's own sessions.
        case own
        case nothing
    }

    var reach: Reach {
        switch self {
        case .supervisor, .auditor, .organisationAdmin, .admin, .service: .everything
        case .operator: .desk
        case .caller: .own
        case .reporter, .guard, .rescuer, .analyst: .nothing
        }
    }
}

extension Subject {
    /// The session, if it is one.
    var session: SessionID? { category == "session" ? SessionID(String(name)) : nil }
}

extension Principal {
    /// Whether the token lets its holder near a subject: that of a one-use link is for one session.
    func admits(_ subject: Subject) -> Bool {
        subject.category != "session" || covers(subject.text)
    }

    /// Whether what an organisation has is for this reader at all.
    func reaches(_ owner: OrganisationID?) -> Bool {
        seesAllOrganisations || owner == organisation
    }

    /// Whether a session of their own is theirs to see on this phone: it began after the phone was registered, or somebody
    /// agreed (ruling 39).
    func sees(_ session: SessionID) -> Bool {
        admits(.session(session)) && past.contains("\(session)")
    }

    /// Whose rows queries of read models show.
    var scope: Scope {
        Scope(organisation: seesAllOrganisations ? nil : organisation, reader: scopeReader)
    }

    private var scopeReader: Scope.Reader {
        switch role.reach {
        case .everything: .everything
        case .desk: .desk(user)
        case .own:
            person.map { .caller($0, sessions: scopedSessions, past: pastOfRows) } ?? .nothing
        case .nothing: .nothing
        }
    }

    private var pastOfRows: Scope.Past {
        guard case .since(let moment, let agreed) = past else { return .all }
        return .since(moment, and: Set(agreed.compactMap { SessionID($0) }))
    }

    /// The sessions that the token is limited to; `nil` without a limit.
    private var scopedSessions: Set<SessionID>? {
        guard !scopes.isEmpty else { return nil }
        return Set(
            scopes.compactMap { Subject($0) }.filter { $0.category == "session" }
                .compactMap { SessionID(String($0.name)) }
        )
    }

    /// The whole ledger is theirs to look after, or to check.
    var seesAllOrganisations: Bool { role == .admin || role == .auditor }
}

extension ReadingRights.Refusal: ProblemRepresentable {
    var problem: Problem {
        switch self {
        case .unknown(let subject):
            Problem(
                .notFound,
                detail: "there is no \(subject); check the id",
                facts: ["subject": .string(subject.text)]
            )
        case .role(let subject):
            Problem(
                .forbidden,
                detail: "your role does not read \(subject)",
                facts: ["subject": .string(subject.text)]
            )
        case .otherCaller(let subject):
            Problem(
                .otherCaller,
                detail: "\(subject) is another caller's; start your own session",
                facts: ["subject": .string(subject.text)]
            )
        case .sealed(let subject):
            Problem(
                .sessionPrivate,
                detail: "\(subject) was sealed; ask a supervisor",
                facts: ["subject": .string(subject.text)]
            )
        // Whose a session is, the whole desk may know; whose is behind anything else, nobody asked.
        case .othersSession(let subject, let owner) where subject.session != nil:
            Problem(
                .sessionPrivate,
                detail: "\(subject) is private to operator \(owner), or was sealed; "
                    + "ask a supervisor, or have one, or \(owner), link it with your own open session; "
                    + "a link of yours opens yours to them, not theirs to you",
                facts: ["subject": .string(subject.text), "owner": .string(owner.text)]
            )
        case .othersSession(let subject, _):
            Problem(
                .sessionPrivate,
                detail: (subject.category == "incident" ? "a session of " : "")
                    + "\(subject) is private to another operator, or was sealed; ask a supervisor",
                facts: ["subject": .string(subject.text)]
            )
        }
    }
}

extension ProblemType {
    static let sessionPrivate = Self("session-private", .forbidden, "Private to its owner")
    static let otherCaller = Self("session-of-other-caller", .forbidden, "Another caller's")
}
