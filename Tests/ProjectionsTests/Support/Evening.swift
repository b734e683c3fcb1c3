// SPDX-License-Identifier: Apache-2.0
import Events
import ProjectionsTesting

/// One evening at the centre: every family of events, two callers, two operators, a linked session and an erasure.
struct Evening {
    var script: EventScript
    let operatorA = UserID(unchecked: "111111111")
    let operatorB = UserID(unchecked: "222222222")
    private(set) var operatorPerson: PersonID
    private(set) var first: (session: SessionID, incident: IncidentID, caller: PersonID)
    private(set) var second: (session: SessionID, incident: IncidentID, caller: PersonID)
    private(set) var stream: StreamID
    private(set) var report: ReportID
    private(set) var alert: AlertID
    init(seed: UInt64 = 1) throws {
        var script = EventScript(seed: seed)
        operatorPerson = try script.createUser(operatorA, .operator, name: "Ada Byron")
        _ = try script.createUser(operatorB, .operator, name: "Grace Hopper")
        try script.record(.user(.loggedIn(UserLoggedIn(method: .password))), on: .user(operatorA))
        first = try script.openSession()
        second = try script.openSession(
            channel: .video,
            by: .operator,
            phone: "+447712999999",
            limitSeconds: 120
        )
        stream = script.id()
        report = script.id()
        alert = script.id()
        self.script = script
        try talk()
        try film()
        try link()
        try work()
    }

    private mutating func talk() throws {
        let message = try script.say(
            "Help, smoke",
            in: first.session,
            from: .caller,
            of: first.caller
        )
        try script.claim(first.session, by: operatorA)
        try script.record(
            .chat(.messageDelivered(ChatMessageDelivered(message: message, to: .operator))),
            on: .session(first.session),
            after: .milliseconds(40)
        )
        try script.record(
            .chat(.messageSeen(ChatMessageSeen(upTo: message, by: .operator))),
            on: .session(first.session)
        )
        _ = try script.say("Where are you?", in: first.session, from: .operator, of: operatorPerson)
        let fix = Fix(latitude: 52.48, longitude: -1.89, accuracyMetres: 8)
        try script.record(
            .location(
                .reported(
                    LocationReported(
                        person: first.caller,
                        fix: .open(fix, of: first.caller),
                        method: "gps"
                    )
                )
            ),
            on: .session(first.session),
            occurredAt: script.now
        )
        try script.record(
            .incident(
                .addressSet(
                    IncidentAddressSet(
                        address: .open("94 Birmingham", of: first.caller),
                        source: .operator
                    )
                )
            ),
            on: .incident(first.incident)
        )
    }

    private mutating func film() throws {
        stream = try script.startStream(in: second.session, second.incident, second.caller)
        for number in 0..<3 { try script.archiveChunk(number, of: stream) }
        try script.record(
            .stream(.interrupted(StreamInterrupted(reason: .disconnected))),
            on: .stream(stream)
        )
        try script.record(
            .stream(
                .gapDetected(
                    StreamGapDetected(
                        fromMilliseconds: 2_967,
                        toMilliseconds: 7_000,
                        cause: "network"
                    )
                )
            ),
            on: .stream(stream)
        )
        try script.claim(second.session, by: operatorB)
        let inspected = StreamChunksInspected(
            firstChunk: 0,
            lastChunk: 2,
            outcome: .decoded,
            frames: 90,
            undecodable: 0,
            width: 640,
            height: 360,
            meanLuma: 91.5
        )
        try script.record(.stream(.chunksInspected(inspected)), on: .stream(stream))
        let stopped = StreamStopped(
            session: second.session,
            by: .caller,
            reason: "button",
            durationMilliseconds: 2_967,
            chunks: 3,
            bytes: 375_000
        )
        try script.record(.stream(.stopped(stopped)), on: .stream(stream))
    }

    private mutating func link() throws {
        let linked = IncidentSessionLinked(
            session: second.session,
            from: second.incident,
            reason: "same fire"
        )
        try script.record(.incident(.sessionLinked(linked)), on: .incident(first.incident))
    }

