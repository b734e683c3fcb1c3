// SPDX-License-Identifier: Apache-2.0
public import Events

/// The invariants of the domain (`Documentation/Rulings.md`, 17 to 26), checked in the plainest way there is.
///
/// Takes every event of a log in order. What it forbids is what no decision would have recorded, no more: every outside program
/// verifies the story of the ledger that its gateway wrote. It shares no code with the decisions, so that one may judge the other.
public struct DomainRules {
    /// An event that the rules forbid.
    public struct Breach: Hashable, Sendable, CustomStringConvertible {
        public let position: LogPosition
        public let description: String
    }

    /// The first of them.
    public private(set) var broken: [Breach] = []
    /// How many there are in all.
    public private(set) var brokenCount = 0
    /// How many sessions came to an end.
    public private(set) var sessionsEnded = 0
    private var events: Set<EventID> = []
    private var open: [SessionID: SessionCreated] = [:]
    private var sealed: Set<SessionID> = []
    private var owners = OwnerRule()
    private var offers: [SessionID: UserID] = [:]
    private var absences: [SessionID: SessionUnattended] = [:]
    private var proposals: [SessionID: [SessionID: UserID]] = [:]
    private var organisations = OrganisationRule()
    private var incidents: [Substring: IncidentRule] = [:]
    private var notes: Set<NoteID> = []
    private var callers: Set<PersonID> = []
    private var messages: Set<MessageID> = []
    /// The latest attempt to send each answer to a telephone.
    private var replies: [MessageID: Int] = [:]
    private var temporary: Set<String> = []
    private var requests: Set<RequestID> = []
    /// Until when callers wait to show video in what nobody took yet.
    private var wishes: [SessionID: Timestamp] = [:]
    private var streams: [StreamID: StreamRule] = [:]
    private var reports: [Subject: ReportStatus] = [:]
    /// Where each report stood before its last step.
    private var reportsBefore: [Subject: ReportStatus] = [:]
    private var scans = ScanRule()
    private var footage: [Subject: FootageRule] = [:]
    private var erased: Set<PersonID> = []
    private var held: [HoldID: [PersonID]] = [:]
    private var heldScopes: [HoldID: Subject] = [:]
    private var channels: [Subject: ChannelRule] = [:]
    private var safety: [Subject: SafetyRule] = [:]

    public init() {}

    /// Holds the next event against those before it.
    public mutating func apply(_ event: RecordedEvent) {
        let id = event.envelope.subject.name
        if let cause = event.envelope.causation {
            check(events.contains(cause), "is caused by an event that there is", event.envelope)
        }
        events.insert(event.envelope.id)
        check(
            organisations.fits(event.envelope),
            "is of the organisation that has its subject",
            event.envelope
        )
        switch event.fact {
        case .session(let fact): apply(fact, SessionID(String(id)), event.envelope)
        case .chat(let fact): apply(fact, SessionID(String(id)), event.envelope)
        case .location: isOpen(SessionID(String(id)), event.envelope)
        case .sip(let fact): apply(fact, SessionID(String(id)), event.envelope)
        case .stream(let fact): apply(fact, StreamID(String(id)), event.envelope)
        case .report(let fact): apply(fact, event.envelope)
        case .patrol(let fact): apply(fact, event.envelope)
        case .camera(let fact):
            let broken = footage[event.envelope.subject, default: FootageRule()].apply(fact)
            for rule in broken { check(false, rule, event.envelope) }
            if case .footageExpired = fact {
                let isHeld = heldScopes.values.contains(event.envelope.subject)
                check(!isHeld, "removes no footage of a camera on which a hold is", event.envelope)
            }
        case .channel(let fact):
            let broken = channels[event.envelope.subject, default: ChannelRule()].apply(fact)
            for rule in broken { check(false, rule, event.envelope) }
        case .safety(let fact):
            let broken = safety[event.envelope.subject, default: SafetyRule()].apply(fact)
            for rule in broken { check(false, rule, event.envelope) }
        case .hold(.placed(let placed)):
            held[placed.hold] = placed.persons
            heldScopes[placed.hold] = placed.scope
        case .hold(.lifted(let lifted)):
            heldScopes[lifted.hold] = nil
            check(
                held.removeValue(forKey: lifted.hold) != nil,
                "lifts a hold that is placed",
                event.envelope
            )
            check(Set(lifted.approvedBy).count == 2, "is lifted by two", event.envelope)
        case .person(.erased(let fact)):
            check(!callers.contains(fact.person), "erases nobody in a session", event.envelope)
            check(
                !held.values.joined().contains(fact.person),
                "erases nobody who is held",
                event.envelope
            )
            erased.insert(fact.person)
        case .policy(.enabled(let policy)):
            owners.apply(policy)
            scans.apply(policy)
        case .incident(let fact):
            let broken = incidents[id, default: IncidentRule()].apply(fact, &notes)
            for rule in broken { check(false, rule, event.envelope) }
        default: break
        }
    }

