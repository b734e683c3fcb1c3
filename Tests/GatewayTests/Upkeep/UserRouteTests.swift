// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10)) struct `Accounts over HTTP` {
    @Test func `get a temporary password that must be changed, told once`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let body: [String: any Sendable] = [
                "login": "omar", "role": "operator", "name": "Omar",
            ]
            let made = try await admin.post("/v1/users", body, key: "omar")
            #expect(made.status == 201)
            let password = try made.text("temporaryPassword")
            let again = try await admin.post("/v1/users", body, key: "omar")
            #expect(again.status == 200)
            #expect(try again.object["temporaryPassword"] == nil)
            #expect(try await admin.post("/v1/users", body).status == 409)

            let signedIn = try await gateway.send(
                .post,
                "/v1/auth/login",
                body: TestGateway.json(["login": "omar", "password": password])
            )
            let token = try signedIn.text("token")
            let blocked = try await gateway.send(
                .get,
                "/v1/users",
                headers: [.authorization: "Bearer \(token)"]
            )
            #expect(try blocked.problem == "password-must-change")
            let last = gateway.ledger.log.size.checkedPrevious.map { "\($0)" }
            let list = try await admin.get("/v1/users", after: last).items
            let omar = try #require(list.first { $0["login"] as? String == "omar" })
            #expect(omar["name"] as? String == "Omar")
            #expect(omar["person"] != nil && omar["lastSignInAt"] != nil)
        }
    }

    @Test
    func
        `are listed on record, in each organisation that is shown; a name among colleagues is not`()
        async throws
    {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let chief = try await gateway.user(.supervisor, login: "sue")
            _ = try await gateway.user(.operator, login: "far", org: "elsewhere")
            func listed(by client: TestGateway.Client) throws -> [String: String] {
                let reads = try gateway.events(AccessRead.kind)
                let own = reads.compactMap { event -> (String, String)? in
                    guard let read = event.fact.payload as? AccessRead,
                        read.purpose == "account-list", read.reader.text.hasSuffix("/\(client.id)")
                    else { return nil }
                    return (read.resource.text, event.envelope.organisation.text)
                }
                return Dictionary(own) { first, _ in first }
            }
            #expect(try await chief.get("/v1/colleagues").status == 200)
            #expect(try listed(by: chief).isEmpty)
            #expect(try await chief.get("/v1/users").status == 200)
            #expect(try listed(by: chief) == ["users/main": "main"])
            #expect(try await admin.get("/v1/users").status == 200)
            let all = ["users/main": "main", "users/elsewhere": "elsewhere"]
            #expect(try listed(by: admin) == all)
        }
    }

    @Test func `colleagues see who is signed in, and who may have a session`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let roles = ["john": "operator", "omar": "operator", "otto": "org-admin"]
            for (login, role) in roles {
                let body = ["login": login, "role": role, "name": login]
                let password = try await admin.post("/v1/users", body).text("temporaryPassword")
                guard login == "omar" else { continue }
                let signedIn = try await gateway.send(
                    .post,
                    "/v1/auth/login",
                    body: TestGateway.json(["login": login, "password": password])
                )
                #expect(signedIn.status == 200)
            }
            let last = gateway.ledger.log.size.checkedPrevious.map { "\($0)" }
            let people = try await admin.get("/v1/colleagues", after: last).items
            func names(where fact: String) -> [String] {
                people.filter { $0[fact] as? Bool == true }.compactMap { $0["name"] as? String }
                    .sorted()
            }
            #expect(people.count == 3)
            #expect(names(where: "isSignedIn") == ["omar"])
            #expect(names(where: "takesSessions") == ["john", "omar"])
        }
    }

    @Test func `are made by admins alone; an organisation's admin makes none above itself`()
        async throws
    {
        try await TestGateway.run { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            let chief = try await gateway.user(.organisationAdmin, login: "otto")
            let body: [String: any Sendable] = ["login": "eve", "role": "admin"]
            #expect(try await desk.post("/v1/users", body).status == 403)
            #expect(try await chief.post("/v1/users", body).status == 403)
            let below: [String: any Sendable] = ["login": "gus", "role": "guard"]
            #expect(try await chief.post("/v1/users", below).status == 201)
        }
    }

    @Test func `are nobody's who would be taken for a part of the gateway`() async throws {
        try await TestGateway.run { gateway in
            let chief = try await gateway.user(.organisationAdmin, login: "otto")
            for id in ["archive", "Archive", "clock", "stream-silence", "stranger", "recorder"] {
                let body = ["login": "l\(id)", "role": "service", "id": id]
                #expect(try await chief.post("/v1/users", body).status == 409, "\(id)")
            }
            for policy in gateway.ledger.timedPolicies.map({ $0.name }) + [PushPolicy.name] {
                #expect(OwnActors.names.contains(policy))
            }
        }
    }

    @Test func `have a budget, whatever they are called, and what is our own has none`() {
        let limits = GatewayLimits()
        for actor: Actor in [.archive, .inspection, .nobody, .console, .ledger, .policy("push")] {
            #expect(actor.isOwn && limits.budget(of: actor) == nil, "\(actor)")
            #expect(actor.user == nil)
            let name = actor.text.split(separator: "/").dropFirst().joined()
            #expect(actor == .console || OwnActors.reserve(userID: name), "\(actor)")
        }
        for role in Role.allCases {
            // Also one that was made before the name was reserved.
            let account = Actor.user(UserID(unchecked: "archive"), as: role)
            #expect(!account.isOwn && limits.budget(of: account) != nil, "\(account)")
        }
    }
}

@Suite struct `Trends over HTTP` {
    @Test func `are the same numbers as JSON and as CSV`() async throws {
        try await TestGateway.run { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            let analyst = try await gateway.user(.analyst, login: "ana")
            let opened = try await desk.post("/v1/sessions", ["phone": "+447712345678"])
            let position = try opened.text("position")
            let json = try await analyst.get("/v1/trends", after: position).object
            let rows = try #require(json["rows"] as? [[String: Any]])
            let csv = try await analyst.get("/v1/trends?format=csv", after: position)
            #expect(csv.headers[.contentType]?.hasPrefix("text/csv") == true)
            let lines = csv.body.split(separator: "\n")
            #expect(lines.first == "hour,metric,dimension,value")
            #expect(lines.count == rows.count + 1)
            #expect(rows.count > 0)
            #expect(try await desk.get("/v1/trends").status == 403)
        }
    }
}
