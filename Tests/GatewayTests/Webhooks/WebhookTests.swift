// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise8), .timeLimit(.minutes(10))) struct `A webhook` {
    @Test func `is signed as the vector of the standard has it`() throws {
        let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = secret.signature(
            of: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            at: 1_614_265_330,
            Data(#"{"test": 2432232314}"#.utf8)
        )
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        let new = WebhookSecret()
        #expect(WebhookSecret(new.text)?.text == new.text)
        #expect(new.text != WebhookSecret().text)
        for text in ["", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_AAAA", "whsec_?"] {
            #expect(WebhookSecret(text) == nil)
        }
    }

    @Test func `tells its secret once, and is told nothing that is sealed`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let body: [String: any Sendable] = [
                "url": "https://partner.example.org/hook", "kinds": ["session.created"],
                "isOn": false,
            ]
            let made = try await admin.post("/v1/webhooks", body)
            let secret = try made.text("secret")
            let list = try await admin.get("/v1/webhooks", after: gateway.newest)
            #expect(try list.items.count == 1)
            #expect(!list.body.contains("whsec_"))
            let id = try made.text("webhook")
            let known = try gateway.ledger.handler.current(
                Webhook.self,
                try #require(WebhookID(id))
            )
            let kept = try #require(known.settings?.secret)
            #expect(gateway.ledger.deliverySecrets.password(kept) == secret)
            let renewed = try await admin.post("/v1/webhooks/\(id)/secret").text("secret")
            #expect(renewed != secret)
            #expect(try await admin.send(.delete, "/v1/webhooks/\(id)", [:]).status == 200)
            #expect(try await admin.get("/v1/webhooks", after: gateway.newest).items.isEmpty)
            let desk = try await gateway.user(.operator, login: "amina")
            let session = try await desk.post("/v1/sessions", ["phone": "+447712345754"])
            let entry = try #require(try gateway.ledger.log.entries(of: SessionCreated.kind).last)
            let told = try JSONBody.encoder.encode(try WebhookBody(entry))
            let text = String(decoding: told, as: UTF8.self)
            #expect(text.contains(try session.text("session")) && !text.contains("447712"))
        }
    }

    @Test(arguments: [
        "http://partner.example.org/", "https://10.0.0.1/", "https://localhost/",
        "https://[::1]/", "https://169.254.169.254/latest", "https://a:b@example.org/", "ftp://x",
    ])
    func `goes to public addresses alone`(url: String) async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let body: [String: any Sendable] = [
                "url": url, "kinds": ["session.created"], "isOn": true,
            ]
            #expect(try await admin.post("/v1/webhooks", body).status == 400)
        }
    }
}
