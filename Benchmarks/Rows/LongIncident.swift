// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting

/// One session of an hour: video chunks, places and messages in turn.
struct LongIncident {
    let incident: IncidentID
    private let session: SessionID
    private let stream: StreamID
    private let caller: PersonID
    private let events: Int

    init(events: Int) {
        var chance = SeededGenerator(seed: 9)
        let time = Timestamp(microseconds: 1_700_000_000_000_000)
        self.events = events
        incident = IncidentID(at: time, using: &chance)
        session = SessionID(at: time, using: &chance)
        stream = StreamID(at: time, using: &chance)
        caller = PersonID(at: time, using: &chance)
    }

    func record(in log: EventLog) async throws {
        var chance = SeededGenerator(seed: 10)
        try await append([(.session(session), .session(.created(created)))], to: log, &chance)
        try await append(
            [
                (
                    .incident(incident),
                    .incident(.opened(IncidentOpened(type: "medical", priority: 1)))
                ),
                (.stream(stream), .stream(.started(started))),
            ],
            to: log,
            &chance
        )
        for first in stride(from: 3, to: events, by: 100) {
            let facts = (first..<min(first + 100, events)).map { fact($0, &chance) }
            try await append(facts, to: log, &chance)
        }
    }

    private func append(
        _ facts: [(Subject, Fact)],
        to log: EventLog,
        _ chance: inout SeededGenerator
    ) async throws {
        let time = Timestamp(microseconds: 1_700_000_000_000_000)
        var writes: [Subject: [Event]] = [:]
        for (subject, fact) in facts {
            writes[subject, default: []].append(
                Event(id: EventID(at: time, using: &chance), fact: fact)
            )
        }
        let id = CommandID(unchecked: "\(EventID(at: time, using: &chance))")
        try await log.append(
            writes.sorted { $0.key.text < $1.key.text }.map { SubjectWrite($0.key, $0.value) },
            command: CommandStamp(actor: .ledger, command: id)
        )
    }

    private func fact(_ number: Int, _ chance: inout SeededGenerator) -> (Subject, Fact) {
        switch number % 4 {
        case 0: (.session(session), .location(.reported(place(number))))
        case 1: (.session(session), .chat(.messageSent(message(number, &chance))))
        default: (.stream(stream), .stream(.chunkArchived(chunk(number))))
        }
    }

    private var created: SessionCreated {
        SessionCreated(incident: incident, caller: caller, channel: .chat, openedBy: .caller)
    }

    private var started: StreamStarted {
        StreamStarted(
            session: session,
            incident: incident,
            caller: caller,
            transport: .webSocket,
            codec: .vp9,
            width: 640,
            height: 360,
            framesPerSecond: 15,
            kilobitsPerSecond: 400,
            quality: .medium,
            file: "2026/11/2026-11-21-13-11-123456789.webm",
            timeZone: "UTC"
        )
    }

    private func place(_ number: Int) -> LocationReported {
        let fix = Fix(latitude: 51.65 + Double(number) * 1e-6, longitude: -0.39)
        return LocationReported(person: caller, fix: .open(fix, of: caller), method: "gps")
    }

    private func message(_ number: Int, _ chance: inout SeededGenerator) -> ChatMessageSent {
        ChatMessageSent(
            message: MessageID(at: Timestamp(microseconds: 1_700_000_000_000_000), using: &chance),
            temporaryID: "temp\(number)",
            from: .caller,
            text: .open("man having heart attack, valley road watford", of: caller),
            clientTimestamp: "437647234",
            channel: .webSocket
        )
    }

    private func chunk(_ number: Int) -> StreamChunkArchived {
        StreamChunkArchived(
            number: number,
            file: "2026/11/2026-11-21-13-11-123456789.webm",
            offset: number * 40_000,
            length: 40_000,
            sha256: SHA256Digest(bytes: [UInt8](repeating: 7, count: 32)),
            firstMilliseconds: number * 1_000,
            lastMilliseconds: number * 1_000 + 960,
            keyFrame: true,
            part: 0,
            through: number * 40_000
        )
    }
}
