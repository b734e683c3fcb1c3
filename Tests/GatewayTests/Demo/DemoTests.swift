// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import TestSupport
import Testing
import Threads

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A demo` {
    // MARK: - Whom a visitor may be

    @Test func `lists everybody who has a page and a password of their own, and three phones`()
        async throws
    {
        try await Self.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            _ = try await gateway.user(.auditor, login: "arne")
            _ = try await gateway.user(.reporter, login: "rita")
            let gone = try await gateway.user(.analyst, login: "gone")
            try await gateway.ledger.accounts.setDisabled(true, user: gone.id)
            var phones: [String] = []
            for number in [
                "+447712345678", "+447712345754", "+447712345755", "+447712345756",
            ] {
                phones.append(try await gateway.caller(number, codeBy: amina).id)
            }
            let answer = try await Self.send(gateway, .get, "/v1/demo")
            #expect(answer.status == 200)
            let found = try answer.items.map { person in
                ["role", "home", "login", "phone"].map { person[$0] as? String ?? "-" }
            }
            #expect(
                found == [
                    // The first admin has a temporary password still, and a reporter has no page.
                    ["operator", "/console", "amina", "-"], ["auditor", "/replay", "arne", "-"],
                    ["caller", "/call", "-", "+447712345678"],
                    ["caller", "/call", "-", "+447712345754"],
                    ["caller", "/call", "-", "+447712345755"],
                ]
            )
            let listed = try answer.items.compactMap { $0["person"] as? String }.suffix(3)
            #expect(Array(listed) == Array(phones.prefix(3)))
        }
    }

    @Test func `lists a citizen by name, with the page for citizens`() async throws {
        try await Self.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let tess = try await gateway.caller("+447712345678", codeBy: amina)
            #expect(try await tess.send(.put, "/v1/me/safety", ["name": "Tess"]).status == 200)
            let person = try #require(try await Self.send(gateway, .get, "/v1/demo").items.last)
            #expect(person["person"] as? String == tess.id)
            #expect(person["name"] as? String == "Tess")
            #expect(person["home"] as? String == "/safe")
        }
    }

    @Test func `signs in as a user by one press: token, cookie, and a record of how`() async throws
    {
        try await Self.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let answer = try await Self.signIn(gateway, as: amina.id)
            #expect(answer.status == 200)
            let token = try answer.text("token")
            #expect(answer.headers[.setCookie]?.hasPrefix("daybook=\(token); ") == true)
            let me = TestGateway.Client(gateway: gateway, token: token, id: amina.id)
            #expect(try await me.get("/v1/me").text("login") == "amina")
            #expect(try await me.get("/v1/users").status == 403)
            let last = try #require(try gateway.events(UserLoggedIn.kind).last)
            guard case .user(.loggedIn(let event)) = last.fact else {
                Issue.record("\(last.fact)")
                return
            }
            #expect(event.method == .demo)
            // Silence signs out, as after every other sign-in.
            let lasts = try await gateway.ledger.accounts.signedIn(
                gateway.ledger.accounts.authenticate(token)
            ).lasts
            #expect(lasts <= gateway.ledger.configuration.limits.accounts.operatorIdle)
        }
    }

    @Test func `gives a visitor a registered phone, without a cookie, and records it`() async throws
    {
        try await Self.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let phone = try await gateway.caller("+447712345678", codeBy: amina)
            let answer = try await Self.signIn(gateway, as: phone.id)
            #expect(answer.status == 200)
            #expect(answer.headers[.setCookie] == nil)
            let token = try answer.text("token")
            let visitor = TestGateway.Client(gateway: gateway, token: token, id: phone.id)
            #expect(try await visitor.get("/v1/me").text("phone") == "+447712345678")
            // The phone that was there goes on.
            #expect(try await phone.get("/v1/me").status == 200)
            let reads = try gateway.events(AccessRead.kind).compactMap { event in
                if case .access(.read(let read)) = event.fact { read } else { nil }
            }
            #expect(reads.last?.purpose == "demo")
            #expect(reads.last?.resource == .device(try #require(DeviceID(phone.id))))
        }
    }

    @Test func `signs in as nobody else`() async throws {
        try await Self.run { gateway in
            let rita = try await gateway.user(.reporter, login: "rita")
            // A reporter has no page, the first admin a temporary password, and nobody the third id.
            for person in [rita.id, "admin", "0199e0c0-0000-7000-8000-000000000000", ""] {
                let answer = try await Self.signIn(gateway, as: person)
                #expect(answer.status == 404, "\(person)")
                #expect(answer.headers[.setCookie] == nil)
            }
            #expect(try gateway.events(UserLoggedIn.kind).isEmpty)
        }
    }

    @Test(
        arguments: [
            ("evil.example", nil), ("evil.example:8080", "http://evil.example:8080"),
            ("127.0.0.1:8080", "https://evil.example"), ("localhost.evil.example", nil),
            ("localhost:8080", "http://localhost:9090"), ("localhost:8080", "null"),
        ]
    )
    func `answers no page of another site`(host: String, origin: String?) async throws {
        try await Self.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let answers = [
                try await Self.signIn(gateway, as: amina.id, at: host, from: origin),
                try await Self.send(gateway, .get, "/v1/demo", at: host, from: origin),
            ]
            for answer in answers {
                #expect(answer.status == 403)
                #expect(try answer.problem == "cross-origin")
            }
        }
    }

    @Test(
        arguments: ["Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP", "Via"]
    )
    func `answers nobody whom a proxy brings`(header: String) async throws {
        try await Self.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let name = try #require(HTTPField.Name(header))
            let answers = [
                try await Self.signIn(gateway, as: amina.id, with: [name: "1.1 somebody"]),
                try await Self.send(gateway, .get, "/v1/demo", with: [name: ""]),
            ]
            for answer in answers {
                #expect(answer.status == 403)
                #expect(try answer.text("detail").contains(header))
            }
        }
    }

    @Test(arguments: ["localhost", "127.0.0.1:80", "[::1]:8080", "amina.localhost:8080"])
    func `answers its own page, by every name of this machine`(host: String) async throws {
        try await Self.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let answer = try await Self.signIn(
                gateway,
                as: amina.id,
                at: host,
                from: "http://\(host)"
            )
            #expect(answer.status == 200)
        }
    }

    @Test func `lets visitors sign in so often, and says when again`() async throws {
        try await TestGateway.run {
            $0.isDemo = true
            $0.pages = nil
            $0.limits.demoSignIns = .init(burst: 2, perSecond: 0.001)
        } _: { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            for status in [200, 200, 429] {
                #expect(try await Self.signIn(gateway, as: amina.id).status == status)
            }
        }
    }

    // MARK: - The mark

    @Test func `is one for good by its making, and says so`() async throws {
        let folder = try await Self.run { gateway in
            _ = try await gateway.user(.operator, login: "amina")
            return gateway.folder
        }
        // No option is needed again, and signing has rewritten the key meanwhile.
        try await TestGateway.run(in: folder) {
            $0.pages = nil
        } _: { gateway in
            try await gateway.ledger.log.makeCheckpoint()
            let ledger = try await gateway.send(.get, "/v1/ledger").object
            #expect(ledger["isDemo"] as? Bool == true)
            #expect(try await gateway.readiness()["isDemo"] as? Bool == true)
            #expect(try await Self.send(gateway, .get, "/v1/demo").items.count == 1)
            let page = try await gateway.send(.get, "/demo")
            #expect(page.status == 200)
            #expect(page.body.contains(#""isDemo":true"#))
            let front = try await gateway.send(.get, "/").body
            #expect(front.contains(" data-demo>") && !front.contains("data-demo hidden"))
        }
        try await Self.run(in: folder) { gateway in
            #expect(gateway.ledger.isDemo)
        }
    }

    @Test func `is never made of a ledger that is none, which has no such routes`() async throws {
        let folder = try await TestGateway.run {
            $0.pages = nil
        } _: { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let unknown = try await gateway.send(.get, "/v1/nothing")
            let answers = [
                try await Self.send(gateway, .get, "/v1/demo"),
                try await Self.signIn(gateway, as: amina.id),
                try await gateway.send(.get, "/demo"),
                // Also who is signed in, and may do anything else.
                try await gateway.user(.admin, login: "ann").get("/v1/demo"),
            ]
            for answer in answers {
                #expect(answer.status == 404)
                #expect(try Self.told(answer) == Self.told(unknown))
            }
            let ledger = try await gateway.send(.get, "/v1/ledger").object
            #expect(ledger["isDemo"] as? Bool == false)
            #expect(try await gateway.send(.get, "/").body.contains("data-demo hidden"))
            return gateway.folder
        }
        let ledger = folder.url.appending(path: "ledger")
        let before = try FolderDigest(of: ledger)
        let refusal = await #expect(throws: StartError.self) {
            try await Self.run(in: folder) { _ in }
        }
        #expect(refusal == .noDemo(ledger.path))
        #expect(try FolderDigest(of: ledger).changes(since: before) == [])
    }

    /// What a folder's writer could put there without the master key makes no demo: the mark is in the wrapped key.
    @Test func `is not what its public description says`() async throws {
        let folder = try await TestGateway.run { $0.folder }
        let file = folder.url.appending(path: "ledger/daybook.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        let marked = text.replacing("{", with: #"{"isDemo":true,"demo":true,"#, maxReplacements: 1)
        try Data(marked.utf8).write(to: file)
        try await TestGateway.run(in: folder) {
            $0.pages = nil
        } _: { gateway in
            let answer = try await Self.send(gateway, .get, "/v1/demo")
            #expect(!gateway.ledger.isDemo)
            #expect(answer.status == 404)
        }
    }

    @Test(arguments: [false, true])
    func `is refused beyond the loopback, made or opened`(isMade: Bool) async throws {
        let folder =
            isMade
            ? try await Self.run { $0.folder }
            : try TemporaryFolder()
        let outward: [(inout GatewayConfiguration) -> Void] = [
            { $0.host = "0.0.0.0" }, { $0.isBehindProxy = true },
            { ($0.isBehindProxy, $0.host) = (true, "192.0.2.7") },
            { $0.trustedProxies = ["192.0.2.7"] },
            { $0.telephony.plain = .init(host: "0.0.0.0", port: 5060) },
        ]
        for outward in outward {
            var configuration = GatewayConfiguration(folder: folder.url.appending(path: "ledger"))
            configuration.isDemo = !isMade
            outward(&configuration)
            let refusal = #expect(throws: StartError.self) {
                if isMade {
                    _ = try Ledger.open(configuration, logger: Self.silent)
                } else {
                    _ = try Gateway(configuration, logger: Self.silent)
                }
            }
            guard case .demoBeyondLoopback = refusal else {
                Issue.record("\(String(describing: refusal))")
                continue
            }
        }
        // Nothing was made.
        let ledger = folder.url.appending(path: "ledger").path
        #expect(FileManager.default.fileExists(atPath: ledger) == isMade)
    }

    // MARK: - Asking

    private static func run<Value: Sendable>(
        in folder: TemporaryFolder? = nil,
        _ body: @Sendable (TestGateway) async throws -> Value
    ) async throws -> Value {
        try await TestGateway.run(in: folder) {
            $0.isDemo = true
            // What a demo offers follows from its pages.
            $0.pages = nil
        } _: { gateway in
            try await body(gateway)
        }
    }

    private static var silent: Logger {
        Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    }

    private static func told(_ answer: TestAnswer) throws -> [String: String] {
        try answer.members.filter { ["type", "title", "status", "detail"].contains($0.key) }
    }

    private static func signIn(
        _ gateway: TestGateway,
        as person: String,
        at host: String = "127.0.0.1:8080",
        from origin: String? = nil,
        with headers: HTTPFields = [:]
    ) async throws -> TestAnswer {
        let body = try TestGateway.json(["person": person])
        let path = "/v1/demo/sign-in"
        return try await send(
            gateway,
            .post,
            path,
            body: body,
            at: host,
            from: origin,
            with: headers
        )
    }

    /// As a page of a host asks it.
    private static func send(
        _ gateway: TestGateway,
        _ method: HTTPRequest.Method,
        _ path: String,
        body: String = "",
        at host: String = "127.0.0.1:8080",
        from origin: String? = nil,
        with headers: HTTPFields = [:]
    ) async throws -> TestAnswer {
        var headers = headers
        headers[.origin] = origin
        if !body.isEmpty { headers[.contentType] = "application/json" }
        let request = Request(
            head: HTTPRequest(
                method: method,
                scheme: "http",
                authority: host,
                path: path,
                headerFields: headers
            ),
            body: RequestBody(buffer: ByteBuffer(string: body))
        )
        let response = try await gateway.responder.respond(
            to: request,
            context: GatewayContext(logger: gateway.ledger.logger, remoteAddress: "127.0.0.1")
        )
        let collected = CollectedBody()
        try await response.body.write(collected)
        return TestAnswer(
            status: Int(response.status.code),
            headers: response.headers,
            body: collected.text
        )
    }
}