    private mutating func work() throws {
        let reporter = script.person()
        let submitted = ReportSubmitted(
            reporter: reporter,
            fix: .open(Fix(latitude: 40.4, longitude: -74), of: reporter),
            species: "seal",
            sizeClass: .medium,
            condition: .injured,
            photos: []
        )
        try script.record(.report(.submitted(submitted)), on: .report(report))
        let changed = ReportStatusChanged(from: .submitted, to: .acknowledged, by: operatorA)
        try script.record(.report(.statusChanged(changed)), on: .report(report))
        let contact = script.person()
        let queued = AlertQueued(
            cause: .session(first.session),
            severity: .critical,
            template: "fire",
            contact: contact,
            sms: PhoneNumber("+4915112345678").map { .open($0, of: contact) },
            email: .open("someone@example.org", of: contact),
            deduplicationKey: "fire-1",
            timeToLiveSeconds: 3_600
        )
        try script.record(.alert(.queued(queued)), on: .alert(alert))
        try script.record(
            .alert(.sent(AlertSent(channel: .sms, attempt: 1, providerID: "m-1"))),
            on: .alert(alert)
        )
        try patrol()
        try script.record(
            .session(
                .closed(
                    SessionClosed(
                        caller: first.caller,
                        by: .operator,
                        owner: operatorA,
                        disposition: "handled"
                    )
                )
            ),
            on: .session(first.session)
        )
        try script.erase(second.caller)
    }

    /// A guard's round over a point where somebody was before: a scan that is refused, one that counts, an alarm, for which others are called before it is
    /// taken up and becomes an incident; later another guard is there.
    mutating func walkRound() throws -> (round: RoundID, incident: IncidentID) {
        let (round, alarm): (RoundID, GuardAlarmID) = (script.id(), script.id())
        let (point, person): (PatrolPointID, PersonID) = (script.id(), script.person())
        let (gil, bela) = (UserID(unchecked: "g1"), UserID(unchecked: "g2"))
        func scan(by user: UserID, on round: RoundID?) -> Fact {
            .patrol(
                .checkedIn(.init(guardID: user, guardPerson: person, offline: false, round: round))
            )
        }
        try script.record(scan(by: bela, on: nil), on: .patrolPoint(point))
        let started = RoundStarted(tour: script.id(), guardID: gil, points: [], isOrdered: true)
        try script.record(.patrol(.roundStarted(started)), on: .round(round))
        let refused = PatrolCheckInRefused(guardID: gil, reason: .badCode, round: round)
        try script.record(.patrol(.checkInRefused(refused)), on: .patrolPoint(point))
        try script.record(scan(by: bela, on: nil), on: .patrolPoint(point))
        try script.record(scan(by: gil, on: round), on: .patrolPoint(point))
        let reached = RoundPointReached(point: point, standing: .onTime)
        try script.record(.patrol(.roundPointReached(reached)), on: .round(round))
        let raised = GuardAlarmRaised(guardID: gil, guardPerson: person, round: round)
        try script.record(.patrol(.guardAlarmRaised(raised)), on: .guardAlarm(alarm))
        let called = CallOutOpened(
            chain: "duty",
            cause: .guardAlarm(alarm),
            severity: .critical,
            text: nil,
            steps: []
        )
        try script.record(.callOut(.opened(called)), on: .callOut(script.id()))
        try script.record(scan(by: gil, on: nil), on: .patrolPoint(point))
        let incident = IncidentID(alarm.uuid)
        let answered = GuardAlarmAnswered(by: operatorA, incident: incident)
        try script.record(.patrol(.guardAlarmAnswered(answered)), on: .guardAlarm(alarm))
        let opened = IncidentOpened(type: "guard_alarm", priority: 1)
        try script.record(.incident(.opened(opened)), on: .incident(incident))
        return (round, incident)
    }

