// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Replay
import TestSupport
import Testing

@Suite(.tags(.promise10)) struct `The rules of a story` {
    @Test func `a plausible history: no rule is broken`() {
        for seed in SeededGenerator.environmentSeed..<(SeededGenerator.environmentSeed + 2) {
            let history = PlausibleHistory(seed: seed, events: 8_000)
            var rules = DomainRules()
            for event in RecordedHistory(history, keys: SeededKeys()) { rules.apply(event) }
            #expect(rules.broken == [], "seed \(seed)")
            #expect(rules.sessionsEnded > 20, "seed \(seed)")
        }
    }

    @Test func `one subject of two organisations: the second event breaks a rule`() {
        var samples = SampleEvents()
        let point: PatrolPointID = samples.id()
        var rules = DomainRules()
        for (number, owner) in [OrganisationID.main, OrganisationID(unchecked: "north")]
            .enumerated()
        {
            let defined = PatrolPointDefined(
                site: owner.text,
                name: "Gate 3",
                latitude: 52.4796,
                longitude: -1.9026,
                radiusMetres: 50
            )
            let fact = Fact.patrol(.pointDefined(defined))
            rules.apply(recorded(fact, on: .patrolPoint(point), of: owner, as: number, &samples))
        }
        #expect(rules.broken.map(\.position.rawValue) == [1])
    }

    @Test
    func
        `a camera's footage with a hole, without its growing file, or of a file that is gone breaks rules`()
    {
        var samples = SampleEvents()
        let camera: CameraID = samples.id()
        var rules = DomainRules()
        let facts: [CameraEvent] = [
            .standingChanged(CameraStandingChanged(standing: .online)),
            .set(CameraSet(settings: settings)), minute(in: "a.webm", from: 0),
            minute(in: "a.webm", from: 1_000), minute(in: "a.webm", from: 2_500),
            minute(in: "b.webm", from: 400), expired("b.webm"), expired("a.webm"),
            minute(in: "b.webm", from: 1_400), minute(in: "a.webm", from: 0),
        ]
        for (number, fact) in facts.enumerated() {
            rules.apply(recorded(.camera(fact), on: .camera(camera), as: number, &samples))
        }
        #expect(rules.broken.map(\.position.rawValue) == [0, 4, 6, 8, 9])
    }

    @Test func `a held camera's footage that is removed breaks a rule, once it is lifted none`() {
        var samples = SampleEvents()
        let (camera, hold): (CameraID, HoldID) = (samples.id(), samples.id())
        let placed = HoldPlaced(
            hold: hold,
            scope: .camera(camera),
            persons: [],
            reason: "a theft",
            authority: "police"
        )
        let approvers = [UserID(unchecked: "1"), UserID(unchecked: "2")]
        let lifted = HoldLifted(hold: hold, reason: "closed", approvedBy: approvers)
        var rules = DomainRules()
        let steps: [(Subject, Fact)] = [
            (.camera(camera), .camera(.set(CameraSet(settings: settings)))),
            (.holds(.main), .hold(.placed(placed))), (.camera(camera), .camera(expired("a.webm"))),
            (.holds(.main), .hold(.lifted(lifted))), (.camera(camera), .camera(expired("b.webm"))),
        ]
        for (number, step) in steps.enumerated() {
            rules.apply(recorded(step.1, on: step.0, as: number, &samples))
        }
        #expect(rules.broken.map(\.position.rawValue) == [2])
    }

    @Test
    func
        `a channel that is closed, a message out of turn, and one read before it was sent break rules`()
    {
        var samples = SampleEvents()
        let channel: ChannelID = samples.id()
        let (author, person): (UserID, PersonID) = (UserID(unchecked: "1"), samples.id())
        let reader = UserID(unchecked: "2")
        func set(isOpen: Bool) -> ChannelEvent {
            .set(ChannelSet(name: "Nights", members: [.guard], isOpen: isOpen))
        }
        func message(_ number: Int) -> ChannelEvent {
            .messageSent(
                ChannelMessageSent(
                    number: number,
                    author: author,
                    person: person,
                    text: nil,
                    moment: nil
                )
            )
        }
        func read(_ through: Int) -> ChannelEvent {
            .read(ChannelRead(reader: reader, through: through))
        }
        let facts = [
            message(1), set(isOpen: true), message(2), message(3), message(5), read(5), read(5),
            read(6), set(isOpen: false), read(7), message(6), set(isOpen: true), message(7),
        ]
        var rules = DomainRules()
        for (number, fact) in facts.enumerated() {
            rules.apply(recorded(.channel(fact), on: .channel(channel), as: number, &samples))
        }
        #expect(Set(rules.broken.map(\.position.rawValue)) == [0, 4, 6, 7, 9, 10])
    }

    @Test
    func `a contact and a call for help that change hands, or go on after their end, break rules`()
    {
        var samples = SampleEvents()
        let (contact, sos): (ContactID, SOSID) = (samples.id(), samples.id())
        let (one, other): (PersonID, PersonID) = (samples.id(), samples.id())
        let friend: PersonID = samples.id()
        func set(_ citizen: PersonID) -> SafetyEvent {
            let name = Sealed.open("Nina", of: friend)
            return .contactSet(
                ContactSet(
                    citizen: citizen,
                    person: friend,
                    name: name,
                    mobile: nil,
                    email: nil,
                    language: "en"
                )
            )
        }
        func removed(_ citizen: PersonID) -> SafetyEvent {
            .contactRemoved(ContactRemoved(citizen: citizen))
        }
        func raised(_ person: PersonID) -> SafetyEvent {
            .raised(SOSRaised(person: person, trigger: .swipe, isDrill: false, fix: nil))
        }
        let fix = Fix(latitude: 51, longitude: 0)
        let contacts = [set(one), set(other), set(one), removed(one), removed(one), set(one)]
        let calls: [SafetyEvent] = [
            .moved(SOSMoved(person: one, fix: .open(fix, of: one))), raised(one), raised(one),
            .moved(SOSMoved(person: one, fix: .open(fix, of: one))),
            .ended(SOSEnded(person: other, reason: .safe)),
            .moved(SOSMoved(person: one, fix: .open(fix, of: one))),
        ]
        var rules = DomainRules()
        for (number, fact) in contacts.enumerated() {
            rules.apply(recorded(.safety(fact), on: .contact(contact), as: number, &samples))
        }
        for (number, fact) in calls.enumerated() {
            rules.apply(recorded(.safety(fact), on: .sos(sos), as: 6 + number, &samples))
        }
        #expect(Set(rules.broken.map(\.position.rawValue)) == [1, 2, 4, 5, 6, 8, 10, 11])
    }

    private let settings = CameraSettings(
        site: "Selly Oak",
        number: 3,
        name: "Gate 3",
        floor: 0,
        latitude: 52.4796,
        longitude: -1.9026,
        source: .mjpeg,
        width: 640,
        height: 360,
        framesPerSecond: 10,
        kilobitsPerSecond: 500,
        keptDays: 30,
        keptBytes: 100 << 30,
        frame: .init(x: 0, y: 0, width: 640, height: 360),
        neighbours: .init(),
        viewers: [],
        isOn: false
    )

    /// A minute of 1,000 bytes.
    private func minute(in file: String, from offset: Int) -> CameraEvent {
        let firstAt = Timestamp(microseconds: 1_700_000_000_000_000)
        return .minuteArchived(
            CameraMinuteArchived(
                file: file,
                offset: offset,
                length: 1_000,
                clusters: 60,
                frames: 600,
                digest: SHA256Digest(of: [UInt8]()),
                firstAt: firstAt,
                lastAt: firstAt + .seconds(60),
                missingMilliseconds: 0
            )
        )
    }

    private func expired(_ file: String) -> CameraEvent {
        .footageExpired(CameraFootageExpired(file: file, bytes: 3_500, cause: .days))
    }

    private func recorded(
        _ fact: Fact,
        on subject: Subject,
        of owner: OrganisationID = .main,
        as number: Int,
        _ samples: inout SampleEvents
    ) -> RecordedEvent {
        let envelope = Envelope(
            id: samples.id(),
            subject: subject,
            kind: fact.kind,
            position: LogPosition(UInt64(number)),
            revision: Revision(UInt64(number)),
            time: Timestamp(microseconds: 1_700_000_000_000_000),
            organisation: owner,
            actor: .ledger,
            command: CommandID(unchecked: "c\(number)"),
            source: "daybook.example.org/test"
        )
        return RecordedEvent(envelope: envelope, fact: fact)
    }
}