    private mutating func check(_ holds: Bool, _ rule: String, _ envelope: Envelope) {
        guard !holds else { return }
        brokenCount += 1
        guard broken.count < ReplayLimits.findingsPerCheckMax else { return }
        broken.append(
            Breach(
                position: envelope.position,
                description: "\(envelope.kind) breaks the rule that it \(rule)"
            )
        )
    }

    private mutating func isOpen(_ id: SessionID?, _ envelope: Envelope) {
        check(id.map { open[$0] != nil } ?? false, "is of an open session", envelope)
    }

    private mutating func apply(_ fact: SessionEvent, _ id: SessionID?, _ envelope: Envelope) {
        guard let id else { return check(false, "stands on a session", envelope) }
        if case .created(let created) = fact {
            check(callers.insert(created.caller).inserted, "has one session for a caller", envelope)
            check(!erased.contains(created.caller), "is for nobody erased", envelope)
            open[id] = created
            owners.begin(id, created)
            return
        }
        // What was asked before the end may run out behind it.
        if case .requestAnswered(let answered) = fact {
            if answered.answer != .stale { isOpen(id, envelope) }
            let isNew = requests.remove(answered.request) != nil
            return check(isNew, "answers once what was asked", envelope)
        }
        if case .sealed = fact {
            check(sealed.insert(id).inserted, "seals what is not sealed", envelope)
            return check(open[id] == nil, "seals what has ended", envelope)
        }
        if case .unsealed = fact {
            return check(sealed.remove(id) != nil, "unseals what is sealed", envelope)
        }
        isOpen(id, envelope)
        switch fact {
        case .claimed(let claimed):
            (wishes[id], offers[id]) = (nil, nil)
            let (isFree, isAllowed) = owners.claim(id, by: claimed.owner)
            check(isFree, "claims what nobody owns", envelope)
            check(isAllowed, "gives an operator no more sessions than allowed", envelope)
        case .released(let released):
            check(owners.release(id) == released.owner, "is let go by its owner", envelope)
            (offers[id], absences[id], proposals[id]) = (nil, nil, nil)
        case .transferred(let passed): transfer(passed, id, envelope)
        case .offered(let offered):
            offers[id] = offered.to
            check(!owners.has(offered.to, id), "is offered to another than its owner", envelope)
        case .offerDeclined(let declined):
            let offered = offers.removeValue(forKey: id)
            check(offered == declined.by, "is declined by whom it was offered to", envelope)
        case .assigned(let assigned):
            offers[id] = assigned.to
            check(!owners.isOwned(id), "is given away while nobody has it", envelope)
        case .unattended(let left):
            absences[id] = left
            check(owners.has(left.owner, id), "is left by its owner", envelope)
        case .linkProposed(let proposed):
            proposals[id, default: [:]][proposed.from] = proposed.by
            check(owners.has(proposed.by, proposed.from), "is proposed by an owner", envelope)
        case .linkDeclined(let declined): settle(id, declined.from, declined.proposer, envelope)
        case .linkAccepted(let accepted):
            check(accepted.session == id, "names its session", envelope)
            settle(id, accepted.from, accepted.proposer, envelope)
            check(
                owners.has(accepted.proposer, accepted.from),
                "is agreed with the other's owner",
                envelope
            )
        case .resumed(let resumed):
            if resumed.by == .operator { absences[id] = nil }
        case .expired(let expired):
            let due = open[id]?.expiresAt ?? wishes[id]
            check(due.map { $0 <= envelope.time } ?? false, "expires when it is time", envelope)
            end(id, expired.caller, expired.owner, envelope)
        case .closed(let closed): end(id, closed.caller, closed.owner, envelope)
        case .requestSent(let sent): requests.insert(sent.request)
        case .requestOpened(let opened):
            check(requests.contains(opened.request), "opens what waits", envelope)
        case .activitySignalled(let signalled):
            if signalled.activity == .streaming { owners.stream(in: id) }
        case .videoWished(let wished):
            wishes[id] = wished.expiresAt
            check(open[id]?.openedBy == .caller, "is wished by who opened it", envelope)
        case .videoWishWithdrawn:
            check(wishes.removeValue(forKey: id) != nil, "withdraws a wish that waits", envelope)
        case .created, .requestAnswered, .linkIssued, .linkOpened, .consentRecorded,
            .sealed, .unsealed, .muteSet:
            break
        }
    }

    /// An answer is to what was proposed.
    private mutating func settle(
        _ id: SessionID,
        _ from: SessionID,
        _ proposer: UserID,
        _ envelope: Envelope
    ) {
        let asker = proposals[id]?.removeValue(forKey: from)
        check(asker == proposer, "answers what was proposed", envelope)
    }

