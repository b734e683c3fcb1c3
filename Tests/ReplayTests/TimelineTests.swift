// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import Replay
import TestSupport
import Testing

@Suite struct `The timeline of an incident` {
    /// What belonged to an incident after each event, found in the plainest way there is: by going through all of them.
    private static func memberships(
        of incident: Subject,
        in events: [RecordedEvent]
    ) -> [Set<Subject>] {
        // Where each subject belongs now: sessions, alarms and merged incidents to an incident, streams and alerts to their cause.
        var above: [Subject: Subject] = [:]
        return events.map { event in
            let subject = event.envelope.subject
            switch event.fact {
            case .session(.created(let fact)): above[subject] = .incident(fact.incident)
            case .incident(.sessionLinked(let fact)): above[.session(fact.session)] = subject
            case .incident(.merged(let fact)): above[subject] = .incident(fact.into)
            case .incident(.unmerged): above[subject] = nil
            case .stream(.started(let fact)): above[subject] = .session(fact.session)
            case .alert(.queued(let fact)): above[subject] = fact.cause
            case .callOut(.opened(let fact)): above[subject] = fact.cause
            case .report(.attached(let fact)): above[subject] = .incident(fact.incident)
            case .report(.detached): above[subject] = nil
            case .patrol(.guardAlarmAnswered(let fact)):
                above[subject] = fact.incident.map { .incident($0) }
            default: break
            }
            return Set(
                ([incident] + above.keys).filter { first in
                    var next: Subject? = first
                    while let here = next, here != incident { next = above[here] }
                    return next != nil
                }
            )
        }
    }

    /// The positions that the timeline of an incident has.
    private static func positions(of incident: Subject, in events: [RecordedEvent]) -> [UInt64] {
        let memberships = memberships(of: incident, in: events)
        var last: [Subject: Int] = [:]
        for (number, members) in memberships.enumerated() {
            for member in members { last[member] = number }
        }
        // By which something left it, wherever that stands.
        let departures = Set(
            memberships.indices.dropFirst().filter {
                !memberships[$0 - 1].isSubset(of: memberships[$0])
            }
        )
        return events.enumerated()
            .filter { $0 <= last[$1.envelope.subject] ?? -1 || departures.contains($0) }
            .map(\.element.envelope.position.rawValue)
    }

