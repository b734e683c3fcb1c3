// SPDX-License-Identifier: Apache-2.0
public import Events

/// One caller's contact with the centre: who, whose, how far, what was asked, and its chat.
public struct Session: Fold {
    public let id: SessionID
    /// How it began; `nil` before it was created.
    public private(set) var contact: Contact?
    /// How it ended; `nil` while it is open in the log.
    public private(set) var ending: Ending?
    /// When it ended.
    public private(set) var endedAt: Timestamp?
    /// Whether it is private though it has ended (ruling 33).
    public private(set) var isSealed = false
    /// The operator who has it.
    public private(set) var owner: UserID?
    /// Where that one claimed it; `nil` while nobody has it.
    public private(set) var claimedAt: LogPosition?
    /// Since when its owner is signed out, and how long it is kept; `nil` while the owner is there.
    public private(set) var absence: Absence?
    /// To whom it was offered last; `nil` when that was answered, or its owner is another.
    public private(set) var offer: Offer?
    /// The operators whom it was given to while it was nobody's, the last of them last.
    public private(set) var assignedTo: [UserID] = []
    /// Who asks to link another session with it, or was declined a while ago, by that other session.
    public private(set) var proposals: [SessionID: Proposal] = [:]
    /// Whether something started, so that the start limit no longer applies: the caller's
    /// video, place or first message (ruling 35).
    public private(set) var isStarted = false
    /// Until when the caller waits to show video; `nil` where nobody waits, or an operator has come.
    public private(set) var wishesVideoUntil: Timestamp?
    /// Whether an operator took it while the caller waited to show video.
    public private(set) var isWishTaken = false
    /// Whether an operator has it, or had it.
    public private(set) var wasClaimed = false
    /// Whether the caller has written.
    public private(set) var callerHasWritten = false
    /// What was asked of the caller.
    public private(set) var requests: [RequestID: Request] = [:]
    /// The one-use links to it.
    public private(set) var links: [LinkID: Link] = [:]
    /// The last decision of each consent.
    public private(set) var consents:
        [SessionConsentRecorded.Scope: SessionConsentRecorded.Decision] = [:]
    /// When each party last signalled each activity.
    public private(set) var signals: [Signal: Timestamp] = [:]
    /// When each party last came back to it.
    public private(set) var resumedAt: [Party: Timestamp] = [:]
    /// Its streams, in the order of their start.
    public private(set) var streams: [StreamID] = []
    /// When the caller's place was last reported.
    public private(set) var locatedAt: Timestamp?
    /// The phones and browsers that spoke for the caller: wrote, showed or told a place.
    public private(set) var speakers: Set<DeviceID> = []
    /// Its messages.
    public private(set) var chat = Chat()
    /// Its telephone side; `nil` where nobody texted by telephone.
    public private(set) var telephone: Telephone?
    /// Whether what the caller sends rings no bell.
    public private(set) var isMuted = false

    public init(_ id: SessionID) {
        self.id = id
    }

    public static func source(of id: SessionID) -> FoldSource { .subject(.session(id)) }

    /// Takes in an event of the session's subject: of the session, its chat, its places or its telephone.
    public mutating func apply(_ event: RecordedEvent) {
        switch event.fact {
        case .session(let fact): apply(fact, of: event.envelope)
        case .chat(let fact):
            chat.apply(fact, of: event.envelope)
            if fact.author == .caller {
                callerHasWritten = true
                telephone?.noteOtherWay()
                start(by: event.envelope.actor)
            }
        case .location(let fact): apply(fact, of: event.envelope)
        case .sip(let fact): telephone.apply(fact, of: event.envelope)
        default: break
        }
    }

    private mutating func apply(_ event: SessionEvent, of envelope: Envelope) {
        switch event {
        case .created(let created): contact = Contact(created, of: envelope)
        case .expired:
            ending = ending ?? .expired
            endedAt = endedAt ?? envelope.time
        case .claimed(let claimed): pass(to: claimed.owner, by: envelope)
        case .transferred(let transferred): pass(to: transferred.to, by: envelope)
        case .released: pass(to: nil, by: envelope)
        case .offered(let offered): offer = Offer(to: offered.to, expiresAt: offered.expiresAt)
        case .offerDeclined: offer = nil
        case .assigned(let assigned):
            offer = Offer(to: assigned.to, expiresAt: assigned.expiresAt)
            assignedTo.append(assigned.to)
        case .linkProposed(let proposed): note(proposed, at: envelope.time)
        case .linkDeclined(let declined): proposals[declined.from]?.declinedAt = envelope.time
        case .linkAccepted(let accepted): proposals[accepted.from] = nil
        case .muteSet(let set): isMuted = set.isMuted
        case .unattended(let left):
            absence = Absence(since: envelope.time, takeOverAt: left.takeOverAt)
        case .resumed(let resumed):
            resumedAt[resumed.by] = envelope.time
            if resumed.by == .operator { absence = nil }
        case .activitySignalled(let signalled): apply(signalled, of: envelope)
        case .videoWished(let wished): wishesVideoUntil = wished.expiresAt
        case .videoWishWithdrawn: wishesVideoUntil = nil
        case .requestSent(let sent): requests[sent.request] = Request(sent, of: envelope)
        case .requestOpened(let opened): requests[opened.request]?.isOpened = true
        case .requestAnswered(let answered):
            requests[answered.request]?.answer = answered.answer
        case .linkIssued(let issued): links[issued.link] = Link(issued, by: envelope.actor)
        case .linkOpened(let opened): links[opened.link]?.openedBy = opened.device
        case .consentRecorded(let consent): consents[consent.scope] = consent.decision
        case .closed(let closed):
            ending = .closed(disposition: closed.disposition)
            endedAt = endedAt ?? envelope.time
        case .sealed: isSealed = true
        case .unsealed: isSealed = false
        }
    }

