// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Projections
import TestSupport
import Testing

@testable import Gateway

private let number = "+447712345678"

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A new phone for a known number` {
    @Test func `is given by the owner of the open session, or a supervisor, and nobody else`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let sue = try await gateway.user(.supervisor, login: "sue")
            let (_, session) = try await gateway.openChat(number, codeBy: amina)
            #expect(try await amina.post("/v1/sessions/\(session)/claim").status == 200)
            let before = try gateway.events(DeviceCodeIssued.kind).count
            let body: [String: any Sendable] = ["phone": number, "reason": "he says so"]
            let refused = try await ben.post("/v1/devices/codes", body)
            #expect(refused.status == 403)
            #expect(try refused.problem == "number-in-others-session")
            #expect(try gateway.events(DeviceCodeIssued.kind).count == before)
            #expect(try await sue.post("/v1/devices/codes", body).status == 201)
            #expect(try await amina.post("/v1/devices/codes", body).text("session") == "\(session)")
            let told = try #require(try gateway.events(DeviceCodeIssued.kind).last)
            let issued = try #require(told.fact.payload as? DeviceCodeIssued)
            #expect(issued.by?.text == amina.id)
            #expect(
                try issued.reason.opened(with: gateway.ledger.keys.unrecorded(.compared)).value
                    == "he says so"
            )
            #expect(
                try issued.phone.opened(with: gateway.ledger.keys.unrecorded(.compared)).value?.text
                    == number
            )
        }
    }

    @Test func `gets one code, and one link, of a request that is sent twice`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let body: [String: any Sendable] = ["phone": number, "reason": "a new telephone"]
            #expect(try await amina.post("/v1/devices/codes", body, key: "one").status == 201)
            let again = try await amina.post("/v1/devices/codes", body, key: "one")
            #expect(again.status == 409)
            #expect(!again.body.contains("\"code\""))
            #expect(try gateway.events(DeviceCodeIssued.kind).count == 1)
            #expect(try await amina.post("/v1/devices/codes", body, key: "two").status == 201)
            let opened = try await amina.post("/v1/sessions", ["phone": number])
            let links = "/v1/sessions/\(try opened.text("session"))/links"
            #expect(try await amina.post(links, key: "link").status == 201)
            #expect(try await amina.post(links, key: "link").status == 409)
            #expect(try gateway.events(SessionLinkIssued.kind).count == 1)
        }
    }

    @Test func `sees what begins after it, and what an older phone agrees to`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (old, session) = try await gateway.openChat(number, codeBy: amina)
            let path = "/v1/sessions/\(session)/transcript"
            #expect(try await old.get(path).status == 200)
            // Nobody has the session, so nobody agreed by giving the code.
            let new = try await gateway.caller(number, codeBy: amina)
            #expect(try await new.get(path).status == 404)
            #expect(
                try await new.post("/v1/sessions/\(session)/messages", ["text": "all is well"])
                    .status == 404
            )
            let me = try await new.get("/v1/me").object
            #expect((me["openSessions"] as? [String])?.isEmpty == true)
            #expect(try await new.post("/v1/devices/\(new.id)/admit").status == 403)
            #expect(try await amina.post("/v1/devices/\(new.id)/admit").status == 403)
            #expect(try await old.post("/v1/devices/\(new.id)/admit").status == 200)
            #expect(try await new.get(path).status == 200)
            let told = try #require(try gateway.events(DeviceAdmitted.kind).first)
            #expect(told.envelope.actor.text == "device/\(old.id)")
        }
    }

    @Test func `is listed nothing of what was before it, now or as of then`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (old, session) = try await gateway.openChat(number, codeBy: amina)
            let report = try await old.post("/v1/reports", `Reports over HTTP`.dog()).text("report")
            let new = try await gateway.caller(number, codeBy: amina)
            let last = gateway.ledger.log.size - 1
            let lists = ["/v1/sessions", "/v1/sessions?asOf=\(last)", "/v1/reports"]
            func listed(_ phone: TestGateway.Client) async throws -> [Bool] {
                var found: [Bool] = []
                for list in lists {
                    let body = try await phone.get(list, after: "\(last)").body
                    found.append(body.contains("\(session)") || body.contains(report))
                }
                return found
            }
            #expect(try await listed(old) == [true, true, true])
            #expect(try await listed(new) == [false, false, false])
            #expect(try await new.get("/v1/reports/\(report)").status == 404)
            #expect(try await old.post("/v1/devices/\(new.id)/admit").status == 200)
            #expect(try await listed(new) == [true, true, true])
            #expect(try await new.get("/v1/reports/\(report)").status == 200)
        }
    }

    @Test func `that nobody agreed to agrees to no other, and its word ends with it`() async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (old, session) = try await gateway.openChat(number, codeBy: amina)
            let first = try await gateway.caller(number, codeBy: amina)
            let second = try await gateway.caller(number, codeBy: amina)
            func told() async throws -> [String] {
                let phones = try await old.get("/v1/me").object["newPhones"] as? [[String: Any]]
                return try #require(phones).compactMap { $0["device"] as? String }
            }
            #expect(try await first.post("/v1/devices/\(second.id)/admit").status == 403)
            #expect(try await told() == [first.id, second.id])
            // Each of them has a share of its own, and none of the owner's.
            let accounts = gateway.ledger.accounts
            var holders: Set<String> = []
            for phone in [old, first, second] {
                holders.insert(try await accounts.authenticate(phone.token).holder)
            }
            #expect(holders.count == 3)
            #expect(try await old.post("/v1/devices/\(first.id)/admit").status == 200)
            let joined = try await accounts.authenticate(first.token).holder
            #expect(try await joined == accounts.authenticate(old.token).holder)
            #expect(try await first.post("/v1/devices/\(second.id)/admit").status == 200)
            let path = "/v1/sessions/\(session)/transcript"
            #expect(try await second.get(path).status == 200)
            #expect(try await told().isEmpty)
            let end = "/v1/devices/\(first.id)?reason=not%20mine"
            #expect(try await old.send(.delete, end).status == 204)
            #expect(try await told() == [second.id])
            #expect(try await second.get(path).status == 404)
        }
    }

    @Test func `whose code another's claim came before is registered by a new one only`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let (_, session) = try await gateway.openChat(number, codeBy: amina)
            #expect(try await amina.post("/v1/sessions/\(session)/claim").status == 200)
            let phone = try await gateway.caller(number, codeBy: amina)
            #expect(try await phone.get("/v1/sessions/\(session)/transcript").status == 200)
            let late = try await amina.post("/v1/devices/codes", ["phone": number]).text("code")
            #expect(try await amina.post("/v1/sessions/\(session)/release").status == 200)
            #expect(try await ben.post("/v1/sessions/\(session)/claim").status == 200)
            let refused = try await gateway.send(
                .post,
                "/v1/devices",
                body: TestGateway.json(["phone": number, "code": late])
            )
            #expect(refused.status == 410)
            #expect(try refused.problem == "device-code-over")
        }
    }

    @Test func `goes on in the session of who gave the code, and in no other`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let first = try await amina.post("/v1/sessions", ["phone": number]).text("session")
            #expect(try await amina.post("/v1/sessions/\(first)/close").status == 200)
            let second = try await amina.post("/v1/sessions", ["phone": number]).text("session")
            let phone = try await gateway.caller(number, codeBy: amina)
            #expect(try await phone.get("/v1/sessions/\(second)/transcript").status == 200)
            #expect(try await phone.get("/v1/sessions/\(first)/transcript").status == 404)
        }
    }

    @Test func `is told to the older phones, and to who has the open session, at once`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let sue = try await gateway.user(.supervisor, login: "sue")
            let (old, session) = try await gateway.openChat(number, codeBy: amina)
            #expect(try await amina.post("/v1/sessions/\(session)/claim").status == 200)
            let other = try await gateway.caller("+447712345679", codeBy: sue)
            let given = try await sue.post("/v1/devices/codes", ["phone": number])
            #expect(given.status == 201)
            let position = try #require(try gateway.events(DeviceCodeIssued.kind).last)
                .envelope.position
            let entry = try #require(try gateway.ledger.log.entry(at: position))
            func isTold(_ client: TestGateway.Client, _ topic: Topic) async throws -> Bool {
                let reader = try await gateway.ledger.accounts.authenticate(client.token)
                let rights = TopicRights(
                    topic: topic,
                    reader: reader,
                    rights: gateway.ledger.rights,
                    sessionsMost: 8
                )
                #expect(try rights.sources().contains(.kind(DeviceCodeIssued.kind)))
                return try rights.event(entry) != nil
            }
            #expect(try await isTold(old, .me))
            #expect(try await isTold(amina, .desk))
            #expect(try await !isTold(sue, .desk))
            #expect(try await !isTold(other, .me))
        }
    }

    @Test func `is told of by the older phone's own page until it was judged`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let old = try await gateway.caller(number, codeBy: amina)
            func told(_ phone: TestGateway.Client) async throws -> [[String: Any]] {
                try #require(try await phone.get("/v1/me").object["newPhones"] as? [[String: Any]])
            }
            #expect(try await told(old).isEmpty)
            let code = try await amina.post("/v1/devices/codes", ["phone": number])
            let given = try await told(old)
            #expect(given.map { $0["device"] as? String } == [try code.text("device")])
            #expect(given.first?["isRegistered"] as? Bool == false)
            let new = try await gateway.caller(number, codeBy: amina)
            #expect(try await told(old).map { $0["device"] as? String } == [new.id])
            #expect(try await told(old).first?["isRegistered"] as? Bool == true)
            #expect(try await told(new).isEmpty)
            #expect(try await old.post("/v1/devices/\(new.id)/admit").status == 200)
            #expect(try await told(old).isEmpty)
            let third = try await gateway.caller(number, codeBy: amina)
            #expect(try await told(old).map { $0["device"] as? String } == [third.id])
            #expect(
                try await old.send(.delete, "/v1/devices/\(third.id)?reason=not%20mine").status
                    == 204
            )
            #expect(try await told(old).isEmpty)
        }
    }

    @Test func `that was ended is told of to the phones that are left, and to who talks to them`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (old, session) = try await gateway.openChat(number, codeBy: amina)
            #expect(try await amina.post("/v1/sessions/\(session)/claim").status == 200)
            let new = try await gateway.caller(number, codeBy: amina)
            let other = try await gateway.caller("+447712345679", codeBy: amina)
            #expect(
                try await old.send(.delete, "/v1/devices/\(new.id)?reason=not%20mine").status == 204
            )
            let position = try #require(try gateway.events(DeviceRevoked.kind).last)
                .envelope.position
            let entry = try #require(try gateway.ledger.log.entry(at: position))
            for (client, topic, isTold) in [
                (old, Topic.me, true), (amina, .desk, true), (other, .me, false),
            ] {
                let rights = TopicRights(
                    topic: topic,
                    reader: try await gateway.ledger.accounts.authenticate(client.token),
                    rights: gateway.ledger.rights,
                    sessionsMost: 8
                )
                #expect(try rights.sources().contains(.kind(DeviceRevoked.kind)))
                #expect(try (rights.event(entry) != nil) == isTold)
            }
        }
    }

    @Test func `that nobody asked for is ended by the phone that there is`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let old = try await gateway.caller(number, codeBy: amina)
            let given = try await amina.post("/v1/devices/codes", ["phone": number])
            let path = "/v1/devices/\(try given.text("device"))?reason=not%20mine"
            #expect(try await old.send(.delete, path).status == 204)
            let late = try await gateway.send(
                .post,
                "/v1/devices",
                body: TestGateway.json(["phone": number, "code": try given.text("code")])
            )
            #expect(late.status == 401)
        }
    }

    @Test func `is nobody's because a read model says so`() async throws {
        let other = "+447755512345"
        let folder = try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            _ = try await gateway.openChat(number, codeBy: amina)
            try await gateway.ledger.readModels.runner.wait(
                for: LogPosition(gateway.ledger.log.size - 1),
                on: "operator-desk"
            )
            return gateway.folder
        }
        try TestGateway.forge(
            "operator-desk",
            in: folder,
            "UPDATE caller SET phone = '\(other)'",
            "UPDATE device SET phone = '\(other)'"
        )
        try await TestGateway.run(in: folder) { gateway in
            let known = try await gateway.ledger.phoneBook.known(
                try #require(PhoneNumber(other)),
                in: OrganisationID(unchecked: "main")
            )
            #expect(known == nil)
        }
    }

    @Test func `is another person in another organisation`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let nora = try await gateway.user(.operator, login: "nora", org: "north")
            let (_, session) = try await gateway.openChat(number, codeBy: amina)
            let there = try await gateway.caller(number, codeBy: nora)
            let here = try await gateway.ledger.phoneBook.known(
                try #require(PhoneNumber(number)),
                in: OrganisationID(unchecked: "main")
            )
            let principal = try await gateway.ledger.accounts.authenticate(there.token)
            #expect(principal.person != nil && principal.person != here)
            #expect(try await there.get("/v1/sessions/\(session)/transcript").status == 404)
            let again = try await gateway.caller(number, codeBy: nora)
            let second = try await gateway.ledger.accounts.authenticate(again.token)
            #expect(second.person == principal.person)
        }
    }
}
