// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise7)) struct `Erasing a person` {
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
            let asked = Self.asked(with: "sue")
            let blocked = try await admin.post("/v1/persons/\(person)/erase", asked)
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
            let erased = try await admin.post("/v1/persons/\(person)/erase", asked)
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
            _ = try await gateway.user(.supervisor, login: "sue")
            let asked = Self.asked(with: "sue")
            let erased = try await admin.post("/v1/persons/\(person)/erase", asked)
            let position = try #require(erased.headers[.ledgerPosition])
            let report = try await admin.get("/v1/reports/\(id)", after: position).object
            #expect(report["erased"] as? Bool == true)
            #expect(report["fix"] == nil && report["notes"] == nil)
            #expect(report["species"] as? String == "dog")
            #expect(try gateway.events(ReportSubmitted.kind).map(\.envelope) == before)
            let again = try await admin.post("/v1/persons/\(person)/erase", asked)
            #expect(again.status == 200)
            #expect(try gateway.events(PersonErased.kind).count == 1)
        }
    }

    @Test func `is finished by the next start, with the recordings of that person`() async throws {
        let (folder, person) = try await TestGateway.run { gateway in
            let reporter = try await gateway.user(.reporter, login: "rita")
            _ = try await gateway.user(.admin, login: "ada")
            _ = try await gateway.user(.supervisor, login: "sue")
            _ = try await gateway.user(.supervisor, login: "sam")
            return (gateway.folder, try await Self.person(reporter, gateway))
        }
        let ledgerFolder = folder.url.appending(path: "ledger")
        let upkeep = Upkeep(folder: ledgerFolder)
        func erase(by logins: [String]) async throws -> Int {
            let people = logins.map { (login: $0, password: "correct horse battery") }
            return try await upkeep.erase(person, reason: "asked", by: people)
        }
        for few in [[], ["ada"], ["ada", "ada"]] {
            await #expect(throws: (any Error).self) { try await erase(by: few) }
        }
        await #expect(throws: UpkeepError.self) { try await erase(by: ["sue", "sam"]) }
        #expect(try await erase(by: ["ada", "sue"]) == 0)
        try await TestGateway.run(in: folder) { gateway in
            let id = try #require(PersonID(person))
            #expect(gateway.ledger.keys.isDestroyed(id))
        }
    }

    @Test func `is what the log says, and not a row of a read model`() async throws {
        let (folder, person) = try await TestGateway.run { gateway in
            let reporter = try await gateway.user(.reporter, login: "rita")
            return (gateway.folder, try await Self.person(reporter, gateway))
        }
        let forged = "INSERT INTO erased VALUES ('\(person)', 1, 0, NULL, 'asked')"
        try TestGateway.forge("registry", in: folder, forged)
        try await TestGateway.run(in: folder) { gateway in
            let id = try #require(PersonID(person))
            let ledger = gateway.ledger
            // What the service does at a start, however far it has come with that by now.
            try await ErasureService(ledger: ledger).finishAll()
            #expect(!ledger.keys.isDestroyed(id) && ledger.keys.hold(id))
            await #expect(throws: ErasureUnfounded.self) {
                try await Erasure(ledger: ledger).finish(id)
            }
            #expect(ledger.keys.hold(id))
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
            #expect(gateway.ledger.keys.hold(person))
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

    @Test func `behind an account is for two who may manage it, and ends it in the same act`()
        async throws
    {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let boss = try await gateway.user(.organisationAdmin, login: "otto")
            let amina = try await gateway.user(.operator, login: "amina")
            let sue = try await gateway.user(.supervisor, login: "sue")
            let north = try await gateway.user(.organisationAdmin, login: "nora", org: "north")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            #expect(try await amina.post("/v1/sessions/\(session)/claim").status == 200)
            let asked = Self.asked(with: "sue")
            let alone: [String: any Sendable] = ["reason": "asked"]
            let person = try await Self.person(amina, gateway)
            let ours = try await Self.person(boss, gateway)
            let theirs = try await Self.person(admin, gateway)
            let cases: [(TestGateway.Client, String, [String: any Sendable], String)] = [
                (boss, theirs, asked, "forbidden"),
                (boss, ours, asked, "person-own"),
                (boss, person, alone, "person-needs-two-people"),
                (boss, person, Self.asked(with: "otto"), "approver-refused"),
                (north, person, asked, "person-unknown"),
            ]
            for (asker, target, body, problem) in cases {
                let refused = try await asker.post("/v1/persons/\(target)/erase", body)
                #expect(try refused.problem == problem, "\(refused.body)")
            }
            #expect(try gateway.events(PersonErased.kind).isEmpty)
            #expect(try await amina.get("/v1/me").status == 200)

            let erased = try await boss.post("/v1/persons/\(person)/erase", asked)
            #expect(erased.status == 200, "\(erased.body)")
            #expect(try await amina.get("/v1/me").status == 401)
            let words = ["text": "still here"]
            let wrote = try await amina.post("/v1/sessions/\(session)/messages", words)
            #expect(wrote.status == 401)
            let login = ["login": "amina", "password": "correct horse battery"]
            let back = try await gateway.send(
                .post,
                "/v1/auth/login",
                body: TestGateway.json(login)
            )
            #expect(back.status == 401)
            let names = try await gateway.ledger.accounts.users().map(\.login)
            #expect(!names.contains("amina"))
            #expect(try gateway.events(UserDisabled.kind).count == 1)
            #expect(try gateway.events("session.released/1").count == 1)
            let fact = try #require(try gateway.events(PersonErased.kind).first)
            let agreed = (fact.fact.payload as? PersonErased)?.approvedBy?.map(\.text)
            #expect(agreed == [boss.id, sue.id])
            let open: [String: any Sendable] = ["disabled": false, "reason": "back again"]
            let opened = try await boss.send(.patch, "/v1/users/\(amina.id)", open)
            #expect(try opened.problem == "person-erased")
        }
    }

    @Test func `behind an account that a crash left open ends it before anybody can sign in`()
        async throws
    {
        let (folder, amina) = try await TestGateway.run { gateway in
            _ = try await gateway.user(.admin, login: "ada")
            let amina = try await gateway.user(.operator, login: "amina")
            let person = try #require(PersonID(try await Self.person(amina, gateway)))
            // The event alone, as before a crash, or as an earlier version recorded it.
            try await gateway.ledger.log.append(
                [Self.erasure(of: person, gateway.ledger.newID())],
                command: CommandStamp(actor: .ledger, command: CommandID(unchecked: "crash"))
            )
            return (gateway.folder, [amina.token, amina.id])
        }
        try await TestGateway.run(in: folder) { gateway in
            let again = TestGateway.Client(gateway: gateway, token: amina[0], id: amina[1])
            #expect(try await again.get("/v1/me").status == 401)
            let known = try gateway.ledger.handler.current(User.self, UserID(unchecked: amina[1]))
            #expect(known.isDisabled)
        }
    }

    @Test func `of the last admin is refused, though two are asked for at once`() async throws {
        try await TestGateway.run { gateway in
            let accounts = gateway.ledger.accounts
            let ids = try await accounts.users().filter { $0.role == .admin }.map(\.id)
            let first = try await gateway.user(.admin, login: "ada")
            let second = try await gateway.user(.admin, login: "bob")
            for id in ids { try await accounts.setDisabled(true, user: id) }
            try await accounts.setAside([first.id])
            await #expect(throws: AccountError.lastAdmin) {
                try await accounts.setAside([second.id])
            }
            await #expect(throws: AccountError.lastAdmin) {
                try await accounts.setDisabled(true, user: second.id)
            }
            accounts.takeBack([first.id])
            try await accounts.setAside([second.id])
        }
    }

    @Test func `that stands in the log beside a hold deletes nothing, and says so`() async throws {
        let (folder, person) = try await TestGateway.run { gateway in
            let chief = try await gateway.user(.supervisor, login: "sue")
            let reporter = try await gateway.user(.reporter, login: "rita")
            let person = try await Self.person(reporter, gateway)
            let placed = try await chief.post(
                "/v1/holds",
                ["scope": "person/\(person)", "reason": "trial", "authority": "court 7"]
            )
            let hold = try placed.text("hold")
            let id = try #require(PersonID(person))
            // No command of ours records this.
            try await gateway.ledger.log.append(
                [Self.erasure(of: id, gateway.ledger.newID())],
                command: CommandStamp(actor: .ledger, command: CommandID(unchecked: "forged"))
            )
            let outcome = await Erasure(ledger: gateway.ledger).finishOrOwe(id)
            #expect(outcome.left.first?.words.contains("hold \(hold) keeps everything") == true)
            #expect(gateway.ledger.keys.hold(id))
            return (gateway.folder, id)
        }
        try await TestGateway.run(in: folder) { gateway in
            await #expect(throws: ErasureUnfinished.self) {
                try await ErasureService(ledger: gateway.ledger).run()
            }
            #expect(gateway.ledger.keys.hold(person))
            #expect(gateway.ledger.erasureDebt.people.contains(person))
        }
    }

    @Test func `that others wrote behind the newest signature is not carried out`() async throws {
        let (folder, person, rita) = try await TestGateway.run { gateway in
            let reporter = try await gateway.user(.reporter, login: "rita")
            let person = try await Self.person(reporter, gateway)
            return (gateway.folder, try #require(PersonID(person)), reporter.id)
        }
        let ledgerFolder = folder.url.appending(path: "ledger")
        // Whoever can write the folder, without any key.
        let forger = try EventLog.open(
            ledgerFolder,
            configuration: LogConfiguration(origin: "test.example/main", keys: NoKeys())
        )
        var chance = SystemRandomNumberGenerator()
        let now = LedgerClock.system.now()
        try await forger.append(
            [Self.erasure(of: person, EventID(at: now, using: &chance))],
            command: CommandStamp(actor: .ledger, command: CommandID(unchecked: "forged"))
        )
        let position = forger.size - 1
        await forger.close()
        try await TestGateway.run(in: folder) { gateway in
            let log = gateway.ledger.log
            #expect(log.isDoubted)
            let words = "nobody vouches for positions \(position)..<\(position + 1)"
            #expect("\(String(describing: log.readOnlyReason))".contains(words))
            #expect(gateway.ledger.keys.hold(person))
            #expect(!gateway.ledger.standings.all.contains { $0.name == "erasures" })
            await #expect(throws: EventLogError.self) {
                try await Erasure(ledger: gateway.ledger).finish(person)
            }
            try await log.makeCheckpoint()
        }
        let before = try OriginKey.read(
            from: ledgerFolder,
            masterKey: MasterKeyPlace.standard(for: ledgerFolder)
                .key(for: LedgerFolder(root: ledgerFolder))
        )
        #expect(before?.signed?.size == position)
        // Somebody decided to live with it.
        var configuration = GatewayConfiguration(folder: ledgerFolder)
        configuration.origin = "test.example/main"
        #expect(try NewOrigin.begin(configuration) == position + 1)
        // Not with everything that they found: of an erasure that nobody vouches for nothing can be brought back.
        for _ in 1...2 {
            try await TestGateway.run(in: folder) { gateway in
                let ledger = gateway.ledger
                #expect(!ledger.log.isDoubted)
                try await ErasureService(ledger: ledger).finishAll()
                #expect(ledger.keys.hold(person))
                let found = FoundErasure(person: person, position: LogPosition(position))
                #expect(ledger.unvouchedErasures == [found])
                #expect(try await !ledger.accounts.user(id: rita).isDisabled)
            }
        }
        // Only when they say so.
        try await TestGateway.run(in: folder) {
            $0.carriesOutErasures = true
        } _: { gateway in
            #expect(gateway.ledger.keys.isDestroyed(person))
            #expect(gateway.ledger.unvouchedErasures == [])
            let user = try await gateway.ledger.accounts.user(id: rita)
            #expect(user.isDisabled)
        }
        try await TestGateway.run(in: folder) { gateway in
            #expect(gateway.ledger.unvouchedErasures == [])
        }
    }

    @Test
    func `and holding are their own organisation's, also of who was only told or given a code`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let sue = try await gateway.user(.supervisor, login: "sue")
            let boss = try await gateway.user(.organisationAdmin, login: "otto")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let north = try await gateway.user(.organisationAdmin, login: "nora", org: "north")
            let far = try await gateway.user(.supervisor, login: "nils", org: "north")
            let alert: [String: any Sendable] = [
                "cause": "session/\(session)", "severity": "info", "template": "hello",
                "sms": "+447700900777",
            ]
            #expect(try await amina.post("/v1/alerts", alert).status == 201)
            let code = ["phone": "+447700900778"]
            #expect(try await amina.post("/v1/devices/codes", code).status == 201)
            let told = try #require(try gateway.events("alert.queued/1").last)
            let contact = try #require(told.fact.payload as? AlertQueued).contact
            let given = try #require(try gateway.events("device.code_issued/1").last)
            let owner = try #require(given.fact.payload as? DeviceCodeIssued).person
            for person in [contact, owner] {
                let held: [String: any Sendable] = [
                    "scope": "person/\(person)", "reason": "trial", "authority": "court",
                ]
                #expect(try await far.post("/v1/holds", held).problem == "hold-scope-unknown")
                #expect(try await sue.post("/v1/holds", held).status == 201)
                let path = "/v1/persons/\(person)/erase"
                let body = ["reason": "asked"]
                #expect(try await north.post(path, body).problem == "person-unknown")
                #expect(try await boss.post(path, body).problem == "person-held")
            }
        }
    }

    @Test func `takes with it what was remembered of the person's requests`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let amina = try await gateway.user(.operator, login: "amina")
            let caller = try await gateway.caller("+447712345678", codeBy: amina)
            try await gateway.ledger.accounts.claim(
                key: "k1",
                of: "device/\(caller.id)",
                for: RequestFingerprint(method: "POST", path: "/v1/x", body: Data())
            )
            let principal = try await gateway.ledger.accounts.authenticate(caller.token)
            let person = try gateway.ledger.personBehind(principal)
            func kept() async throws -> Int? {
                try await gateway.ledger.accounts.pool.read { database in
                    try Int.fetchOne(
                        database,
                        sql: "SELECT count(*) FROM fingerprints WHERE actor = ?",
                        arguments: ["device/\(caller.id)"]
                    )
                }
            }
            #expect(try await kept() == 1)
            let erased = try await admin.post("/v1/persons/\(person)/erase", ["reason": "asked"])
            #expect(erased.status == 200, "\(erased.body)")
            #expect(try await kept() == 0)
        }
    }

    static func asked(with login: String) -> [String: any Sendable] {
        ["reason": "asked", "approver": ["login": login, "password": "correct horse battery"]]
    }

    private static func erasure(of person: PersonID, _ id: EventID) -> SubjectWrite {
        let erased = PersonErased(person: person, by: nil, reason: "asked")
        return SubjectWrite(
            .person(person),
            [Event(id: id, fact: .person(.erased(erased)))]
        )
    }

    @Test func `deletes no file that became another person's under the same name`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let amina = try await gateway.user(.operator, login: "amina")
            let file = "2026/11/2026-11-21-13-11-0.webm"
            var people: [String] = []
            for number in ["+447712345678", "+447712345679"] {
                let (caller, session) = try await gateway.openChat(number, codeBy: amina)
                let principal = try await gateway.ledger.accounts.authenticate(caller.token)
                let start = StartStream(
                    gateway.ledger.newID(),
                    in: session,
                    from: .device(try #require(principal.deviceID.flatMap { DeviceID($0) })),
                    settings: .low,
                    transport: .webSocket,
                    codec: .vp9,
                    file: file,
                    timeZone: "GMT"
                )
                let context = gateway.ledger.context(of: principal)
                _ = try await amina.post("/v1/sessions/\(session)/claim")
                _ = try await gateway.ledger.handler.handle(start, context)
                _ = try await amina.post(
                    "/v1/sessions/\(session)/close",
                    ["disposition": "handled"]
                )
                people.append(try #require(principal.personID))
            }
            let path = gateway.ledger.folder.media.appending(path: file)
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data([1]).write(to: path)
            for (person, isThere) in zip(people, [true, false]) {
                let erased = try await admin.post(
                    "/v1/persons/\(person)/erase",
                    ["reason": "asked"]
                )
                #expect(erased.status == 200)
                #expect(FileManager.default.fileExists(atPath: path.path) == isThere)
            }
        }
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

    @Test func `is shown beforehand to whoever may do it: what it reaches, what forbids it`()
        async throws
    {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let desk = try await gateway.user(.operator, login: "amina")
            let caller = try await gateway.caller("+447712345678", codeBy: desk)
            let opened = try await desk.post("/v1/sessions", ["phone": "+447712345678"])
            let session = try opened.text("session")
            let principal = try await gateway.ledger.accounts.authenticate(caller.token)
            let person = try #require(principal.personID)
            let path = "/v1/persons/\(person)"
            let before = try await admin.get(path, after: try opened.text("position")).object
            #expect(before["sessions"] as? Int == 1 && before["phones"] as? Int == 1)
            #expect(before["messages"] as? Int == 0 && before["isErased"] as? Bool == false)
            #expect(before["openSession"] as? String == session && before["heldBy"] == nil)
            let reads = try gateway.events(AccessRead.kind)
                .compactMap { $0.fact.payload as? AccessRead }
                .filter { $0.purpose == "erasure-preview" }
            #expect(reads.map(\.resource.text) == ["person/\(person)"])

            let held = ["scope": "session/\(session)", "reason": "trial", "authority": "court 7"]
            #expect(try await admin.post("/v1/holds", held).status == 201)
            let after = try await admin.get(path).object
            #expect((after["heldBy"] as? [String: Any])?["authority"] as? String == "court 7")

            let near = try await gateway.user(.organisationAdmin, login: "otto")
            #expect(try await near.get(path).status == 200)
            let far = try await gateway.user(.organisationAdmin, login: "far", org: "elsewhere")
            #expect(try await far.get(path).problem == "person-unknown")
            #expect(try await desk.get(path).status == 403)
        }
    }

    /// The person behind an account.
    static func person(
        _ client: TestGateway.Client,
        _ gateway: TestGateway
    ) async throws -> String {
        let principal = try await gateway.ledger.accounts.authenticate(client.token)
        return "\(try gateway.ledger.personBehind(principal))"
    }
}
