// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@testable import Commands

@Suite struct `A push to a caller` {
    @Test func `tells of an opened session until its limit, unless something started`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.video()
        let device = try ledger.subscribedDevice(of: scene.caller)
        ledger.wait(.milliseconds(20_500))
        let alert = try ledger.run(QueuePush(to: device, about: .opening, in: scene.session))
        let queued = try #require(ledger.queued(alert))
        #expect(queued.template == "video_call")
        #expect(queued.timeToLiveSeconds == 99)
        #expect(queued.push == device)
        try ledger.stream(in: scene)
        try ledger.expectRefusal("push-overtaken") {
            try ledger.run(QueuePush(to: device, about: .opening, in: scene.session))
        }
    }

    @Test(arguments: [
        (SessionRequestSent.Ask.startVideo, "video_call"), (.sendLocation, "location"),
    ])
    func `tells of a request until it is answered`(
        ask: SessionRequestSent.Ask,
        template: String
    ) throws {
        let ledger = MemoryLedger()
        let scene = try ledger.claimedChat()
        let device = try ledger.subscribedDevice(of: scene.caller)
        let request = try ledger.request(ask, in: scene)
        let push = QueuePush(to: device, about: .request(request), in: scene.session)
        let alert = try ledger.run(push)
        #expect(ledger.queued(alert)?.template == template)
        try ledger.run(
            AnswerRequest(
                request,
                in: scene.session,
                by: .caller(scene.caller),
                answer: .declined
            )
        )
        try ledger.expectRefusal("push-overtaken") { try ledger.run(push) }
    }

    @Test func `never tells to stop the video, for who films has the page open`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.claimedChat()
        let device = try ledger.subscribedDevice(of: scene.caller)
        let request = try ledger.request(.stopVideo, in: scene)
        try ledger.expectRefusal("push-overtaken") {
            try ledger.run(QueuePush(to: device, about: .request(request), in: scene.session))
        }
    }

    @Test func `tells of a message until it is delivered, and of a chat once a minute`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.claimedChat()
        let device = try ledger.subscribedDevice(of: scene.caller)
        let first = try ledger.run(ledger.message(in: scene, as: "t1", from: .operator(.sam)))
        let second = try ledger.run(ledger.message(in: scene, as: "t2", from: .operator(.sam)))
        let push = { QueuePush(to: device, about: .message($0), in: scene.session) }
        let alert = try ledger.run(push(first))
        #expect(ledger.queued(alert)?.template == "chat")
        #expect(try ledger.run(push(second)) == alert)
        ledger.wait(.seconds(60))
        #expect(try ledger.run(push(second)) != alert)
        try ledger.run(MarkDelivered(second, in: scene.session, to: .caller(scene.caller)))
        try ledger.expectRefusal("push-overtaken") { try ledger.run(push(second)) }
    }

    @Test func `goes to nobody else's device, and to none that was revoked`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.video()
        let other = try ledger.subscribedDevice(of: ledger.person())
        let own = try ledger.subscribedDevice(of: scene.caller)
        try ledger.run(RevokeDevice(own, reason: "stolen"))
        for device in [other, own] {
            try ledger.expectRefusal("push-not-subscribed") {
                try ledger.run(QueuePush(to: device, about: .opening, in: scene.session))
            }
        }
    }

    @Test func `that the push service no longer knows ends that subscription, not a newer one`()
        throws
    {
        let ledger = MemoryLedger()
        let device = try ledger.device(of: ledger.person())
        let (old, new): (PushSubscriptionID, PushSubscriptionID) = (ledger.id(), ledger.id())
        try ledger.run(SubscribePush(device, by: old, endpoint: .sample(1)))
        try ledger.run(SubscribePush(device, by: new, endpoint: .sample(2)))
        try ledger.run(EndPush(on: device, .expired(old, status: 410)))
        #expect(try ledger.state(Device.self, device).push == new)
        try ledger.run(EndPush(on: device, .expired(new, status: 404)))
        #expect(try ledger.state(Device.self, device).push == nil)
    }

    @Test func `is under way from the attempt's beginning to its end`() throws {
        let ledger = MemoryLedger()
        let alert = try ledger.alert()
        try ledger.run(BeginAlertAttempt(alert, by: .sms, attempt: 1))
        #expect(try ledger.state(Alert.self, alert).parts[.sms]?.isUnderWay == true)
        let failed = AlertFailed(
            channel: .sms,
            attempt: 1,
            permanence: .unknown,
            error: "the gateway ended",
            retryAfterSeconds: 2
        )
        try ledger.run(RecordAlertAttempt(alert, .failed(failed)))
        #expect(try ledger.state(Alert.self, alert).parts[.sms]?.isUnderWay == false)
        try ledger.run(BeginAlertAttempt(alert, by: .sms, attempt: 2))
    }
}

extension MemoryLedger {
    fileprivate func queued(_ alert: AlertID) -> AlertQueued? {
        events.first { $0.envelope.subject == .alert(alert) }?.fact.payload as? AlertQueued
    }

    fileprivate func expectRefusal(_ slug: String, _ body: () throws -> Void) throws {
        do {
            try body()
            Issue.record("not refused: \(slug)")
        } catch let refusal as any CommandRefusal {
            #expect(refusal.problem.slug == slug)
        }
    }
}
