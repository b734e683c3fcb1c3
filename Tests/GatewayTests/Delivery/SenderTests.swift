// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Projections
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise8), .timeLimit(.minutes(10))) struct `How messages leave` {
    private let mail: [String: any Sendable] = [
        "isOn": false, "host": "mail.example.org", "port": 587, "security": "starttls",
        "user": "centre", "password": "correct horse", "from": "centre@example.org",
    ]

    @Test func `is set up by administrators, and its password is told to nobody`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let desk = try await gateway.user(.operator, login: "amina")
            #expect(try await desk.send(.put, "/v1/senders/email", mail).status == 403)
            #expect(try await desk.get("/v1/senders").status == 403)
            let set = try await admin.send(.put, "/v1/senders/email", mail)
            #expect(set.status == 200)
            let list = try await admin.get("/v1/senders", after: try set.text("position"))
            let settings = try #require(list.items.first?["settings"] as? [String: Any])
            #expect(settings["hasPassword"] as? Bool == true)
            #expect(settings["perMinute"] as? Int == 60)
            #expect(!list.body.contains("correct"))
            let entry = try #require(try gateway.events(SenderSet.kind).last)
            let bytes = String(describing: entry)
            #expect(!bytes.contains("correct"))
            let secret = try gateway.ledger.handler.current(MessageSender.self, .email)
                .settings?.secret
            #expect(secret.flatMap(gateway.ledger.deliverySecrets.password) == "correct horse")
        }
    }

    @Test func `keeps its password where that is not given again, but sends it to no other server`()
        async throws
    {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            _ = try await admin.send(.put, "/v1/senders/email", mail)
            var again = mail
            again["password"] = nil
            again["port"] = 25
            #expect(try await admin.send(.put, "/v1/senders/email", again).status == 200)
            again["host"] = "evil.example.org"
            let refused = try await admin.send(.put, "/v1/senders/email", again)
            #expect(refused.status == 400)
            #expect(try refused.text("detail").contains("give its password"))
            let settings = try gateway.ledger.handler.current(MessageSender.self, .email).settings
            #expect(settings?.host == "mail.example.org" && settings?.port == 25)
            #expect(settings?.secret != nil)
        }
    }

    @Test(
        arguments: [
            ("host", "mail.example.org/x"), ("host", "a b"), ("from", "nobody"), ("port", "0"),
            ("perMinute", "0"), ("security", "ssl"), ("reportsTo", "ftp://x"),
        ]
    )
    func `is refused with settings that cannot be`(member: String, value: String) async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            var body = mail
            if let number = Int(value) { body[member] = number } else { body[member] = value }
            let answer = try await admin.send(.put, "/v1/senders/email", body)
            #expect([400, 422].contains(answer.status))
            #expect(try gateway.events(SenderSet.kind).isEmpty)
        }
    }

    @Test func `hears reports and answers only at addresses that the gateway made`() async throws {
        try await TestGateway.run { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            let session = try await desk.post("/v1/sessions", ["phone": "+447712345678"])
            let queued = try await desk.post(
                "/v1/alerts",
                [
                    "cause": "incident/\(try session.text("incident"))", "severity": "critical",
                    "template": "help", "sms": "+447712345754", "text": "Come to the harbour",
                ]
            )
            let alert = try #require(AlertID(try queued.text("alert")))
            let ledger = gateway.ledger
            _ = try await ledger.handler.handle(
                BeginAlertAttempt(alert, by: .sms, attempt: 1),
                ledger.context(actor: .policy("delivery"), organisation: .main)
            )
            let report = "/v1/sms/report?alert=\(alert)&attempt=1&key="
            let code = ledger.deliverySecrets.reportCode(alert, attempt: 1)
            let wrong = code.dropLast() + (code.last == "0" ? "1" : "0")
            #expect(
                try await gateway.send(.get, "\(report)\(wrong)&type=1").status == 403
            )
            #expect(
                try await gateway.send(
                    .get,
                    "/v1/sms/report?alert=\(alert)&attempt=2&key=\(code)&type=1"
                ).status == 403
            )
            for type in [8, 1, 2, 8, 1, 4] {
                #expect(try await gateway.send(.get, "\(report)\(code)&type=\(type)").status == 200)
            }
            let reports = try gateway.events(AlertReported.kind)
            #expect(reports.count == 2)
            #expect(try ledger.handler.current(Alert.self, alert).parts[.sms]?.report == .delivered)

            let incoming = "/v1/sms/incoming?from=%2B447712345754&to=8888&id=1&text="
            #expect(try await gateway.send(.get, "\(incoming)ok&key=nothing").status == 403)
            let key = ledger.deliverySecrets.incomingCode
            let position = try #require(gateway.ledger.log.size.checkedPrevious)
            try await ledger.readModels.runner.wait(for: position, on: "alert-queue")
            for _ in 0..<2 {
                #expect(
                    try await gateway.send(.get, "\(incoming)OK,+1%2B1+coming&key=\(key)").status
                        == 200
                )
            }
            #expect(try ledger.handler.current(Alert.self, alert).isAcknowledged)
            let answers = try gateway.events(AlertAnswered.kind)
            #expect(answers.count == 1)
            guard case .alert(.answered(let answered)) = answers.first?.fact else { return }
            let keys = gateway.ledger.keys.unrecorded(.compared)
            #expect(try answered.text?.opened(with: keys).value == "OK, 1+1 coming")
        }
    }

    @Test(
        arguments: [
            ("STOP", AlertAnswered.Answer.stopped), ("  stop! now", .stopped),
            ("Start", .resumed), ("ok", .acknowledged), ("Ja, komme", .acknowledged),
            ("1", .acknowledged), ("stopping by", .other), ("", .other), ("???", .other),
        ]
    )
    func `reads what somebody answers by its first word`(
        text: String,
        answer: AlertAnswered.Answer
    ) {
        #expect(MessageCentreRoutes.answer(text) == answer)
    }
}
