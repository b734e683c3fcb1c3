// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite struct `Erasing a person` {
    @Test func `is blocked by a hold, which is named, until two people lift it`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let chief = try await gateway.user(.supervisor, login: "sue")
            let reporter = try await gateway.user(.reporter, login: "rita")
            let person = try await Self.person(reporter, gateway)
            let placed = try await chief.post(
                "/v1/holds",
                ["scope": "person/\(person)", "reason": "trial", "authority": "court 7"]
            )
            let hold = try placed.text("hold")
            let blocked = try await admin.post("/v1/persons/\(person)/erase", ["reason": "asked"])
            #expect(try blocked.problem == "person-held")
            #expect(try blocked.members["hold"] == hold)

            func lift(by login: String, password: String = "correct horse battery") async throws
                -> TestAnswer
            {
                let approver = ["login": login, "password": password]
                return try await chief.post(
                    "/v1/holds/\(hold)/lift",
                    ["reason": "over", "approver": approver]
                )
            }
            #expect(try await lift(by: "sue").problem == "approver-refused")
            _ = try await gateway.user(.supervisor, login: "far", org: "elsewhere")
            #expect(try await lift(by: "far").problem == "approver-refused")
            #expect(try await lift(by: "ada", password: "guessed").problem == "approver-refused")
            #expect(try await lift(by: "ada").status == 200)
            let erased = try await admin.post("/v1/persons/\(person)/erase", ["reason": "asked"])
            #expect(erased.status == 200)
        }
    }

    @Test func `leaves the report without place, notes or contact, and every proof intact`()
        async throws
    {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let reporter = try await gateway.user(.reporter, login: "rita")
            let person = try await Self.person(reporter, gateway)
            let id = try await reporter.post("/v1/reports", `Reports over HTTP`.dog()).text(
                "report"
            )
            let before = try gateway.events(ReportSubmitted.kind).map(\.envelope)
            let erased = try await admin.post("/v1/persons/\(person)/erase", ["reason": "asked"])
            let position = try #require(erased.headers[.ledgerPosition])
            let report = try await admin.get("/v1/reports/\(id)", after: position).object
            #expect(report["erased"] as? Bool == true)
            #expect(report["fix"] == nil && report["notes"] == nil)
            #expect(report["species"] as? String == "dog")
            #expect(try gateway.events(ReportSubmitted.kind).map(\.envelope) == before)
            let again = try await admin.post("/v1/persons/\(person)/erase", ["reason": "asked"])
            #expect(again.status == 200)
            #expect(try gateway.events(PersonErased.kind).count == 1)
        }
    }

    @Test func `is finished by the next start, with the recordings of that person`() async throws {
        let (folder, person) = try await TestGateway.run { gateway in
            let reporter = try await gateway.user(.reporter, login: "rita")
            return (gateway.folder, try await Self.person(reporter, gateway))
        }
        let ledgerFolder = folder.url.appending(path: "ledger")
        let upkeep = Upkeep(folder: ledgerFolder)
        #expect(try await upkeep.erase(person, reason: "asked") == 0)
        try await TestGateway.run(in: folder) { gateway in
            let id = try #require(PersonID(person))
            #expect(gateway.ledger.keys.isDestroyed(id))
        }
    }

    @Test
    func `is refused to every administrator, by route and console, while one organisation holds`()
        async throws
    {
        let (folder, held) = try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let chief = try await gateway.user(.supervisor, login: "sue")
            let opened = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            let session = try opened.text("session")
            let id = try #require(SessionID(session))
            let contact = try gateway.ledger.handler.current(Session.self, id).contact
            let person = try #require(contact).caller
            let hold: [String: any Sendable] = [
                "scope": "session/\(session)", "reason": "trial", "authority": "Crown Court",
            ]
            #expect(try await chief.post("/v1/holds", hold).status == 201)
            #expect(
                try await amina.post("/v1/sessions/\(session)/close", ["disposition": "handled"])
                    .status == 200
            )
            let north = try await gateway.user(.organisationAdmin, login: "nora", org: "north")
            for scope in ["session/\(session)", "person/\(person)"] {
                let foreign = hold.merging(["scope": scope]) { $1 }
                let refused = try await north.post("/v1/holds", foreign)
                #expect(try refused.problem == "hold-scope-unknown")
            }
            let expected = [
                (try await gateway.user(.organisationAdmin, login: "ada"), "person-held"),
                (north, "person-unknown"),
                (try await gateway.user(.admin, login: "root2", org: "north"), "person-held"),
                (try await gateway.user(.admin, login: "root1"), "person-held"),
            ]
            for (asker, problem) in expected {
                let path = "/v1/persons/\(person)/erase"
                let refused = try await asker.post(path, ["reason": "asked"])
                #expect(try refused.problem == problem)
            }
            #expect(try gateway.events(PersonErased.kind).isEmpty)
            #expect(gateway.ledger.keys.key(of: person) != nil)
            return (gateway.folder, person)
        }
        let upkeep = Upkeep(folder: folder.url.appending(path: "ledger"))
        await #expect(throws: ErasePerson.Refusal.self) {
            try await upkeep.erase("\(held)", reason: "asked")
        }
        let holds = try await upkeep.holds()
        #expect(holds.map(\.organisation) == ["main"])
        await #expect(throws: PlaceHold.Refusal.self) {
            try await upkeep.placeHold(
                on: "person/\(held)",
                reason: "trial",
                authority: "another court",
                by: "north"
            )
        }
        _ = try await upkeep.placeHold(on: "person/\(held)", reason: "trial", authority: "court")
        #expect(try await upkeep.holds().map(\.organisation) == ["main", "main"])
    }

    @Test func `is for admins, and for people who are known`() async throws {
        try await TestGateway.run { gateway in
            let chief = try await gateway.user(.supervisor, login: "sue")
            let admin = try await gateway.user(.admin, login: "ada")
            let person = try await Self.person(chief, gateway)
            let refused = try await chief.post("/v1/persons/\(person)/erase", ["reason": "x"])
            #expect(refused.status == 403)
            let nobody = "0199e0c0-0000-7000-8000-000000000000"
            let unknown = try await admin.post("/v1/persons/\(nobody)/erase", ["reason": "x"])
            #expect(unknown.status == 404)
            #expect(try gateway.events(PersonErased.kind).isEmpty)
        }
    }

    /// The person behind an account.
    private static func person(
        _ client: TestGateway.Client,
        _ gateway: TestGateway
    ) async throws -> String {
        let principal = try await gateway.ledger.accounts.authenticate(client.token)
        return "\(try gateway.ledger.personBehind(principal))"
    }
}