    @Test(arguments: UInt64(1)...3, [true, false])
    func `has exactly the entries of its subjects, each once`(
        seed: UInt64,
        usingIndex: Bool
    ) async throws {
        let ledger = try await AuditedLedger(events: 1_500, seed: seed)
        let events = try ledger.entries().map { try EventDecoder().decode(Entry(parsing: $0)) }
        let reader = try LedgerReader.open(ledger.url, usingIndex: usingIndex)
        defer { reader.close() }
        #expect(reader.usesIndex == usingIndex)
        let incidents = Set(events.map(\.envelope.subject).filter { $0.category == "incident" })
        #expect(!incidents.isEmpty)
        let alarms = events.compactMap { ($0.fact.payload as? GuardAlarmAnswered)?.incident }
        let some = incidents.sorted(by: { $0.text < $1.text }).prefix(12)
        for incident in some + alarms.map({ .incident($0) }) {
            let timeline = try CaseTimeline(of: String(incident.name), in: reader)
            let memberships = Self.memberships(of: incident, in: events)
            #expect(timeline.root == incident.text)
            let subjects = memberships.reduce(into: Set<Subject>()) { $0.formUnion($1) }
            #expect(Set(timeline.subjects) == Set(subjects.map(\.text)))
            #expect(timeline.entries.map(\.position) == Self.positions(of: incident, in: events))
            for entry in timeline.entries {
                let then = memberships[Int(entry.position)].map(\.text)
                let isDeparture = !memberships[max(1, Int(entry.position)) - 1].isSubset(
                    of: memberships[Int(entry.position)]
                )
                #expect(
                    (entry.isEarlier == true) == !(then.contains(entry.subject) || isDeparture)
                )
            }
        }
    }

    @Test func `of a round has the scans and alarms on it, and no others at its points`()
        async throws
    {
        let ledger = try await AuditedLedger(events: 4_000, seed: 4)
        let events = try ledger.entries().map { try EventDecoder().decode(Entry(parsing: $0)) }
        let reader = try LedgerReader.open(ledger.url, usingIndex: true)
        defer { reader.close() }
        var (alarms, scans): (Set<Subject>, Int) = ([], 0)
        let rounds = Set(events.map(\.envelope.subject).filter { $0.category == "round" })
        #expect(!rounds.isEmpty)
        for round in rounds {
            let expected = events.filter { event in
                switch event.fact {
                case .patrol(.checkedIn(let fact)): fact.round.map { .round($0) } == round
                case .patrol(.checkInRefused(let fact)): fact.round.map { .round($0) } == round
                case .patrol(.guardAlarmRaised(let fact)):
                    fact.round.map { .round($0) } == round
                        && alarms.insert(event.envelope.subject).inserted
                default:
                    event.envelope.subject == round || alarms.contains(event.envelope.subject)
                }
            }
            alarms = []
            scans += expected.count { $0.envelope.subject.category == "patrol_point" }
            let timeline = try CaseTimeline(of: round.text, in: reader)
            #expect(timeline.entries.map(\.position) == expected.map(\.envelope.position.rawValue))
            #expect(timeline.entries.allSatisfy { $0.isEarlier == nil })
        }
        #expect(scans > 0)
    }

    @Test func `of a call for help has what its contacts were told, and no other's`() async throws {
        let ledger = try await AuditedLedger(events: 400, seed: 4)
        let events = try ledger.entries().map { try EventDecoder().decode(Entry(parsing: $0)) }
        let reader = try LedgerReader.open(ledger.url, usingIndex: true)
        defer { reader.close() }
        let calls = Set(events.map(\.envelope.subject).filter { $0.category == "sos" })
        #expect(!calls.isEmpty)
        for call in calls {
            let alerts = Set(
                events.filter {
                    if case .alert(.queued(let queued)) = $0.fact {
                        queued.cause == call
                    } else {
                        false
                    }
                }.map(\.envelope.subject)
            )
            #expect(!alerts.isEmpty)
            let expected = events.filter {
                $0.envelope.subject == call || alerts.contains($0.envelope.subject)
            }
            for reference in [call.text, try #require(alerts.first).text] {
                let timeline = try CaseTimeline(of: reference, in: reader)
                #expect(
                    timeline.entries.map(\.position) == expected.map(\.envelope.position.rawValue)
                )
            }
        }
    }

    @Test func `shows only what was known at a position`() async throws {
        let ledger = try await AuditedLedger(events: 1_000)
        let events = try ledger.entries().map { try EventDecoder().decode(Entry(parsing: $0)) }
        let first = try #require(
            events.map(\.envelope).first { $0.subject.category == "incident" }
        )
        let reader = try LedgerReader.open(ledger.url)
        defer { reader.close() }
        let now = try CaseTimeline(of: String(first.subject.name), in: reader)
        #expect(throws: TimelineError.self) {
            let end = LogPosition(UInt64(events.count))
            _ = try CaseTimeline(of: String(first.subject.name), in: reader, asOf: .position(end))
        }
        #expect(throws: TimelineError.self) {
            let later = try #require(LedgerMoment("2999-01-01T00:00:00Z"))
            _ = try CaseTimeline(of: String(first.subject.name), in: reader, asOf: later)
        }
        for entry in now.entries {
            let then = try CaseTimeline(
                of: String(first.subject.name),
                in: reader,
                asOf: .position(LogPosition(entry.position))
            )
            // What was linked or merged later is not there yet, from whenever it is.
            let before = Array(events.prefix(Int(entry.position) + 1))
            let known = Set(Self.positions(of: first.subject, in: before))
            #expect(then.entries == now.entries.filter { known.contains($0.position) })
            #expect(then.entries.count == known.count)
        }
    }

    @Test func `opens what can be opened, and says sealed and erased of the rest`() async throws {
        let keys = SeededKeys()
        let ledger = try await AuditedLedger(events: 1_500, keys: keys)
        let events = try ledger.entries().map { try EventDecoder().decode(Entry(parsing: $0)) }
        let reader = try LedgerReader.open(ledger.url)
        defer { reader.close() }
        let session = try #require(
            events.first {
                if case .chat(.messageSent) = $0.fact { true } else { false }
            }
        ).envelope.subject
        let closed = try CaseTimeline(of: String(session.name), in: reader)
        let open = try CaseTimeline(of: String(session.name), in: reader, keys: keys)
        let hidden = closed.entries.flatMap(\.says).filter { $0.state != .plain }
        #expect(!hidden.isEmpty && hidden.allSatisfy { $0.value == nil })
        let shown = open.entries.flatMap(\.says).filter { $0.state == .opened }
        #expect(shown.contains { $0.name == "text" && $0.value?.isEmpty == false })
        #expect(!closed.text().contains("\u{1B}"))
        #expect(closed.text().contains("=sealed") || closed.text().contains("=erased"))
    }

    /// A timeline of one entry, as its JSON says.
    private static func made(_ entries: String) throws -> CaseTimeline {
        let text =
            #"{"root":"incident/1","subjects":["incident/1"],"size":9,"entries":[\#(entries)]}"#
        return try JSONDecoder().decode(CaseTimeline.self, from: Data(text.utf8))
    }

    private static func entry(_ rest: String) -> String {
        #"{"position":1,"subject":"session/1","revision":1,"id":"1","actor":"device/1",\#(rest)}"#
    }

    @Test(arguments: [
        ("x”  from=operator/1  text=“forged", #"“x\”  from=operator/1  text=“forged”"#),
        ("x”", #"“x\””"#), ("a=b", "“a=b”"), ("\u{1B}[1A\u{1B}[2K", "\u{FFFD}[1A\u{FFFD}[2K"),
        ("one\u{2028}two\nthree\r\n\tfour", #"“one\ntwo\nthree\n\tfour”"#),
        ("👨‍👩‍👧", "👨‍👩‍👧"), ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"), ("\u{202E}evil", "\u{FFFD}evil"), ("plain", "plain"),
        (#"back\"#, #"“back\\”"#),
    ])
    func `prints what somebody chose as one value that it cannot end`(
        said: String,
        printed: String
    ) throws {
        let value = try String(decoding: JSONEncoder().encode(said), as: UTF8.self)
        let timeline = try Self.made(
            Self.entry(
                #""kind":"chat.message_sent/1","time":"2026-11-21T10:00:00.000000Z","says":[{"name":"text","state":"opened","value":\#(value)}]"#
            )
        )
        #expect(timeline.text().hasSuffix("text=\(printed)"))
    }

    @Test(arguments: [
        "2026-11-20T10:00:00Z", "2026-11-21T09:59:57Z", "2026-11-21T10:00:20Z",
        "2026-11-21T10:01:00Z", "14", "1e6",
    ])
    func `hands out no picture of another moment`(moment: String) throws {
        func chunk(_ time: String, _ first: Int, _ last: Int) -> String {
            Self.entry(
                #""kind":"stream.chunk_archived/1","time":"\#(time)","says":[],"file":{"name":"v.webm","offset":1,"length":1,"firstMilliseconds":\#(first),"lastMilliseconds":\#(last)}"#
            )
        }
        let started = Self.entry(
            #""kind":"stream.started/1","time":"2026-11-21T09:59:59.800000Z","says":[],"file":{"name":"v.webm"}"#
        )
        let timeline = try Self.made(
            [
                started, chunk("2026-11-21T10:00:02.000000Z", 153, 2_153),
                chunk("2026-11-21T10:00:40.000000Z", 10_000, 12_000),
                // Held up by the network: filmed at ten seconds past the minute, it is no picture of the time until it came.
                chunk("2026-11-21T10:01:40.000000Z", 12_033, 12_500),
            ].joined(separator: ",")
        )
        #expect {
            _ = try CaseFrame(at: moment, of: timeline, in: URL(filePath: "/nowhere"))
        } throws: { error in
            "\(error)".contains("was not possible: no video was archived then")
                || "\(error)".contains("has no picture then")
        }
    }

    @Test(arguments: [
        ("v.webm", "is not what was archived"), ("../v.webm", "leads out of the media folder"),
        ("/v.webm", "leads out of the media folder"),
    ])
    func `hands out no picture of another recording`(name: String, words: String) throws {
        let folder = try TemporaryFolder()
        for place in ["media/v.webm", "v.webm"] {
            let file = folder.url.appending(path: place)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data("somebody else's".utf8).write(to: file)
        }
        let digest = String(repeating: "0", count: 64)
        let timeline = try Self.made(
            Self.entry(
                #""kind":"stream.chunk_archived/1","time":"2026-11-21T10:00:02.000000Z","says":[],"file":{"name":"\#(name)","offset":0,"length":9,"firstMilliseconds":0,"lastMilliseconds":2000,"sha256":"\#(digest)"}"#
            )
        )
        #expect {
            _ = try CaseFrame(at: "1", of: timeline, in: folder.url)
        } throws: {
            "\($0)".contains(words)
        }
    }

    @Test func `of an unknown id is refused with the way out`() async throws {
        let ledger = try await AuditedLedger(events: 50)
        let run = try AuditedLedger.run(
            "timeline",
            "01890000-0000-7000-8000-000000000000",
            "--data",
            ledger.url.path
        )
        #expect(run.code == 2)
        #expect(run.errors.contains("check the id"))
    }
}
