// SPDX-License-Identifier: Apache-2.0
import Events

/// Live video while its story is written.
struct StreamScene {
    let id: StreamID
    let session: SessionID
    let file: String
    private var chunks = 0
    private var bytes = 400
    private var through = 400
    private var part = 0
    private var milliseconds = 0
    private var inspected = 0

    /// Plays some video in a session that has none running; half of the time it still runs afterwards.
    static func play(_ contact: inout Contact, _ script: inout Script, _ town: inout Town) {
        guard contact.live == nil, contact.streams < 4 else { return }
        agree(contact, &script, &town)
        var scene = StreamScene(&contact, &script, &town)
        for _ in 0..<town.arbitrary.number(1...3) {
            scene.archive(seconds: town.arbitrary.number(5...45), contact, &script, &town)
            scene.disturb(contact, &script, &town)
        }
        scene.watch(contact, &script, &town)
        guard town.arbitrary.bool() else {
            contact.live = scene
            return
        }
        let stopped = scene.stop(.caller, "caller stopped")
        script.record(contact.callerActor, .stream(scene.id), .stream(.stopped(stopped)), in: &town)
        finalize(scene, &script, &town)
    }

    /// The recording becomes final a little after the end.
    static func finalize(_ scene: StreamScene, _ script: inout Script, _ town: inout Town) {
        var later = scene
        later.inspect(&script, &town)
        script.pass(town.wait(0.5...3))
        let subject = Subject.stream(scene.id)
        if town.arbitrary.one(in: 25) {
            let failed = StreamRecordingFailed(
                reasonCode: "disk_full",
                text: "no space left for cues"
            )
            return script.record(.ledger, subject, .stream(.recordingFailed(failed)), in: &town)
        }
        let final = StreamFinalized(
            file: scene.file,
            sha256: town.arbitrary.digest(),
            bytes: scene.bytes,
            durationMilliseconds: scene.milliseconds
        )
        script.record(.ledger, subject, .stream(.finalized(final)), in: &town)
    }

    /// What ends the stream.
    func stop(_ party: Party, _ reason: String) -> StreamStopped {
        StreamStopped(
            session: session,
            by: party,
            reason: reason,
            durationMilliseconds: milliseconds,
            chunks: chunks,
            bytes: bytes
        )
    }

    private static func agree(_ contact: Contact, _ script: inout Script, _ town: inout Town) {
        guard contact.streams == 0 else { return }
        let consent = SessionConsentRecorded(
            scope: .video,
            decision: .granted,
            textVersion: "2026-01"
        )
        script.record(
            contact.callerActor,
            contact.subject,
            .session(.consentRecorded(consent)),
            in: &town
        )
        script.pass(town.wait(1...4))
    }

    private init(_ contact: inout Contact, _ script: inout Script, _ town: inout Town) {
        id = town.id(at: script.time)
        session = contact.session
        let operatorID = contact.owner.map { town.members[$0].user.text } ?? "0"
        let minute = script.time.description.prefix(16)
            .replacing("T", with: "-").replacing(":", with: "-")
        let collision = contact.streams == 0 ? "" : "-\(contact.streams + 1)"
        file = "\(minute)-\(operatorID)\(collision).webm"
        contact.streams += 1
        let quality: Quality = town.arbitrary.oneOf()
        let started = StreamStarted(
            session: contact.session,
            incident: contact.incident,
            caller: contact.caller.person,
            transport: town.arbitrary.one(in: 4) ? .http : .webSocket,
            codec: town.arbitrary.one(in: 10) ? .vp8 : .vp9,
            width: quality.size.width,
            height: quality.size.height,
            framesPerSecond: 30,
            kilobitsPerSecond: quality.kilobitsPerSecondDefault,
            quality: quality,
            camera: town.arbitrary.bool() ? "rear" : "front",
            file: file,
            timeZone: "UTC"
        )
        let signal = SessionActivitySignalled(by: .caller, activity: .streaming, stream: id)
        script.record(
            contact.callerActor,
            [
                (.stream(id), .stream(.started(started))),
                (contact.subject, .session(.activitySignalled(signal))),
            ],
            in: &town
        )
    }

