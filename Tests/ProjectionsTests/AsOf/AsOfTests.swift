// SPDX-License-Identifier: Apache-2.0
import Events
import ProjectionsTesting
import Synchronization
import Testing

@testable import Projections

@Suite(.timeLimit(.minutes(10))) struct `The view as of a point` {
    @Test func `shows at every position what the live timeline showed then`() async throws {
        var evening = try Evening()
        let merged = try evening.mergeTwo()
        try evening.alertAboutAlert()
        let (round, alarmed) = try evening.walkRound()
        let ledger = try await Ledger(evening.script)
        let asOf = AsOf(EntrySource(ledger.log), keys: ledger.keys)
        let all = try ledger.log.entries(from: LogPosition(0))
        let decoder = PageDecoder([IncidentTimelineProjector()])
        for reference in [
            CaseReference(evening.first.incident), CaseReference(evening.second.session),
            CaseReference(merged.fourth.incident), CaseReference(round), CaseReference(alarmed),
        ] {
            for count in 1...all.count {
                let page = try #require(try decoder.page(of: Array(all.prefix(count))))
                let live = IncidentTimeline(
                    try await rows(of: IncidentTimelineProjector(), page.events)
                )
                let then = try await asOf.timeline(
                    of: reference,
                    at: .position(LogPosition(UInt64(count - 1)))
                )
                let expected = try await live.timeline(of: reference)
                let shown = try await then.timeline(of: reference)
                #expect(shown == expected, "\(reference) at \(count - 1)")
            }
        }
        await ledger.log.close()
    }

    @Test func `shows the desk and the messages as they were`() async throws {
        let evening = try Evening()
        let ledger = try await Ledger(evening.script)
        let asOf = AsOf(EntrySource(ledger.log), keys: ledger.keys)
        let reference = CaseReference(evening.first.session)
        let all = try ledger.log.entries(from: LogPosition(0))
        let claim = try #require(all.first { $0.envelope.kind == SessionClaimed.kind }?.envelope)
        let before = try #require(claim.position.previous)
        let earlier = try await asOf.operatorDesk(of: reference, at: .position(before))
        #expect(try await earlier.session(evening.first.session)?.owner == nil)
        let then = try await asOf.operatorDesk(of: reference, at: .time(claim.time))
        #expect(try await then.session(evening.first.session)?.owner == evening.operatorA)
        let messages = try await asOf.conversations(of: reference, at: .position(before))
        #expect(try await messages.messages(of: reference).map(\.state) == [.queued])
        let empty = try await asOf.timeline(of: reference, at: .position(LogPosition(0)))
        #expect(try await empty.timeline(of: reference).isEmpty)
        await ledger.log.close()
    }

    @Test func `does not take a session for the incident that somebody asked for by its id`()
        async throws
    {
        var evening = try Evening()
        let session = evening.first.session
        let reader = Actor.user(evening.operatorA, as: .operator)
        let read = AccessRead(
            reader: reader,
            resource: Subject(unchecked: "incident/\(session)"),
            purpose: "topic-opened",
            fields: []
        )
        try evening.script.record(.access(.read(read)), on: .access(reader))
        let ledger = try await Ledger(evening.script)
        let asOf = AsOf(EntrySource(ledger.log), keys: ledger.keys)
        let reference = CaseReference(session)
        let then = try await asOf.operatorDesk(of: reference, at: .position(ledger.last))
        #expect(try await then.session(session) != nil)
        let messages = try await asOf.conversations(of: reference, at: .position(ledger.last))
        #expect(try await !messages.messages(of: reference).isEmpty)
        await ledger.log.close()
    }

    @Test func `is refused when the case has more entries than it may read`() async throws {
        var script = EventScript()
        let opened = try script.openSession()
        for number in 0..<400 {
            _ = try script.say("\(number)", in: opened.session, from: .caller, of: opened.caller)
        }
        let ledger = try await Ledger(script)
        let source = EntrySource(ledger.log)
        let reference = CaseReference(opened.incident)
        let point = AsOf.Point.position(ledger.last)
        let narrow = AsOf(source, keys: ledger.keys, entriesMax: 400)
        await #expect(throws: CaseTooLarge(entriesMax: 400)) {
            try await narrow.timeline(of: reference, at: point)
        }
        let early = AsOf.Point.position(LogPosition(200))
        let part = try await narrow.conversations(of: reference, at: early)
        #expect(try await part.messages(of: reference, limit: 1_000).count == 198)
        let wide = AsOf(source, keys: ledger.keys, entriesMax: 420)
        _ = try await wide.timeline(of: reference, at: point)
        await ledger.log.close()
    }

    @Test func `ends between two pages when nobody wants it any more`() async throws {
        var script = EventScript()
        let opened = try script.openSession()
        for number in 0..<700 {
            _ = try script.say("\(number)", in: opened.session, from: .caller, of: opened.caller)
        }
        let ledger = try await Ledger(script)
        let log = ledger.log
        let pages = Mutex(0)
        let whole = EntrySource(log)
        let source = EntrySource(
            origin: whole.origin,
            size: whole.size,
            page: whole.page,
            ofSubject: { subject, revision in
                // Whoever asked leaves while the second page of a subject is read.
                if revision != Revision(0) {
                    pages.withLock { $0 += 1 }
                    withUnsafeCurrentTask { $0?.cancel() }
                }
                return try whole.ofSubject(subject, revision)
            },
            linkedTo: whole.linkedTo
        )
        let reading = Task {
            try await AsOf(source, keys: ledger.keys)
                .conversations(of: CaseReference(opened.session), at: .position(ledger.last))
        }
        await #expect(throws: CancellationError.self) { _ = try await reading.value }
        #expect(pages.withLock { $0 } == 1)
        await log.close()
    }

    @Test(arguments: ["7", "2026-11-21T13:11:00.000000Z"])
    func `reads a point from a position or a time`(_ text: String) {
        #expect(AsOf.Point(text)?.description == text)
        #expect(AsOf.Point("yesterday") == nil)
    }
}
