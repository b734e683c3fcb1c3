// SPDX-License-Identifier: Apache-2.0
import Events
import ProjectionsTesting
import Testing

@testable import Projections

@Suite struct `The deadlines` {
    private func deadlines(_ script: EventScript) async throws -> Deadlines {
        Deadlines(try await rows(of: DeadlinesProjector(), script.events))
    }

    @Test func `name a session at its limit and not a microsecond before`() async throws {
        var script = EventScript()
        let opened = try script.openSession(channel: .video, by: .operator, limitSeconds: 120)
        _ = try script.openSession()
        let deadlines = try await deadlines(script)
        let limit = try #require(try await deadlines.next(silence: .seconds(5), end: .seconds(600)))
        let before = Timestamp(microseconds: limit.microseconds - 1)
        #expect(try await deadlines.expiredStarts(at: before).isEmpty)
        let due = try await deadlines.expiredStarts(at: limit)
        #expect(due.map(\.session) == [opened.session])
        #expect(due.first?.event == script.events[0].envelope.id)
    }

    @Test(arguments: [(Party.caller, 0), (.operator, 1)])
    func `forget a session in which its caller wrote, and none in which the operator did`(
        writer: Party,
        left: Int
    ) async throws {
        for isPicture in [false, true] {
            var script = EventScript()
            let opened = try script.openSession(channel: .video, by: .operator, limitSeconds: 120)
            if isPicture {
                _ = try script.show(in: opened.session, from: writer, of: opened.caller)
            } else {
                _ = try script.say("hello", in: opened.session, from: writer, of: opened.caller)
            }
            let far = Timestamp(microseconds: .max)
            #expect(try await deadlines(script).expiredStarts(at: far).count == left)
        }
    }

    @Test func `forget a session that started, expired or closed`() async throws {
        let far = Timestamp(microseconds: .max)
        for ending in 0..<3 {
            var script = EventScript()
            let opened = try script.openSession(channel: .video, by: .operator, limitSeconds: 120)
            switch ending {
            case 0: _ = try script.startStream(in: opened.session, opened.incident, opened.caller)
            case 1:
                try script.record(
                    .session(.expired(SessionExpired(caller: opened.caller, reason: .startLimit))),
                    on: .session(opened.session)
                )
            default:
                try script.record(
                    .session(
                        .closed(
                            SessionClosed(
                                caller: opened.caller,
                                by: .operator,
                                disposition: "handled"
                            )
                        )
                    ),
                    on: .session(opened.session)
                )
            }
            #expect(try await deadlines(script).expiredStarts(at: far).isEmpty)
        }
    }

    @Test(
        arguments: [
            (isStarted: false, isClaimed: false, due: 1),
            (isStarted: true, isClaimed: false, due: 0),
            (isStarted: false, isClaimed: true, due: 0),
        ]
    )
    func `name a wish for video once it is over, where nothing started and nobody came`(
        isStarted: Bool,
        isClaimed: Bool,
        due: Int
    ) async throws {
        var script = EventScript()
        let (session, _, caller) = try script.openSession()
        if isStarted {
            let fix = Fix(latitude: 51.5, longitude: -0.39, accuracyMetres: 12)
            let reported = LocationReported(
                person: caller,
                fix: .open(fix, of: caller),
                method: "gps"
            )
            try script.record(.location(.reported(reported)), on: .session(session))
        }
        // The second one replaces the first.
        var limit = script.now
        for _ in 0..<2 {
            limit = script.now + .seconds(120)
            let wished = SessionVideoWished(caller: caller, expiresAt: limit)
            try script.record(.session(.videoWished(wished)), on: .session(session))
        }
        let wish = try #require(script.events.last?.envelope.id)
        if isClaimed { try script.claim(session, by: UserID(unchecked: "7")) }
        let deadlines = try await deadlines(script)
        let found = try await deadlines.expiredStarts(at: limit)
        #expect(found.map(\.event) == Array(repeating: wish, count: due))
        let next = try await deadlines.next(silence: .seconds(5), end: .seconds(600))
        #expect(next == (due == 0 ? nil : limit))
    }

    @Test func `name a live stream that fell silent, by its last chunk`() async throws {
        var script = EventScript()
        let opened = try script.openSession()
        let stream = try script.startStream(in: opened.session, opened.incident, opened.caller)
        try script.archiveChunk(0, of: stream)
        let last = try #require(script.events.last)
        let deadlines = try await deadlines(script)
        let silent = try await deadlines.streams(.live, silentSince: last.envelope.time)
        #expect(silent.map(\.stream) == [stream])
        #expect(silent.first?.event == last.envelope.id)
        let earlier = Timestamp(microseconds: last.envelope.time.microseconds - 1)
        #expect(try await deadlines.streams(.live, silentSince: earlier).isEmpty)
    }

    @Test func `forget a wish to show video that was withdrawn`() async throws {
        var script = EventScript()
        let opened = try script.openSession()
        let wished = SessionVideoWished(
            caller: opened.caller,
            expiresAt: script.now + .seconds(120)
        )
        try script.record(.session(.videoWished(wished)), on: .session(opened.session))
        let far = Timestamp(microseconds: .max)
        #expect(try await deadlines(script).expiredStarts(at: far).count == 1)
        let withdrawn = SessionVideoWishWithdrawn(caller: opened.caller)
        try script.record(.session(.videoWishWithdrawn(withdrawn)), on: .session(opened.session))
        #expect(try await deadlines(script).expiredStarts(at: far).isEmpty)
    }

    @Test func `keep requests until they are answered`() async throws {
        var script = EventScript()
        let opened = try script.openSession()
        let request: RequestID = script.id()
        let limit = script.now + .seconds(60)
        try script.record(
            .session(
                .requestSent(
                    SessionRequestSent(request: request, ask: .sendLocation, expiresAt: limit)
                )
            ),
            on: .session(opened.session)
        )
        #expect(try await deadlines(script).expiredRequests(at: limit).map(\.request) == [request])
        try script.record(
            .session(.requestAnswered(SessionRequestAnswered(request: request, answer: .accepted))),
            on: .session(opened.session)
        )
        #expect(try await deadlines(script).expiredRequests(at: limit).isEmpty)
    }

    @Test func `let the requests of a session that ended be due at once`() async throws {
        var script = EventScript()
        let opened = try script.openSession()
        let request: RequestID = script.id()
        let asked = SessionRequestSent(
            request: request,
            ask: .startVideo,
            expiresAt: script.now + .seconds(60)
        )
        try script.record(.session(.requestSent(asked)), on: .session(opened.session))
        let closed = SessionClosed(
            caller: opened.caller,
            by: .operator,
            owner: nil,
            disposition: "handled"
        )
        try script.record(.session(.closed(closed)), on: .session(opened.session))
        let end = try #require(script.events.last?.envelope.time)
        let due = try await deadlines(script).expiredRequests(at: end)
        #expect(due.map(\.request) == [request])
        #expect(due.first?.expiresAt == end)
    }

    @Test func `know the policies with their numbers and from where they act`() async throws {
        var script = EventScript()
        let enabled = PolicyEnabled(
            policy: "stream-silence",
            settings: ["interruptSeconds": 5, "stopSeconds": 600]
        )
        try script.record(.policy(.enabled(enabled)), on: .policy("stream-silence"))
        let policy = try #require(try await deadlines(script).policy("stream-silence"))
        #expect(policy.settings == ["interruptSeconds": 5, "stopSeconds": 600])
        #expect(policy.position == LogPosition(0))
        #expect(try await deadlines(script).policies().count == 1)
    }
}
