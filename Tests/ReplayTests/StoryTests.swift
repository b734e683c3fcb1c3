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
