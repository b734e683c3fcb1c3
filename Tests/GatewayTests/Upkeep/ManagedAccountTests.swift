// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

private let password = "correct horse battery"

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A token` {
    @Test func `is issued with the password, for oneself and for services alone`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let service = try await gateway.user(.service, login: "mailer")
            let boss = try await gateway.user(.supervisor, login: "boss")
            let auditor = try await gateway.user(.auditor, login: "aud")
            let chief = try await gateway.user(.organisationAdmin, login: "otto")
            let body: [String: any Sendable] = ["password": password]
            for other in [boss, auditor] {
                for asker in [admin, chief] {
                    let answer = try await asker.post("/v1/users/\(other.id)/tokens", body)
                    #expect(answer.status == 403)
                }
            }
            let without = try await boss.post("/v1/users/\(boss.id)/tokens")
            #expect(without.status == 400)
            let wrong = try await boss.post(
                "/v1/users/\(boss.id)/tokens",
                ["password": "guessed"]
            )
            #expect(try wrong.problem == "password-wrong")
            let long = try await boss.post(
                "/v1/users/\(boss.id)/tokens",
                ["password": password, "lifeSeconds": 91 * 86_400]
            )
            #expect(long.status == 400)
            #expect(try gateway.events(UserTokenIssued.kind).isEmpty)
            for (asker, subject) in [(boss, boss), (admin, service), (chief, service)] {
                let answer = try await asker.post("/v1/users/\(subject.id)/tokens", body)
                #expect(answer.status == 201)
            }
            let told = try gateway.events(UserTokenIssued.kind).map(\.envelope)
            #expect(told.map(\.subject.text) == [boss, service, service].map { "user/\($0.id)" })
            #expect(told.map(\.actor.text).first == "supervisor/\(boss.id)")
        }
    }

    @Test func `works until it is revoked, and both stand in the ledger`() async throws {
        try await TestGateway.run { gateway in
            let analyst = try await gateway.user(.analyst, login: "ana")
            let path = "/v1/users/\(analyst.id)/tokens"
            let issued = try await analyst.post(path, ["password": password, "lifeSeconds": 3600])
            let client = TestGateway.Client(
                gateway: gateway,
                token: try issued.text("token"),
                id: analyst.id
            )
            #expect(try await client.get(path).items.count == 2)
            let id = try issued.text("id")
            #expect(try await analyst.send(.delete, "\(path)/\(id)").status == 204)
            #expect(try await client.get(path).status == 401)
            let other = try await gateway.user(.analyst, login: "abe")
            #expect(try await other.post(path, ["password": password]).status == 403)
            let facts =
                try gateway.events(UserTokenIssued.kind)
                + gateway.events(UserTokenRevoked.kind)
            let tokens = facts.compactMap { fact in
                (fact.fact.payload as? UserTokenIssued)?.token
                    ?? (fact.fact.payload as? UserTokenRevoked)?.token
            }
            #expect(tokens == [id, id])
        }
    }
}

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `Who approves` {
    @Test func `is nobody whom the first person made or changed within a day`() async throws {
        let clock = TestClock()
        try await TestGateway.run { configuration in
            configuration.clock = clock.ledgerClock
        } _: { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let sue = try await gateway.user(.supervisor, login: "sue")
            let person = try await gateway.user(.reporter, login: "rita")
            func lift() async throws -> TestAnswer {
                let placed = try await sue.post(
                    "/v1/holds",
                    [
                        "scope": "person/\(try gateway.person(person))", "reason": "trial",
                        "authority": "court 7",
                    ]
                )
                return try await admin.post(
                    "/v1/holds/\(try placed.text("hold"))/lift",
                    ["reason": "over", "approver": ["login": "sue", "password": password]]
                )
            }
            #expect(try await lift().status == 200)
            let promoted = try await admin.send(
                .patch,
                "/v1/users/\(sue.id)",
                ["role": "org-admin", "reason": "promoted"]
            )
            #expect(promoted.status == 200)
            let token = try await gateway.ledger.accounts.issueToken(forUser: sue.id)
            let again = TestGateway.Client(gateway: gateway, token: token.token, id: sue.id)
            let placed = try await again.post(
                "/v1/holds",
                [
                    "scope": "person/\(try gateway.person(person))", "reason": "trial",
                    "authority": "court 8",
                ]
            )
            let path = "/v1/holds/\(try placed.text("hold"))/lift"
            let body: [String: any Sendable] = [
                "reason": "over", "approver": ["login": "sue", "password": password],
            ]
            #expect(try await admin.post(path, body).problem == "approver-refused")
            clock.advance(by: .seconds(25 * 3600))
            let fresh = try await gateway.ledger.accounts.issueToken(forUser: admin.id)
            let later = TestGateway.Client(gateway: gateway, token: fresh.token, id: admin.id)
            #expect(try await later.post(path, body).status == 200)
        }
    }
}

extension `Who approves` {
    /// Who asks, and who shows a password: two of ada's own, or one of the two is ada.
    @Test(arguments: [("puppet", "ada"), ("ada", "zoe"), ("puppet", "zoe"), ("sue", "puppet")])
    func `is nobody behind whom the same person may stand, over any number of accounts`(
        asking: String,
        approving: String
    ) async throws {
        try await TestGateway.run { gateway in
            let ada = try await gateway.user(.admin, login: "ada")
            let sue = try await gateway.user(.supervisor, login: "sue")
            let rita = try await gateway.user(.reporter, login: "rita")
            let yvonne = try await gateway.made("yvonne", .admin, by: ada)
            let people = [
                "ada": ada, "sue": sue,
                "puppet": try await gateway.made("puppet", .supervisor, by: ada),
                "zoe": try await gateway.made("zoe", .supervisor, by: yvonne),
            ]
            let hold = try await sue.post(
                "/v1/holds",
                [
                    "scope": "person/\(try gateway.person(rita))", "reason": "trial",
                    "authority": "court 7",
                ]
            ).text("hold")
            let lifted = try await #require(people[asking]).post(
                "/v1/holds/\(hold)/lift",
                ["reason": "over", "approver": ["login": approving, "password": password]]
            )
            // Sue was made by nobody who made the puppet.
            #expect(lifted.status == (asking == "sue" ? 200 : 403))
            #expect(try lifted.problem == (asking == "sue" ? nil : "approver-refused"))
        }
    }

    @Test func `is not whoever gave the one who asks a password`() async throws {
        try await TestGateway.run { gateway in
            let otto = try await gateway.user(.organisationAdmin, login: "otto")
            let sue = try await gateway.user(.supervisor, login: "sue")
            let rita = try await gateway.user(.reporter, login: "rita")
            let hold = try await sue.post(
                "/v1/holds",
                [
                    "scope": "person/\(try gateway.person(rita))", "reason": "trial",
                    "authority": "court 7",
                ]
            ).text("hold")
            let reset = try await otto.post("/v1/users/\(sue.id)/password")
            let taken = try await gateway.settled("sue", try reset.text("temporaryPassword"))
            let lifted = try await taken.post(
                "/v1/holds/\(hold)/lift",
                ["reason": "over", "approver": ["login": "otto", "password": password]]
            )
            #expect(try lifted.problem == "approver-refused")
            // Until when, and what helps before.
            let now = gateway.ledger.now
            let words = try lifted.text("detail")
            #expect(words.contains("daybook user add"))
            let told = try #require(words.firstMatch(of: /from (\S+) on/))
            let end = try #require(Timestamp(String(told.1)))
            #expect(end > now && end <= now + .seconds(24 * 3600))
        }
    }
}

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `An account` {
    @Test func `that is disabled is signed out, gives up its sessions, and stays so`() async throws
    {
        let folder = try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let amina = try await gateway.user(.operator, login: "amina")
            _ = try await gateway.signIn("amina")
            let opened = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            let session = try opened.text("session")
            let path = "/v1/users/\(amina.id)"
            let disabled = try await admin.send(
                .patch,
                path,
                ["disabled": true, "reason": "dismissed"]
            )
            #expect(try disabled.object["disabled"] as? Bool == true)
            #expect(try await amina.get("/v1/me").status == 401)
            #expect(try await gateway.signIn("amina").status == 401)
            let released = try gateway.events(SessionReleased.kind).map(\.envelope.subject.text)
            #expect(released == ["session/\(session)"])
            let told = try #require(try gateway.events(UserDisabled.kind).first)
            #expect(told.envelope.actor.text == "admin/\(admin.id)")
            #expect((told.fact.payload as? UserDisabled)?.reason == "dismissed")
            return gateway.folder
        }
        try await TestGateway.run(in: folder) { gateway in
            #expect(try await gateway.signIn("amina").status == 401)
            #expect(try gateway.events(UserDisabled.kind).count == 1)
            let admin = try await gateway.user(.admin, login: "eve")
            let id = try #require(try gateway.events(UserDisabled.kind).first)
                .envelope.subject.name
            let enabled = try await admin.send(
                .patch,
                "/v1/users/\(id)",
                ["disabled": false, "reason": "mistake"]
            )
            #expect(enabled.status == 200)
            #expect(try await gateway.signIn("amina").status == 200)
        }
    }

    @Test func `is changed once by a request that comes again, whatever came between`() async throws
    {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let amina = try await gateway.user(.operator, login: "amina")
            let path = "/v1/users/\(amina.id)"
            let body: [String: any Sendable] = ["disabled": true, "reason": "dismissed"]
            #expect(try await admin.send(.patch, path, body, key: "k1").status == 200)
            let back: [String: any Sendable] = ["disabled": false, "reason": "mistake"]
            #expect(try await admin.send(.patch, path, back, key: "k2").status == 200)
            let again = try await admin.send(.patch, path, body, key: "k1")
            #expect(again.status == 200)
            #expect(try again.object["disabled"] as? Bool == false)
            #expect(try gateway.events(UserDisabled.kind).count == 1)
            #expect(try await gateway.signIn("amina").status == 200)
            let promoted: [String: any Sendable] = [
                "role": "supervisor", "disabled": true, "reason": "both",
            ]
            for _ in 0..<2 {
                #expect(try await admin.send(.patch, path, promoted, key: "k3").status == 200)
            }
            #expect(try gateway.events(UserDisabled.kind).count == 2)
            #expect(try gateway.events(UserRoleChanged.kind).count == 1)
        }
    }

    @Test func `of an admin or auditor is out of reach for an organisation's admin`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let chief = try await gateway.user(.organisationAdmin, login: "otto")
            let far = try await gateway.user(.operator, login: "far", org: "north")
            let auditor = try await gateway.user(.auditor, login: "aud")
            let desk = try await gateway.user(.operator, login: "amina")
            let body: [String: any Sendable] = ["disabled": true, "reason": "x"]
            #expect(try await chief.send(.patch, "/v1/users/\(admin.id)", body).status == 403)
            #expect(try await chief.send(.patch, "/v1/users/\(auditor.id)", body).status == 403)
            #expect(try await chief.send(.patch, "/v1/users/\(far.id)", body).status == 404)
            #expect(try await chief.post("/v1/users/\(auditor.id)/password").status == 403)
            #expect(try await desk.send(.patch, "/v1/users/\(desk.id)", body).status == 403)
            let up: [String: any Sendable] = ["role": "auditor", "reason": "x"]
            #expect(try await chief.send(.patch, "/v1/users/\(desk.id)", up).status == 403)
            // The first start made one admin more.
            let first = try #require(
                try await gateway.ledger.accounts.users().first { $0.login == "admin" }
            )
            #expect(try await admin.send(.patch, "/v1/users/\(first.id)", body).status == 200)
            let last = try await admin.send(.patch, "/v1/users/\(admin.id)", body)
            #expect(last.status == 409)
            let down: [String: any Sendable] = ["role": "guard", "reason": "x"]
            #expect(try await admin.send(.patch, "/v1/users/\(admin.id)", down).status == 409)
        }
    }

    @Test func `with a password that was set by another must change it`() async throws {
        try await TestGateway.run { gateway in
            let chief = try await gateway.user(.organisationAdmin, login: "otto")
            let amina = try await gateway.user(.operator, login: "amina")
            let reset = try await chief.post("/v1/users/\(amina.id)/password")
            let temporary = try reset.text("temporaryPassword")
            #expect(try await amina.get("/v1/me").status == 401)
            #expect(try await gateway.signIn("amina").status == 401)
            let signedIn = try await gateway.signIn("amina", password: temporary)
            let client = TestGateway.Client(
                gateway: gateway,
                token: try signedIn.text("token"),
                id: amina.id
            )
            #expect(try await client.get("/v1/sessions").problem == "password-must-change")
            let changed = try await client.post(
                "/v1/auth/password",
                ["old": temporary, "new": "staple battery horse"]
            )
            #expect(changed.status == 200)
            let causes = try gateway.events(UserPasswordChanged.kind).compactMap {
                ($0.fact.payload as? UserPasswordChanged)?.cause
            }
            #expect(causes == [.reset, .own])
            let signIns = try await chief.get("/v1/users/\(amina.id)/sign-ins").items
            #expect(signIns.first?["what"] as? String == "signed-in")
            #expect(signIns.first?["address"] as? String == "192.0.2.7")
        }
    }

    @Test
    func `of a phone is ended by a supervisor, by itself, or by an older one of the same person`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let sue = try await gateway.user(.supervisor, login: "sue")
            let old = try await gateway.caller("+447712345678", codeBy: amina)
            let new = try await gateway.caller("+447712345678", codeBy: amina)
            let other = try await gateway.caller("+447712345679", codeBy: amina)
            let path = "/v1/devices/\(old.id)?reason=lost"
            #expect(try await other.send(.delete, path).status == 403)
            #expect(try await amina.send(.delete, path).status == 403)
            // Whoever gets hold of a code does not end the phone that there is.
            #expect(try await new.send(.delete, path).status == 403)
            #expect(try await old.get("/v1/me").status == 200)
            #expect(try await old.send(.delete, "/v1/devices/\(new.id)?reason=x").status == 204)
            #expect(try await new.get("/v1/me").status == 401)
            #expect(try await other.send(.delete, "/v1/devices/\(other.id)?reason=x").status == 204)
            #expect(try await sue.send(.delete, path).status == 204)
            #expect(try gateway.events(DeviceRevoked.kind).count == 3)
            let listed = try await sue.get("/v1/devices?phone=%2B447712345678").items
            #expect(listed.allSatisfy { $0["revokedAt"] != nil })
            #expect(listed.count == 2)
        }
    }
}

