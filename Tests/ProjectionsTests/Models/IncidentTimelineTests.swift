// SPDX-License-Identifier: Apache-2.0
import Events
import ProjectionsTesting
import Testing

@testable import Projections

@Suite struct `The incident timeline` {
    private func timeline(_ script: EventScript) async throws -> IncidentTimeline {
        IncidentTimeline(try await rows(of: IncidentTimelineProjector(), script.events))
    }

    @Test func `holds exactly the entries of the incident's subjects, each once and in order`()
        async throws
    {
        let evening = try Evening()
        let timeline = try await timeline(evening.script)
        let entries = try await timeline.timeline(of: CaseReference(evening.first.incident))
        let subjects: Set<Subject> = [
            .incident(evening.first.incident), .session(evening.first.session),
            .session(evening.second.session), .stream(evening.stream), .alert(evening.alert),
        ]
        let expected = evening.script.events.filter { subjects.contains($0.envelope.subject) }
        #expect(entries.map(\.position) == expected.map(\.envelope.position))
        #expect(entries.map(\.kind) == expected.map(\.envelope.kind))
        #expect(
            Set(try await timeline.subjects(of: CaseReference(evening.first.incident))) == subjects
        )
    }

    @Test func `keeps what a session that moved did where it came from, and that it left`()
        async throws
    {
        var evening = try Evening()
        _ = try evening.script.say(
            "moved",
            in: evening.second.session,
            from: .caller,
            of: evening.first.caller
        )
        let timeline = try await timeline(evening.script)
        let left = try await timeline.timeline(of: CaseReference(evening.second.incident))
        let subjects: Set<Subject> = [
            .incident(evening.second.incident), .session(evening.second.session),
            .stream(evening.stream),
        ]
        let all = evening.script.events.filter { subjects.contains($0.envelope.subject) }
        let move = try #require(
            evening.script.events.first { event in
                guard case .incident(.sessionLinked(let fact)) = event.fact else { return false }
                return fact.session == evening.second.session
                    && event.envelope.subject == .incident(evening.first.incident)
            }
        ).envelope.position
        #expect(
            left.map(\.position) == all.map(\.envelope.position).filter { $0 < move } + [move]
        )
        #expect(left.last?.subject == .incident(evening.first.incident))
        #expect(left.allSatisfy { !$0.isEarlier })
        let joined = try await timeline.timeline(of: CaseReference(evening.first.incident))
            .filter { subjects.contains($0.subject) }
        let own = all.filter { $0.envelope.subject.category != "incident" }
        #expect(joined.map(\.position) == own.map(\.envelope.position))
        #expect(joined.map(\.isEarlier) == joined.map { $0.position < move })
    }

    @Test func `shows nothing that a session did after it left, and goes on where it went`()
        async throws
    {
        var evening = try Evening()
        try evening.unlinkSecond()
        let timeline = try await timeline(evening.script)
        let last = try #require(evening.script.events.last).envelope
        let left = try await timeline.timeline(of: CaseReference(evening.first.incident))
        #expect(!left.map(\.position).contains(last.position))
        #expect(left.contains { $0.subject == last.subject })
        let back = try await timeline.timeline(of: CaseReference(evening.second.incident))
        #expect(back.last?.position == last.position)
        #expect(back.last?.isEarlier == false)
    }

    @Test func `has what an incident merged into it has, also what that had before and gets later`()
        async throws
    {
        var evening = try Evening()
        let (third, fourth) = try evening.mergeTwo()
        let timeline = try await timeline(evening.script)
        let subjects: Set<Subject> = [
            .incident(evening.first.incident), .session(evening.first.session),
            .session(evening.second.session), .stream(evening.stream), .alert(evening.alert),
            .incident(third.incident), .session(third.session),
            .incident(fourth.incident), .session(fourth.session),
        ]
        let reference = CaseReference(evening.first.incident)
        #expect(Set(try await timeline.subjects(of: reference)) == subjects)
        // What was taken out again is there with what it did until then, and with how it and its session left.
        let leaving: Set<Subject> = [.incident(fourth.incident), .session(fourth.session)]
        let left = try #require(
            evening.script.events.first { $0.envelope.kind == IncidentUnmerged.kind }
        ).envelope.position
        let expected = evening.script.events.filter { event in
            let place = event.envelope
            return subjects.contains(place.subject)
                && (place.position <= left || !leaving.contains(place.subject)
                    || place.kind == IncidentSessionLinked.kind)
        }
        let entries = try await timeline.timeline(of: reference)
        #expect(entries.map(\.position) == expected.map(\.envelope.position))
        let old = try await timeline.timeline(of: CaseReference(third.incident))
        #expect(Set(old.map(\.subject)).contains(.incident(fourth.incident)))
        let elsewhere = old.filter { $0.subject == .incident(evening.first.incident) }
        #expect(elsewhere.map(\.kind) == [IncidentSessionLinked.kind, IncidentSessionLinked.kind])
    }

    @Test func `of a round has the scans and alarms on it, and no others at its points`()
        async throws
    {
        var evening = try Evening()
        let round = try evening.walkRound().round
        let live = IncidentTimeline(
            try await rows(of: IncidentTimelineProjector(), evening.script.events)
        )
        let entries = try await live.timeline(of: CaseReference(round))
        #expect(
            entries.map(\.kind.text) == [
                "round.started/1", "patrol.check_in_refused/1", "patrol.checked_in/1",
                "round.point_reached/1", "guard.alarm_raised/1", "call_out.opened/1",
                "guard.alarm_answered/1",
            ]
        )
        #expect(entries.allSatisfy { !$0.isEarlier })
    }

    @Test func `of an incident that was a guard's alarm has the alarm, and whom it called`()
        async throws
    {
        var evening = try Evening()
        let incident = try evening.walkRound().incident
        let timeline = try await timeline(evening.script)
        let entries = try await timeline.timeline(of: CaseReference(incident))
        #expect(
            entries.map(\.kind.text) == [
                "guard.alarm_raised/1", "call_out.opened/1", "guard.alarm_answered/1",
                "incident.opened/1",
            ]
        )
        #expect(entries.map(\.isEarlier) == [true, true, false, false])
    }

    @Test func `takes a session's id for its present incident, a stream's and an alert's, too`()
        async throws
    {
        let evening = try Evening()
        let timeline = try await timeline(evening.script)
        let ids = [
            evening.first.session.description, evening.second.session.description,
            evening.stream.description, evening.alert.description,
        ]
        for id in ids {
            let root = try await timeline.root(of: try #require(CaseReference(id)))
            #expect(root == .incident(evening.first.incident))
        }
        let report = try await timeline.timeline(of: CaseReference(evening.report))
        #expect(report.map(\.kind) == [ReportSubmitted.kind, ReportStatusChanged.kind])
    }

    @Test func `shows file ranges, device times and skew`() async throws {
        let evening = try Evening()
        let entries = try await timeline(evening.script)
            .timeline(of: CaseReference(evening.first.incident))
        let chunk = try #require(entries.first { $0.kind == StreamChunkArchived.kind })
        #expect(chunk.file?.name == "2026/11/2026-11-21-13-11-0.webm")
        #expect(chunk.file?.offset == 4_096)
        #expect(chunk.file?.length == 125_000)
        let place = try #require(entries.first { $0.kind == LocationReported.kind })
        #expect(place.skew == .seconds(1))
        #expect(chunk.skew == nil)
    }

    @Test func `keeps personal parts of the summary sealed`() async throws {
        let evening = try Evening()
        let entries = try await timeline(evening.script)
            .timeline(of: CaseReference(evening.first.incident))
        let message = try #require(entries.first { $0.kind == ChatMessageSent.kind })
        let text = try #require(message.summary.first { $0.name == "text" })
        guard case .sealed(let field) = text.value else {
            Issue.record("the text is in the clear: \(text.value)")
            return
        }
        let opened = try Sealed<String>.closed(field).opened(with: evening.script.keys)
        #expect(opened.value == "Help, smoke")
    }

    @Test func `pages by position`() async throws {
        let evening = try Evening()
        let timeline = try await timeline(evening.script)
        let reference = CaseReference(evening.first.incident)
        let all = try await timeline.timeline(of: reference)
        var paged: [TimelineEntry] = []
        while let page = Optional(
            try await timeline.timeline(of: reference, after: paged.last?.position, limit: 5)
        ),
            !page.isEmpty
        {
            #expect(page.count <= 5)
            paged += page
        }
        #expect(paged == all)
    }

    @Test(arguments: ["plain", "two\nlines", "back\\slash\\n", "a=b~c", ""])
    func `reads a summary back whatever its values hold`(_ value: String) {
        let parts = [
            SummaryPart(name: "first", value: .text(value)),
            SummaryPart(name: "second", value: .text("2")),
        ]
        #expect(SummaryText.parts(of: SummaryText(parts).text) == parts)
    }
}