    private mutating func archive(
        seconds: Int,
        _ contact: Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        for _ in 0..<seconds {
            script.pass(town.wait(0.97...1.03))
            let length = town.arbitrary.number(20_000...120_000)
            let chunk = StreamChunkArchived(
                number: chunks,
                file: file,
                offset: bytes,
                length: length,
                sha256: town.arbitrary.digest(),
                firstMilliseconds: milliseconds,
                lastMilliseconds: milliseconds + 967,
                keyFrame: true,
                part: part,
                through: through + length
            )
            (chunks, bytes, through) = (chunks + 1, bytes + length, through + length)
            milliseconds += 1_000
            script.record(
                contact.callerActor,
                .stream(id),
                .stream(.chunkArchived(chunk)),
                in: &town
            )
            if chunks % 10 == 0 { inspect(&script, &town) }
        }
    }

    private mutating func inspect(_ script: inout Script, _ town: inout Town) {
        guard inspected < chunks else { return }
        let seen = StreamChunksInspected(
            firstChunk: inspected,
            lastChunk: chunks - 1,
            outcome: town.arbitrary.one(in: 50) ? .crashed : .decoded,
            frames: (chunks - inspected) * 30,
            undecodable: town.arbitrary.one(in: 20) ? 1 : 0,
            width: 640,
            height: 360,
            meanLuma: Double(town.arbitrary.number(200...2_200)) / 10,
            thumbnail: town.arbitrary.maybe { $0.digest() }
        )
        inspected = chunks
        let analyser = Actor(unchecked: "analyser/vpx")
        script.record(analyser, .stream(id), .stream(.chunksInspected(seen)), in: &town)
    }

    /// The sender changes quality or camera, or the connection breaks and a new part begins.
    private mutating func disturb(_ contact: Contact, _ script: inout Script, _ town: inout Town) {
        switch town.arbitrary.number(0...3) {
        case 0: change(contact, &script, &town)
        case 1: breakOff(contact, &script, &town)
        case 2: turn(contact, &script, &town)
        default: break
        }
    }

    private func change(_ contact: Contact, _ script: inout Script, _ town: inout Town) {
        let quality: Quality = town.arbitrary.oneOf()
        let changed = StreamQualityChanged(
            quality: quality,
            width: quality.size.width,
            height: quality.size.height,
            framesPerSecond: 24,
            kilobitsPerSecond: quality.kilobitsPerSecondDefault,
            camera: town.arbitrary.maybe { _ in "front" },
            cause: town.arbitrary.oneOf()
        )
        script.record(
            contact.callerActor,
            .stream(id),
            .stream(.qualityChanged(changed)),
            in: &town
        )
    }

    /// The caller films with the other camera, or switches its light on and off.
    private func turn(_ contact: Contact, _ script: inout Script, _ town: inout Town) {
        let facts: [StreamEvent] =
            town.arbitrary.bool()
            ? [.cameraSwitched(StreamCameraSwitched(camera: "front"))]
            : [
                .torchToggled(StreamTorchToggled(isOn: true)),
                .torchToggled(StreamTorchToggled(isOn: false)),
            ]
        for fact in facts {
            script.record(contact.callerActor, .stream(id), .stream(fact), in: &town)
            script.pass(town.wait(1...3))
        }
    }

    private mutating func breakOff(
        _ contact: Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        script.pass(.seconds(5))
        let interrupted = StreamInterrupted(reason: town.arbitrary.oneOf())
        let policy = Actor.policy("stream-silence")
        script.record(policy, .stream(id), .stream(.interrupted(interrupted)), in: &town)
        let away = town.arbitrary.number(1_000...40_000)
        script.pass(.milliseconds(away))
        (part, through) = (part + 1, 0)
        let gap = StreamGapDetected(
            fromMilliseconds: milliseconds,
            toMilliseconds: milliseconds + 5_000 + away,
            cause: "connection lost"
        )
        milliseconds = gap.toMilliseconds
        let resumed = StreamResumed(gapMilliseconds: 5_000 + away, part: part)
        script.record(
            contact.callerActor,
            [
                (.stream(id), .stream(.resumed(resumed))),
                (.stream(id), .stream(.gapDetected(gap))),
            ],
            in: &town
        )
    }

    private func watch(_ contact: Contact, _ script: inout Script, _ town: inout Town) {
        guard contact.owner != nil, chunks > 0 else { return }
        let viewer = SessionStory.actor(of: .operator, contact, town)
        let viewed = StreamViewed(
            viewer: viewer,
            mode: town.arbitrary.one(in: 3) ? .seekBack : .live,
            fromMilliseconds: 0,
            toMilliseconds: milliseconds
        )
        script.record(viewer, .stream(id), .stream(.viewed(viewed)), in: &town)
    }
}