extension TestGateway {
    /// The person behind an account.
    fileprivate func person(_ client: Client) throws -> PersonID {
        let created = try events(UserCreated.kind).first {
            $0.envelope.subject.text == "user/\(client.id)"
        }
        guard let created = created?.fact.payload as? UserCreated else { throw CancellationError() }
        return created.person
    }

    /// An account that somebody makes by HTTP, with a password of its own.
    fileprivate func made(_ login: String, _ role: UserRole, by client: Client) async throws
        -> Client
    {
        let new = try await client.post("/v1/users", ["login": login, "role": role.rawValue])
        return try await settled(login, try new.text("temporaryPassword"))
    }

    /// Changes a temporary password for the usual one, and signs in.
    fileprivate func settled(_ login: String, _ temporary: String) async throws -> Client {
        let first = Client(
            gateway: self,
            token: try await signIn(login, password: temporary).text("token"),
            id: login
        )
        _ = try await first.post("/v1/auth/password", ["old": temporary, "new": password])
        let token = try await signIn(login).text("token")
        return Client(gateway: self, token: token, id: login)
    }

    /// Signs in by HTTP.
    fileprivate func signIn(
        _ login: String,
        password: String = "correct horse battery"
    ) async throws -> TestAnswer {
        try await send(
            .post,
            "/v1/auth/login",
            body: Self.json(["login": login, "password": password])
        )
    }
}
