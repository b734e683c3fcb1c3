// SPDX-License-Identifier: Apache-2.0
import Events
import ProjectionsTesting
import TestSupport
import Testing

@testable import Projections

@Suite(.tags(.promise8)) struct `What is to be pushed` {
    private let always = Timestamp(microseconds: 0)...Timestamp(microseconds: .max)

    private func pushes(_ script: EventScript) async throws -> Pushes {
        Pushes(try await rows(of: PushesProjector(), script.events))
    }

    private func due(_ script: EventScript) async throws -> [PushCause] {
        try await pushes(script).due(at: script.now, messages: always).map(\.cause)
    }

    @Test func `is each thing once for each device that takes pushes, the oldest first`()
        async throws
    {
        var script = EventScript()
        let called = try script.openSession(channel: .video, by: .operator, limitSeconds: 120)
        let request = try script.ask(.sendLocation, in: called.session)
        try script.ask(.stopVideo, in: called.session)
        #expect(try await due(script).isEmpty)
        let devices = [try script.subscribe(called.caller), try script.subscribe(called.caller)]
        _ = try script.subscribe(script.person())
        let found = try await pushes(script).due(at: script.now, messages: always)
        #expect(found.map(\.cause) == [.opening, .opening, .request(request), .request(request)])
        #expect(Set(found.map(\.device)) == Set(devices))
    }

    @Test func `is nothing any more once something started, was answered, delivered or closed`()
        async throws
    {
        var script = EventScript()
        let called = try script.openSession(channel: .video, by: .operator, limitSeconds: 120)
        _ = try script.subscribe(called.caller)
        let request = try script.ask(.startVideo, in: called.session)
        let message = try script.say(
            "hello",
            in: called.session,
            from: .operator,
            of: called.caller
        )
        _ = try script.say("yes", in: called.session, from: .caller, of: called.caller)
        #expect(try await due(script) == [.opening, .request(request), .message(message)])
        _ = try script.startStream(in: called.session, called.incident, called.caller)
        #expect(try await due(script) == [.request(request), .message(message)])
        let delivered = ChatMessageDelivered(message: message, to: .caller)
        try script.record(.chat(.messageDelivered(delivered)), on: .session(called.session))
        #expect(try await due(script) == [.request(request)])
        let closed = SessionClosed(caller: called.caller, by: .operator, disposition: "handled")
        try script.record(.session(.closed(closed)), on: .session(called.session))
        #expect(try await due(script).isEmpty)
    }

    @Test func `ends for a device that takes no more, by whatever way`() async throws {
        for end in 0..<4 {
            var script = EventScript()
            let called = try script.openSession(channel: .video, by: .operator, limitSeconds: 120)
            let subscription: PushSubscriptionID = script.id()
            let device = try script.subscribe(called.caller, by: subscription)
            let facts: [DeviceEvent] = [
                .pushUnsubscribed(
                    PushUnsubscribed(subscription: subscription, person: called.caller)
                ),
                .pushExpired(
                    PushExpired(subscription: subscription, person: called.caller, status: 410)
                ),
                .revoked(DeviceRevoked(person: called.caller, reason: "lost")),
                // Of an older subscription: the newer one stays.
                .pushExpired(
                    PushExpired(subscription: script.id(), person: called.caller, status: 410)
                ),
            ]
            try script.record(.device(facts[end]), on: .device(device))
            #expect(try await due(script).isEmpty == (end < 3))
        }
    }

    @Test
    func `is tried again when its time has come, and looked at again while its end is unknown`()
        async throws
    {
        var script = EventScript()
        let called = try script.openSession(channel: .video, by: .operator, limitSeconds: 120)
        let device = try script.subscribe(called.caller)
        let opening = try #require(script.events.first { $0.envelope.kind == SessionCreated.kind })
        let alert: AlertID = script.id()
        let queued = AlertQueued(
            cause: .session(called.session),
            severity: .critical,
            template: "t",
            contact: called.caller,
            push: device,
            deduplicationKey: "k",
            timeToLiveSeconds: 110
        )
        let event = opening.envelope.id
        try script.record(.alert(.queued(queued)), on: .alert(alert), because: event)
        func open(_ seconds: Int) async throws -> [Bool] {
            try await pushes(script).open(at: script.now + .seconds(seconds)).map(\.isUnderWay)
        }
        #expect(try await open(0) == [false])
        let begun = AlertDeliveryAttempted(channel: .push, attempt: 1)
        try script.record(.alert(.deliveryAttempted(begun)), on: .alert(alert))
        #expect(try await open(0) == [true])
        let failed = AlertFailed(
            channel: .push,
            attempt: 1,
            permanence: .temporary,
            error: "busy",
            retryAfterSeconds: 30
        )
        try script.record(.alert(.failed(failed)), on: .alert(alert))
        #expect(try await open(29).isEmpty)
        #expect(try await open(30) == [false])
        let again = AlertDeliveryAttempted(channel: .push, attempt: 2)
        try script.record(.alert(.deliveryAttempted(again)), on: .alert(alert))
        #expect(try await open(0) == [true])
        let sent = AlertSent(channel: .push, attempt: 2, providerID: "201")
        try script.record(.alert(.sent(sent)), on: .alert(alert))
        #expect(try await open(3_600).isEmpty)
    }

    @Test func `is found without a look at every push ever made`() async throws {
        let database = try await pushes(EventScript()).database
        let plan = try await database.read { view in
            try view.all(
                "EXPLAIN QUERY PLAN " + DuePush.selection,
                Timestamp(microseconds: 0),
                Timestamp(microseconds: 0),
                Timestamp(microseconds: 0)
            ) { row in
                _ = try (row.integer(), row.integer(), row.integer())
                return try row.text()
            }
        }
        let looks = plan.filter { $0.contains(" delivery ") }
        #expect(looks.count == 2, "\(plan)")
        #expect(looks.allSatisfy { $0.hasPrefix("SEARCH delivery USING") }, "\(plan)")
        #expect(!plan.contains { $0.contains("AUTOMATIC") }, "\(plan)")
    }
}

extension EventScript {
    @discardableResult
    fileprivate mutating func ask(
        _ ask: SessionRequestSent.Ask,
        in session: SessionID
    ) throws -> RequestID {
        let request: RequestID = id()
        let sent = SessionRequestSent(request: request, ask: ask, expiresAt: now + .seconds(120))
        try record(.session(.requestSent(sent)), on: .session(session))
        return request
    }

    fileprivate mutating func subscribe(
        _ person: PersonID,
        by subscription: PushSubscriptionID? = nil
    ) throws -> DeviceID {
        let device: DeviceID = id()
        let subscribed = PushSubscribed(
            subscription: subscription ?? id(),
            person: person,
            endpoint: .open(SHA256Digest(bytes: [UInt8](repeating: 7, count: 32)), of: person)
        )
        try record(.device(.pushSubscribed(subscribed)), on: .device(device))
        return device
    }
}