    private mutating func patrol() throws {
        let point: PatrolPointID = script.id()
        let defined = PatrolPointDefined(
            site: "dock",
            name: "gate 4",
            latitude: 40.4,
            longitude: -74,
            radiusMetres: 30
        )
        try script.record(.patrol(.pointDefined(defined)), on: .patrolPoint(point))
        let guardPerson = script.person()
        let guardID = UserID(unchecked: "g1")
        let checkedIn = PatrolCheckedIn(guardID: guardID, guardPerson: guardPerson, offline: false)
        try script.record(.patrol(.checkedIn(checkedIn)), on: .patrolPoint(point))
        let refused = PatrolCheckInRefused(guardID: guardID, reason: .badCode)
        try script.record(.patrol(.checkInRefused(refused)), on: .user(guardID))
        try script.record(
            .access(
                .read(
                    AccessRead(
                        reader: .user(operatorA, as: .operator),
                        resource: .session(first.session),
                        purpose: "answering",
                        fields: ["text"]
                    )
                )
            ),
            on: .access(.user(operatorA, as: .operator))
        )
        let hold = HoldPlaced(
            hold: script.id(),
            scope: .incident(first.incident),
            persons: [first.caller],
            reason: "inquest",
            authority: "coroner"
        )
        try script.record(.hold(.placed(hold)), on: .holds(.main))
        let policy = PolicyEnabled(policy: "start-limit", settings: ["limitSeconds": 120])
        try script.record(.policy(.enabled(policy)), on: .policy("start-limit"))
    }
}

extension Evening {
    /// The second session turns out to be about something else, and goes on where it began.
    mutating func unlinkSecond() throws {
        let unlinked = IncidentSessionUnlinked(
            session: second.session,
            to: second.incident,
            reason: "a mistake"
        )
        try script.record(.incident(.sessionUnlinked(unlinked)), on: .incident(first.incident))
        let linked = IncidentSessionLinked(
            session: second.session,
            from: first.incident,
            reason: "a mistake"
        )
        try script.record(.incident(.sessionLinked(linked)), on: .incident(second.incident))
        _ = try script.say("later", in: second.session, from: .caller, of: first.caller)
    }

    /// Nobody answers the alert, and somebody else is told so.
    mutating func alertAboutAlert() throws {
        let contact = script.person()
        let queued = AlertQueued(
            cause: .alert(alert),
            severity: .critical,
            template: "nobody-came",
            contact: contact,
            sms: PhoneNumber("+4915112345679").map { .open($0, of: contact) },
            deduplicationKey: "fire-2",
            timeToLiveSeconds: 3_600
        )
        try script.record(.alert(.queued(queued)), on: .alert(script.id()))
    }

    /// Sets what is known of an incident's place.
    mutating func setAddress(_ text: String, of incident: IncidentID) throws {
        let address = IncidentAddressSet(
            address: .open(text, of: first.caller),
            source: .operator
        )
        try script.record(.incident(.addressSet(address)), on: .incident(incident))
    }

    /// Two more callers about the first incident: the fourth's is merged into the third's, that into the first, and the
    /// fourth's is taken out again.
    mutating func mergeTwo() throws -> (
        third: (session: SessionID, incident: IncidentID, caller: PersonID),
        fourth: (session: SessionID, incident: IncidentID, caller: PersonID)
    ) {
        let third = try script.openSession()
        let fourth = try script.openSession()
        try merge(fourth.incident, into: third.incident, [fourth.session])
        try merge(third.incident, into: first.incident, [third.session, fourth.session])
        let unmerged = IncidentUnmerged(
            from: third.incident,
            sessions: [fourth.session],
            reason: "another fire"
        )
        try script.record(.incident(.unmerged(unmerged)), on: .incident(fourth.incident))
        let linked = IncidentSessionLinked(
            session: fourth.session,
            from: first.incident,
            reason: "another fire"
        )
        try script.record(.incident(.sessionLinked(linked)), on: .incident(fourth.incident))
        _ = try script.say("It is out", in: fourth.session, from: .caller, of: fourth.caller)
        return (third, fourth)
    }

    private mutating func merge(
        _ other: IncidentID,
        into incident: IncidentID,
        _ sessions: [SessionID]
    ) throws {
        let merged = IncidentMerged(into: incident, sessions: sessions, reason: "same fire")
        try script.record(.incident(.merged(merged)), on: .incident(other))
        for session in sessions {
            let linked = IncidentSessionLinked(session: session, from: other, reason: "same fire")
            try script.record(
                .incident(.sessionLinked(linked)),
                on: .incident(incident),
                after: .zero
            )
        }
    }
}
