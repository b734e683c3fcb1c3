// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

@testable import Commands

@Suite(.tags(.promise8)) struct `A push to a caller` {
    @Test func `tells of an opened session until its limit, unless something started`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.video()
        let device = try ledger.subscribedDevice(of: scene.caller, admittedTo: scene.session)
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
        let device = try ledger.subscribedDevice(of: scene.caller, admittedTo: scene.session)
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
        let device = try ledger.subscribedDevice(of: scene.caller, admittedTo: scene.session)
        let request = try ledger.request(.stopVideo, in: scene)
        try ledger.expectRefusal("push-overtaken") {
            try ledger.run(QueuePush(to: device, about: .request(request), in: scene.session))
        }
    }

    @Test func `tells of a message until it is delivered, and of a chat once a minute`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.claimedChat()
        let device = try ledger.subscribedDevice(of: scene.caller, admittedTo: scene.session)
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
        let own = try ledger.subscribedDevice(of: scene.caller, admittedTo: scene.session)
        try ledger.run(RevokeDevice(own, reason: "stolen"))
        for device in [other, own] {
            try ledger.expectRefusal("push-not-subscribed") {
                try ledger.run(QueuePush(to: device, about: .opening, in: scene.session))
            }
        }
    }

    @Test
    func `tells a newer phone of no session that began before it, unless an older one agreed`()
        throws
    {
        let ledger = MemoryLedger()
        let caller = ledger.person()
        let old = try ledger.device(of: caller)
        ledger.wait(.seconds(1))
        let chat = try ledger.run(StartChat(caller: caller), as: .device(old)).session
        try ledger.run(ClaimSession(chat, by: .sam))
        let scene = Scene(session: chat, caller: caller)
        ledger.wait(.seconds(1))
        let new = try ledger.subscribedDevice(of: caller)
        let message = try ledger.run(ledger.message(in: scene, as: "t1", from: .operator(.sam)))
        let push = QueuePush(to: new, about: .message(message), in: chat)
        try ledger.expectRefusal("push-not-subscribed") { try ledger.run(push) }
        try ledger.run(AdmitDevice(new, to: nil), as: .device(old))
        let alert = try ledger.run(push)
        #expect(ledger.queued(alert)?.push == new)
        // With the phone its word ends.
        try ledger.run(RevokeDevice(old, reason: "stolen"))
        ledger.wait(.seconds(60))
        try ledger.expectRefusal("push-not-subscribed") { try ledger.run(push) }
    }

    @Test func `tells the guest of a link, until another owner talks to the caller beside it`()
        throws
    {
        let ledger = MemoryLedger()
        let caller = ledger.person()
        let own = try ledger.subscribedDevice(of: caller)
        ledger.wait(.seconds(1))
        let chat = try ledger.run(StartChat(caller: caller, phone: .first), as: .device(own))
            .session
        let scene = Scene(session: chat, caller: caller)
        try ledger.run(ClaimSession(chat, by: .sam))
        try ledger.run(ledger.message(in: scene, as: "c1"), as: .device(own))
        let opening = ledger.opening(try ledger.link(to: scene), of: scene)
        try ledger.run(opening)
        try ledger.run(SubscribePush(opening.device, by: ledger.id(), endpoint: .sample()))
        // That somebody of the centre agreed to it makes the caller's own phone nobody's guest.
        try ledger.run(AdmitDevice(own, to: chat), as: .user(.sam, as: .operator))
        let first = try ledger.run(ledger.message(in: scene, as: "t1", from: .operator(.sam)))
        try ledger.run(QueuePush(to: opening.device, about: .message(first), in: chat))
        try ledger.run(ReleaseSession(chat, by: .sam))
        try ledger.run(ClaimSession(chat, by: .john))
        ledger.wait(.seconds(60))
        let next = try ledger.run(ledger.message(in: scene, as: "t2", from: .operator(.john)))
        try ledger.expectRefusal("push-not-subscribed") {
            try ledger.run(QueuePush(to: opening.device, about: .message(next), in: chat))
        }
        try ledger.run(QueuePush(to: own, about: .message(next), in: chat))
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