    /// What passes on was offered to whom it passes to, or left unattended for as long as it is kept.
    private mutating func transfer(
        _ fact: SessionTransferred,
        _ id: SessionID,
        _ envelope: Envelope
    ) {
        let (wasTheirs, isAllowed) = owners.transfer(id, from: fact.from, to: fact.to)
        check(wasTheirs, "passes on from its owner", envelope)
        proposals[id] = nil
        check(isAllowed, "gives an operator no more sessions than allowed", envelope)
        let (offer, absence) = (offers.removeValue(forKey: id), absences.removeValue(forKey: id))
        switch fact.reason {
        case .handedOver:
            check(offer == fact.to, "is handed to whom it is offered to", envelope)
        case .takenOver:
            let isDue = absence.map { $0.takeOverAt <= envelope.time } ?? false
            check(isDue, "is taken over when its owner stays away", envelope)
        }
    }

    private mutating func end(
        _ id: SessionID,
        _ caller: PersonID,
        _ owner: UserID?,
        _ envelope: Envelope
    ) {
        check(owners.end(id) == owner, "names its owner", envelope)
        check(open.removeValue(forKey: id)?.caller == caller, "names its caller", envelope)
        callers.remove(caller)
        (offers[id], absences[id], proposals[id]) = (nil, nil, nil)
        sessionsEnded += 1
    }

    private mutating func apply(_ fact: ChatEvent, _ id: SessionID?, _ envelope: Envelope) {
        switch fact {
        case .messageSent(let sent):
            isOpen(id, envelope)
            messages.insert(sent.message)
            let own = "\(envelope.subject) \(envelope.actor) \(sent.temporaryID)"
            check(temporary.insert(own).inserted, "has an id of its own", envelope)
        case .attachmentAdded(let added):
            isOpen(id, envelope)
            messages.insert(added.message)
            let own = "\(envelope.subject) \(envelope.actor) \(added.temporaryID)"
            check(temporary.insert(own).inserted, "has an id of its own", envelope)
        // Receipts come behind the end, too, and a rejection says that it came.
        case .messageDelivered(let delivered):
            check(messages.contains(delivered.message), "delivers what was sent", envelope)
        case .messageSeen(let seen):
            check(messages.contains(seen.upTo), "saw what was sent", envelope)
        case .quickResponseChosen(let chosen):
            check(messages.contains(chosen.message), "tells of what was sent", envelope)
        case .messageRejected: break
        }
    }

    private mutating func apply(_ fact: SIPEvent, _ id: SessionID?, _ envelope: Envelope) {
        switch fact {
        case .messageReceived(let received):
            isOpen(id, envelope)
            let isKnown = received.message.map(messages.contains) ?? true
            check(isKnown, "brings what was sent", envelope)
        case .replyQueued(let queued):
            check(messages.contains(queued.message), "sends what was sent", envelope)
            let last = replies[queued.message] ?? 0
            check(queued.attempt == last + 1, "is the next attempt", envelope)
            replies[queued.message] = queued.attempt
        case .replySent(let sent): attempt(sent.message, sent.attempt, envelope)
        case .replyAnswered(let answered): attempt(answered.message, answered.attempt, envelope)
        case .replyTimedOut(let late): attempt(late.message, late.attempt, envelope)
        case .malformedReceived, .trunkSet: break
        }
    }

    private mutating func attempt(_ message: MessageID, _ number: Int, _ envelope: Envelope) {
        check(replies[message] == number, "is of the attempt under way", envelope)
    }

    private mutating func apply(_ fact: StreamEvent, _ id: StreamID?, _ envelope: Envelope) {
        guard let id else { return check(false, "stands on a stream", envelope) }
        if case .started(let started) = fact {
            check(open[started.session] != nil, "is of an open session", envelope)
            check(streams[id] == nil, "starts once", envelope)
            streams[id] = StreamRule()
            return
        }
        guard let broken = streams[id]?.apply(fact) else {
            return check(false, "was started", envelope)
        }
        for rule in broken { check(false, rule, envelope) }
    }

    private mutating func apply(_ fact: ReportEvent, _ envelope: Envelope) {
        if case .submitted = fact {
            check(reports[envelope.subject] == nil, "is submitted once", envelope)
            reports[envelope.subject] = .submitted
            return
        }
        guard case .statusChanged(let changed) = fact else {
            return check(reports[envelope.subject] != nil, "was submitted", envelope)
        }
        check(reports[envelope.subject] == changed.from, "comes from where it stands", envelope)
        let allowed: [ReportStatus: [ReportStatus]] = [
            .submitted: [.acknowledged, .stoodDown], .acknowledged: [.headingOut, .stoodDown],
            .headingOut: [.onScene, .stoodDown],
            .onScene: [.rescued, .released, .deceased, .notFound],
        ]
        let isOn = allowed[changed.from]?.contains(changed.to) ?? false
        let isBack = reportsBefore[envelope.subject] == changed.to
        let isAgain = changed.from.isFinal && changed.to == .acknowledged
        check(isOn || isBack || isAgain, "is allowed", envelope)
        reports[envelope.subject] = changed.to
        reportsBefore[envelope.subject] = changed.from
    }

    private mutating func apply(_ fact: PatrolEvent, _ envelope: Envelope) {
        guard case .checkedIn(let scan) = fact else { return }
        check(scans.counts(scan, envelope), "counts once in its interval", envelope)
    }
}