    /// Whose it is changes, and with that what was said of the owner before.
    private mutating func pass(to user: UserID?, by envelope: Envelope) {
        (owner, claimedAt) = (user, user.map { _ in envelope.position })
        (absence, offer, proposals, assignedTo) = (nil, nil, [:], [])
        guard user != nil else { return }
        if let until = wishesVideoUntil, envelope.time < until { isWishTaken = true }
        (wasClaimed, wishesVideoUntil) = (true, nil)
    }

    /// Somebody asks to link another session with it; of those before, what is over is forgotten.
    private mutating func note(_ proposed: SessionLinkProposed, at time: Timestamp) {
        proposals = proposals.filter { $0.value.stands(at: time) }
        proposals[proposed.from] = Proposal(proposed)
    }

    /// Somebody spoke for the caller.
    private mutating func start(by actor: Actor) {
        isStarted = true
        if let device = actor.device { speakers.insert(device) }
    }

    private mutating func apply(_ event: SessionActivitySignalled, of envelope: Envelope) {
        signals[Signal(by: event.by, activity: event.activity)] = envelope.time
        guard event.activity == .streaming else { return }
        start(by: envelope.actor)
        if let stream = event.stream, !streams.contains(stream) { streams.append(stream) }
    }

    private mutating func apply(_ event: LocationEvent, of envelope: Envelope) {
        switch event {
        case .reported:
            locatedAt = envelope.time
            start(by: envelope.actor)
        case .unavailable: break
        }
    }
}

extension Session {
    /// How a session began; nothing of it changes later.
    public struct Contact: Hashable, Sendable {
        /// The incident that was opened with it; ``Membership`` knows where it belongs now.
        public let incident: IncidentID
        /// Whose session it is, among organisations.
        public let organisation: OrganisationID
        public let caller: PersonID
        public let device: DeviceID?
        /// The phone of the caller's that began it; `nil` where somebody else did.
        public let beganBy: DeviceID?
        public let channel: SessionCreated.Channel
        public let openedBy: Party
        /// Whether the caller's number was known then.
        public let hasNumber: Bool
        /// The event that began it.
        public let cause: Cause
        /// When it expires unless something starts; none if a caller opened it.
        public let expiresAt: Timestamp?

        init(_ created: SessionCreated, of envelope: Envelope) {
            incident = created.incident
            organisation = envelope.organisation
            cause = Cause(envelope)
            caller = created.caller
            device = created.device
            beganBy = created.openedBy == .caller ? envelope.actor.device : nil
            channel = created.channel
            openedBy = created.openedBy
            hasNumber = created.phone != nil
            expiresAt = created.expiresAt
        }
    }

    /// That the owner is signed out and may come back.
    public struct Absence: Hashable, Sendable {
        public let since: Timestamp
        /// From when on another may take the session over.
        public let takeOverAt: Timestamp
    }

    /// That an operator is asked to take it, or to take it over.
    public struct Offer: Hashable, Sendable {
        public let to: UserID
        public let expiresAt: Timestamp
    }

    /// That another session's owner asks to make both one incident, or did so in vain.
    public struct Proposal: Hashable, Sendable {
        public let by: UserID
        public let expiresAt: Timestamp
        /// When the owner said no; `nil` while there is no answer.
        public internal(set) var declinedAt: Timestamp?

        init(_ proposed: SessionLinkProposed) {
            by = proposed.by
            expiresAt = proposed.expiresAt
        }

        /// Until when the other session is not proposed again.
        var until: Timestamp { declinedAt.map { $0 + CommandLimits.proposalPause } ?? expiresAt }

        /// Whether an answer still counts at a moment.
        func isPending(at now: Timestamp) -> Bool { declinedAt == nil && now < expiresAt }

        /// Whether it keeps the other session from being proposed again at a moment.
        func stands(at now: Timestamp) -> Bool { now < until }
    }

    /// How a session ended.
    public enum Ending: Hashable, Sendable {
        case expired
        case closed(disposition: String)
    }

    /// What was asked of the caller.
    public struct Request: Hashable, Sendable {
        public let ask: SessionRequestSent.Ask
        public let expiresAt: Timestamp?
        /// The event that asked.
        public let cause: Cause
        /// Whether the caller's page shows it, or showed it.
        public internal(set) var isOpened = false
        /// `nil` while it waits.
        public internal(set) var answer: SessionRequestAnswered.Answer?

        init(_ sent: SessionRequestSent, of envelope: Envelope) {
            ask = sent.ask
            cause = Cause(envelope)
            expiresAt = sent.expiresAt
        }

        /// Whether an answer still counts at a moment.
        public func isPending(at now: Timestamp) -> Bool {
            answer == nil && !isPast(at: now)
        }

        /// Whether its time is over.
        public func isPast(at now: Timestamp) -> Bool {
            expiresAt.map { now >= $0 } ?? false
        }
    }

    /// A one-use link by which the caller may join.
    public struct Link: Hashable, Sendable {
        public let giver: Giver
        public let expiresAt: Timestamp
        /// `nil` while it was not used.
        public internal(set) var openedBy: DeviceID?

        init(_ issued: SessionLinkIssued, by actor: Actor) {
            giver = Giver(issued.by, named: actor)
            expiresAt = issued.expiresAt
        }
    }

    /// Who did what, as far as repeating it soon tells nothing new.
    public struct Signal: Hashable, Sendable {
        public let by: Party
        public let activity: SessionActivitySignalled.Activity

        public init(by: Party, activity: SessionActivitySignalled.Activity) {
            self.by = by
            self.activity = activity
        }
    }
}
