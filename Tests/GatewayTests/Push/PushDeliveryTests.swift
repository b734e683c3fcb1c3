// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import HTTPTypes
import Projections
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise8), .timeLimit(.minutes(10))) struct `Telling a phone by Web Push` {
    @Test func `that an operator opened a session, in the source's words, before its limit`()
        async throws
    {
        try await LoopbackPushService.run { service, origin in
            try await PushScene.run(at: origin) { scene in
                let session = try await scene.open()
                let push = try await service.next()
                let created = try #require(try scene.gateway.events("session.created/1").first)
                #expect(
                    try push.members(for: scene.keys) == [
                        "message_type": "video_call",
                        "session_created_timestamp": created.envelope.time.description,
                        "session_time_limit": try push.members(for: scene.keys)[
                            "session_time_limit"
                        ] ?? "",
                    ]
                )
                let limit = try push.members(for: scene.keys)["session_time_limit"]
                #expect(["00:02:00", "00:01:59"].contains(limit))
                let seconds = try #require(push.header("TTL").flatMap { Int($0) })
                #expect((1...120).contains(seconds))
                #expect(push.header("Urgency") == "high")
                #expect(push.header("Topic")?.utf8.count == 32)
                #expect(push.header("Content-Encoding") == "aes128gcm")
                let (claims, key) = try push.provenClaims()
                #expect(claims["aud"] as? String == origin)
                #expect(claims["sub"] as? String == "https://test.example/main")
                let told = try await scene.phone.get("/v1/push/key").text("key")
                #expect(key == told)

                let sent = try await scene.gateway.wait(for: 1, of: AlertSent.kind)
                let alert = sent[0].envelope.subject
                let entries = try scene.gateway.ledger.log.entries(of: alert)
                #expect(
                    entries.map(\.envelope.kind.text) == [
                        "alert.queued/1", "alert.delivery_attempted/1", "alert.sent/1",
                    ]
                )
                #expect(entries[0].envelope.causation == created.envelope.id)
                #expect(created.envelope.subject.text == "session/\(session)")
            }
        }
    }

    @Test func `leaves nothing of the subscription in the ledger`() async throws {
        try await LoopbackPushService.run { service, origin in
            try await PushScene.run(at: origin) { scene in
                _ = try await scene.open()
                _ = try await service.next()
                _ = try await scene.gateway.wait(for: 1, of: AlertSent.kind)
                let log = scene.gateway.ledger.log
                for entry in try log.entries(from: LogPosition(0), limit: 1_000) {
                    let text = String(decoding: entry.bytes, as: UTF8.self)
                    #expect(!text.contains("a-secret-path") && !text.contains(scene.keys.auth))
                    #expect(!text.contains("127.0.0.1"))
                }
                let fact = try scene.gateway.events(PushSubscribed.kind).first?.fact.payload
                let subscribed = try #require(fact as? PushSubscribed)
                let digest = try subscribed.endpoint.opened(
                    with: scene.gateway.ledger.keys.unrecorded(.compared)
                ).value
                #expect(try digest == PushEndpoint(scene.endpoint, within: .machine).digest)
            }
        }
    }

    @Test func `that video or the place is asked for, but not that video is to stop`() async throws
    {
        try await LoopbackPushService.run { service, origin in
            try await PushScene.run(at: origin) { scene in
                let session = try await scene.open()
                #expect(
                    try await service.next().members(for: scene.keys)["message_type"]
                        == "video_call"
                )
                for (ask, type) in [("start_video", "video_call"), ("send_location", "location")] {
                    #expect(try await scene.ask("stop_video", in: session).status != 500)
                    #expect(try await scene.ask(ask, in: session).status == 201)
                    let push = try await service.next()
                    #expect(try push.members(for: scene.keys)["message_type"] == type)
                }
                _ = try await scene.gateway.wait(for: 3, of: AlertSent.kind)
                #expect(try scene.gateway.events(AlertQueued.kind).count == 3)
            }
        }
    }

    @Test func `that the centre wrote, without a word of it, once a message did not arrive`()
        async throws
    {
        let clock = TestClock()
        try await LoopbackPushService.run { service, origin in
            try await PushScene.run(at: origin, clock: clock) { scene in
                let session = try #require(SessionID(try await scene.open()))
                _ = try await service.next()
                let ledger = scene.gateway.ledger
                let desk = try await ledger.accounts.authenticate(scene.desk.token)
                let arrived = try await ledger.say("I am here", in: session, by: desk)
                for text in ["are you there?", "where are you?", "please answer"] {
                    _ = try await ledger.say(text, in: session, by: desk)
                }
                let caller = try await ledger.accounts.authenticate(scene.phone.token)
                let person = try #require(caller.person)
                _ = try await ledger.handler.handle(
                    MarkDelivered(arrived, in: session, to: .caller(person)),
                    ledger.context(of: caller)
                )
                clock.advance(by: ledger.configuration.push.chatGrace)
                let push = try await service.next()
                let members = try push.members(for: scene.keys)
                #expect(members["message_type"] == "chat")
                #expect(Set(members.keys).count == 3)
                let plain = String(decoding: try scene.keys.open(push.body), as: UTF8.self)
                #expect(!plain.contains("there"))
                _ = try await scene.gateway.wait(for: 2, of: AlertSent.kind)
                #expect(service.count == 2)
                // One push tells of all that stood before it: none of the others is due any more.
                try await ledger.readModels.runner.wait(
                    for: try #require(ledger.log.size.checkedPrevious),
                    on: "pushes"
                )
                let times = (ledger.now - .seconds(600))...ledger.now
                let due = try await ledger.readModels.pushes.due(at: ledger.now, messages: times)
                #expect(due.isEmpty)
            }
        }
    }

    @Test func `waits for nothing: a command is answered while the push service hangs`()
        async throws
    {
        try await LoopbackPushService.run([.hang]) { service, origin in
            try await PushScene.run(at: origin) { scene in
                let session = try await scene.open()
                _ = try await service.next()
                #expect(try await scene.ask("start_video", in: session).status == 201)
                _ = try await service.next()
                #expect(try scene.gateway.events(AlertDeliveryAttempted.kind).count == 2)
                #expect(try scene.gateway.events(AlertSent.kind).isEmpty)
                service.release()
                _ = try await scene.gateway.wait(for: 2, of: AlertSent.kind)
            }
        }
    }

    @Test func `reaches others while the push service of one phone never answers`() async throws {
        try await LoopbackPushService.run([.hang]) { hanging, origin in
            try await LoopbackPushService.run { service, other in
                try await PushScene.run(at: origin) { scene in
                    let gateway = scene.gateway
                    let phone = try await gateway.caller("+447712345679", codeBy: scene.desk)
                    let keys = BrowserKeys()
                    _ = try await phone.send(
                        .put,
                        "/v1/devices/me/push",
                        keys.subscription(at: other + "/x")
                    )
                    let session = try await scene.open()
                    _ = try await scene.ask("start_video", in: session)
                    _ = try await scene.ask("send_location", in: session)
                    let john = try await gateway.user(.operator, login: "john")
                    _ = try await john.post("/v1/sessions", ["phone": "+447712345679"])
                    #expect(
                        try await service.next().members(for: keys)["message_type"] == "video_call"
                    )
                    // The third push to the first phone waits for one of the two before it.
                    #expect(hanging.count <= PushLimits.deliveriesToDevice)
                }
            }
        }
    }

    @Test func `ends when what it tells of is over before the push service came back`() async throws
    {
        let clock = TestClock()
        try await LoopbackPushService.run([.status(503, retryAfter: 60)]) { service, origin in
            try await PushScene.run(at: origin, clock: clock) { scene in
                let session = try await scene.open()
                _ = try await service.next()
                _ = try await scene.gateway.wait(for: 1, of: AlertFailed.kind)
                _ = try await scene.desk.post(
                    "/v1/sessions/\(session)/close",
                    ["disposition": "handled"]
                )
                clock.advance(by: .seconds(60))
                let failed = try await scene.gateway.wait(for: 2, of: AlertFailed.kind)
                let last = try #require(failed[1].fact.payload as? AlertFailed)
                #expect(last.permanence == .permanent)
                #expect(last.error == "what it tells of is over")
                #expect(service.count == 1)
            }
        }
    }
}

extension Ledger {
    /// The operator writes into a session.
    fileprivate func say(
        _ text: String,
        in session: SessionID,
        by desk: Principal
    ) async throws -> MessageID {
        let message = SendMessage(
            text,
            in: session,
            from: try #require(desk.sender),
            temporaryID: text,
            clientTimestamp: "1",
            channel: .http
        )
        return try await handler.handle(message, context(of: desk)).outcome
    }
}
