// SPDX-License-Identifier: Apache-2.0
public import Events

/// The invariants of the domain (DESIGN §1, rulings 17 to 26), checked in the plainest way there is.
///
/// Takes every event of a log in order. Shares nothing with the code that decides, so that one may judge the other.
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
    private var owners: [SessionID: UserID] = [:]
    private var callers: Set<PersonID> = []
    private var messages: Set<MessageID> = []
    private var temporary: Set<String> = []
    private var requests: Set<RequestID> = []
    private var streams: [StreamID: Stream] = [:]

    /// What was archived of a stream.
    private struct Stream {
        let session: SessionID
        var chunks = 0
        var bytes = 0
        /// Where the last chunk ends in the file.
        var end = 0
        var live = true
    }

    private var reports: [Subject: ReportStatus] = [:]
    private var scans: [String: Timestamp] = [:]
    private var erased: Set<PersonID> = []
    private var held: [HoldID: [PersonID]] = [:]

    public init() {}

    /// Holds the next event against those before it.
    public mutating func apply(_ event: RecordedEvent) {
        let id = event.envelope.subject.name
        if let cause = event.envelope.causation {
            check(events.contains(cause), "is caused by an event that there is", event.envelope)
        }
        events.insert(event.envelope.id)
        switch event.fact {
        case .session(let fact): apply(fact, SessionID(String(id)), event.envelope)
        case .chat(let fact): apply(fact, SessionID(String(id)), event.envelope)
        case .location: isOpen(SessionID(String(id)), event.envelope)
        case .stream(let fact): apply(fact, StreamID(String(id)), event.envelope)
        case .report(let fact): apply(fact, event.envelope)
        case .patrol(let fact): apply(fact, event.envelope)
        case .hold(.placed(let placed)): held[placed.hold] = placed.persons
        case .hold(.lifted(let lifted)):
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
        case .incident, .device, .user, .alert, .access, .policy, .clock: break
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
            return
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
            check(owners[id] == nil, "claims what nobody owns", envelope)
            check(!owners.values.contains(claimed.owner), "gives an operator one session", envelope)
            owners[id] = claimed.owner
        case .released(let released):
            check(
                owners.removeValue(forKey: id) == released.owner,
                "is let go by its owner",
                envelope
            )
        case .expired(let expired):
            let due = open[id]?.expiresAt
            check(due.map { $0 <= envelope.time } ?? false, "expires when it is time", envelope)
            end(id, expired.caller, expired.owner, envelope)
        case .closed(let closed): end(id, closed.caller, closed.owner, envelope)
        case .requestSent(let sent): requests.insert(sent.request)
        case .requestOpened(let opened):
            check(requests.contains(opened.request), "opens what waits", envelope)
        case .requestAnswered(let answered):
            check(requests.remove(answered.request) != nil, "answers once what was asked", envelope)
        case .created, .resumed, .activitySignalled, .linkIssued, .linkOpened, .consentRecorded,
            .sealed, .unsealed:
            break
        }
    }

    private mutating func end(
        _ id: SessionID,
        _ caller: PersonID,
        _ owner: UserID?,
        _ envelope: Envelope
    ) {
        check(owners.removeValue(forKey: id) == owner, "names its owner", envelope)
        check(open.removeValue(forKey: id)?.caller == caller, "names its caller", envelope)
        callers.remove(caller)
        sessionsEnded += 1
    }

    private mutating func apply(_ fact: ChatEvent, _ id: SessionID?, _ envelope: Envelope) {
        isOpen(id, envelope)
        switch fact {
        case .messageSent(let sent):
            messages.insert(sent.message)
            let own = "\(envelope.subject) \(envelope.actor) \(sent.temporaryID)"
            check(temporary.insert(own).inserted, "has an id of its own", envelope)
        case .attachmentAdded(let added):
            messages.insert(added.message)
            let own = "\(envelope.subject) \(envelope.actor) \(added.temporaryID)"
            check(temporary.insert(own).inserted, "has an id of its own", envelope)
        case .messageDelivered(let delivered):
            check(messages.contains(delivered.message), "delivers what was sent", envelope)
        case .messageSeen(let seen):
            check(messages.contains(seen.upTo), "saw what was sent", envelope)
        case .messageRejected: break
        }
    }

    private mutating func apply(_ fact: StreamEvent, _ id: StreamID?, _ envelope: Envelope) {
        guard let id else { return check(false, "stands on a stream", envelope) }
        if case .started(let started) = fact {
            check(open[started.session] != nil, "is of an open session", envelope)
            streams[id] = Stream(session: started.session)
            return
        }
        guard var stream = streams[id] else { return check(false, "was started", envelope) }
        switch fact {
        case .chunkArchived(let chunk):
            check(stream.live && open[stream.session] != nil, "is live", envelope)
            check(chunk.number == stream.chunks, "is the next chunk", envelope)
            // Before the first stands the head of the file.
            let isNext = stream.chunks == 0 || chunk.offset == stream.end
            check(isNext, "stands behind the last one", envelope)
            stream.chunks += 1
            // A forged log may name any numbers.
            stream.bytes &+= chunk.length
            stream.end = chunk.offset &+ chunk.length
        case .stopped(let stopped):
            check(stream.live, "stops once", envelope)
            // Of the file, or of its chunks alone: both were counted by some program.
            let isCounted = [stream.bytes, stream.end].contains(stopped.bytes)
            check(stopped.chunks == stream.chunks && isCounted, "counts", envelope)
            stream.live = false
        case .finalized: check(!stream.live, "is stopped first", envelope)
        case .chunksInspected(let seen):
            check(seen.lastChunk < stream.chunks, "is archived first", envelope)
        case .started, .gapDetected, .qualityChanged, .interrupted, .resumed, .recordingFailed,
            .viewed:
            break
        }
        streams[id] = stream
    }

    private mutating func apply(_ fact: ReportEvent, _ envelope: Envelope) {
        guard case .statusChanged(let changed) = fact else {
            reports[envelope.subject] = .submitted
            return
        }
        check(reports[envelope.subject] == changed.from, "comes from where it stands", envelope)
        let allowed: [ReportStatus: [ReportStatus]] = [
            .submitted: [.acknowledged, .stoodDown], .acknowledged: [.headingOut, .stoodDown],
            .headingOut: [.onScene, .stoodDown],
            .onScene: [.rescued, .released, .deceased, .notFound],
        ]
        check(allowed[changed.from]?.contains(changed.to) ?? false, "is allowed", envelope)
        reports[envelope.subject] = changed.to
    }

    private mutating func apply(_ fact: PatrolEvent, _ envelope: Envelope) {
        guard case .checkedIn(let scan) = fact else { return }
        let place = "\(scan.guardID) \(envelope.subject)"
        if let last = scans[place] {
            check(envelope.time - last >= .seconds(300), "counts once in five minutes", envelope)
        }
        scans[place] = envelope.time
    }
}
