// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A push subscription` {
    @Test func `is recorded once, however often a page sends it, and replaced by another`()
        async throws
    {
        try await PushScene.run(at: "http://localhost:9009") { scene in
            let first = try await scene.subscribe()
            #expect(try scene.gateway.events(PushSubscribed.kind).count == 1)
            let other = try await scene.phone.send(
                .put,
                "/v1/devices/me/push",
                scene.keys.subscription(at: "http://localhost:9009/other")
            )
            #expect(try first.text("subscription") != other.text("subscription"))
            #expect(try scene.gateway.events(PushSubscribed.kind).count == 2)
            let device = try #require(DeviceID(scene.phone.id))
            let kept = try await scene.gateway.ledger.accounts.pushSubscription(of: device)
            #expect(kept?.endpoint == "http://localhost:9009/other")
        }
    }

    @Test func `ends when its owner says so, once`() async throws {
        try await PushScene.run(at: "http://localhost:9009") { scene in
            #expect(try await scene.phone.send(.delete, "/v1/devices/me/push").status == 200)
            #expect(try await scene.phone.send(.delete, "/v1/devices/me/push").status == 200)
            #expect(try scene.gateway.events(PushUnsubscribed.kind).count == 1)
            let device = try #require(DeviceID(scene.phone.id))
            #expect(try await scene.gateway.ledger.accounts.pushSubscription(of: device) == nil)
            _ = try await scene.open()
            #expect(try await scene.subscribe().status == 200)
            #expect(try scene.gateway.events(PushSubscribed.kind).count == 2)
        }
    }

    @Test func `is gone with its device, and with its person`() async throws {
        try await PushScene.run(at: "http://localhost:9009") { scene in
            let accounts = scene.gateway.ledger.accounts
            let device = try #require(DeviceID(scene.phone.id))
            try await accounts.revokeDevice(id: scene.phone.id)
            #expect(try await rows(accounts) == 0)
            #expect(try await accounts.pushSubscription(of: device) == nil)
            let again = try await scene.gateway.caller("+447712345679", codeBy: scene.desk)
            _ = try await again.send(
                .put,
                "/v1/devices/me/push",
                scene.keys.subscription(at: scene.endpoint)
            )
            #expect(try await rows(accounts) == 1)
            let admin = try await scene.gateway.user(.admin, login: "ada")
            let person = try await accounts.authenticate(again.token).personID ?? ""
            let erased = try await admin.post("/v1/persons/\(person)/erase", ["reason": "asked"])
            #expect(erased.status == 200)
            #expect(try await rows(accounts) == 0)
        }
    }

    @Test func `is for phones, and for addresses where anybody may knock`() async throws {
        try await TestGateway.run { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            let body = BrowserKeys().subscription(at: "https://push.example.net/1")
            #expect(try await desk.send(.put, "/v1/devices/me/push", body).status == 403)
            #expect(try await gateway.send(.get, "/v1/push/key").status == 401)
            let phone = try await gateway.caller("+447712345678", codeBy: desk)
            let inside = BrowserKeys().subscription(at: "https://10.0.0.7/1")
            let refused = try await phone.send(.put, "/v1/devices/me/push", inside)
            #expect(refused.status == 422)
            #expect(try refused.problem == "push-subscription-unusable")
            #expect(!refused.body.contains("10.0.0.7"))
            for text in `The address of a push service`.unreadable {
                let body = BrowserKeys().subscription(at: text)
                let answer = try await phone.send(.put, "/v1/devices/me/push", body)
                #expect(try answer.problem == "push-subscription-unusable", "\(text)")
            }
            #expect(try gateway.events(PushSubscribed.kind).isEmpty)
            #expect(try await phone.send(.put, "/v1/devices/me/push", body).status == 200)
        }
    }

    @Test func `is not for who came by a one-use link`() async throws {
        try await TestGateway.run { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            let session = try await desk.post("/v1/sessions", ["phone": PushScene.number])
            let link = try await desk.post("/v1/sessions/\(session.text("session"))/links")
            let joined = try await gateway.send(
                .post,
                "/v1/links/use",
                body: TestGateway.json(["link": link.text("path"), "code": link.text("code")])
            )
            let guest = TestGateway.Client(
                gateway: gateway,
                token: try joined.text("token"),
                id: ""
            )
            let body = BrowserKeys().subscription(at: "https://push.example.net/1")
            #expect(try await guest.send(.put, "/v1/devices/me/push", body).status == 403)
            #expect(try gateway.events(PushSubscribed.kind).isEmpty)
        }
    }

    private func rows(_ accounts: AccountStore) async throws -> Int? {
        try await accounts.pool.read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM push_subscriptions")
        }
    }
}
