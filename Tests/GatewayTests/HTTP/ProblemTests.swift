// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Hummingbird
import TestSupport
import Testing
import Threads

@testable import Gateway

private struct Greeting: Codable, Sendable {
    let name: String
    let ages: [Int]
}

private func greetingDoor(
    isTLS: Bool = false,
    adjust: (inout GatewayLimits) -> Void = { _ in }
) throws -> TestDoor {
    let test = try TestDoor(isTLS: isTLS, adjust: adjust)
    test.door.router.post("/v1/greetings") { request, context -> String in
        try await request.decode(as: Greeting.self, context: context).name
    }
    test.door.router.get("/v1/greetings/:id") { _, context in
        let principal = try context.signedIn()
        try principal.require([.supervisor])
        return principal.actor
    }
    test.door.router.get("/v1/broken") { _, _ -> String in throw CocoaError(.fileNoSuchFile) }
    return test
}

private let json: HTTPFields = [.contentType: "application/json"]

@Suite(.tags(.promise10)) struct `A bad request` {
    @Test func `to an unknown route is a 404`() async throws {
        let answer = try await greetingDoor().send(.get, "/v1/nothing")
        #expect(answer.status == 404)
        #expect(try answer.problem == "unknown-route")
    }

    @Test func `with the wrong method is a 405 that names the right ones`() async throws {
        let answer = try await greetingDoor().send(.delete, "/v1/greetings/7")
        #expect(answer.status == 405)
        #expect(answer.headers[.allow] == "GET, HEAD")
    }

    @Test(arguments: [
        ("{\"name\":\"Ada\"", ""), ("{\"name\":\"Ada\"}", "/ages"),
        ("{\"name\":7,\"ages\":[]}", "/name"), ("{\"name\":\"\",\"ages\":[1,\"x\"]}", "/ages/1"),
        ("", ""),
    ])
    func `with JSON that does not fit is a 400 that names the place`(
        body: String,
        pointer: String
    ) async throws {
        let answer = try await greetingDoor().send(
            .post,
            "/v1/greetings",
            headers: json,
            body: body
        )
        #expect(answer.status == 400)
        #expect(try answer.problem == "malformed-json")
        #expect(try answer.members["pointer"] == pointer)
    }

    @Test func `with another media type is a 415`() async throws {
        let answer = try await greetingDoor().send(.post, "/v1/greetings", body: "{}")
        #expect(answer.status == 415)
    }

    @Test func `with too long a body is a 413 that tells the limit`() async throws {
        let test = try greetingDoor { $0.commandBodyBytes = 16 }
        let body = "{\"name\":\"Ada\",\"ages\":[1,2,3]}"
        let answer = try await test.send(.post, "/v1/greetings", headers: json, body: body)
        #expect(answer.status == 413)
        #expect(try answer.members["limitBytes"] == "16")
    }

    @Test func `with too long a stream is a 413`() async throws {
        let test = try TestDoor { $0.streamedBodyBytes = 4 }
        let group = test.door.router.group("/v1").add(middleware: BodyLimitMiddleware())
        group.put("/chunks") { request, _ -> String in
            var count = 0
            for try await bytes in request.body { count += bytes.readableBytes }
            return String(count)
        }
        #expect(try await test.send(.put, "/v1/chunks", body: "1234").body == "4")
        #expect(try await test.send(.put, "/v1/chunks", body: "12345").status == 413)
        let announced = try await test.send(.put, "/v1/chunks", headers: [.contentLength: "5"])
        #expect(announced.status == 413)
    }

    @Test func `without a token is a 401 that says how to sign in`() async throws {
        let answer = try await greetingDoor().send(.get, "/v1/greetings/7")
        #expect(answer.status == 401)
        #expect(answer.headers[.wwwAuthenticate] == "Bearer realm=\"daybook\"")
    }

    @Test func `with an unknown token is a 401 even where none is needed`() async throws {
        let headers: HTTPFields = [.authorization: "Bearer dbk_none"]
        let answer = try await greetingDoor().send(.get, "/metrics", headers: headers)
        #expect(try answer.problem == "session-expired")
    }

    @Test func `of another role is a 403 that names the role`() async throws {
        let test = try greetingDoor()
        let headers: HTTPFields = [.authorization: "Bearer \(try await test.token(role: .analyst))"]
        let answer = try await test.send(.get, "/v1/greetings/7", headers: headers)
        #expect(answer.status == 403)
        #expect(try answer.members["role"] == "analyst")
    }

    @Test func `that we cannot answer is a 500 without inner words`() async throws {
        let answer = try await greetingDoor().send(.get, "/v1/broken")
        #expect(answer.status == 500)
        #expect(!answer.body.contains("Cocoa"))
    }

    @Test func `too many of one address are a 429 with a time to come back`() async throws {
        let test = try greetingDoor {
            $0.requestsOfAddress = Rate(burst: 2, perSecond: 0.01)
        }
        let responder = test
        #expect(try await responder.send(.get, "/v1/nothing").status == 404)
        #expect(try await responder.send(.get, "/v1/nothing").status == 404)
        let answer = try await responder.send(.get, "/v1/nothing")
        #expect(answer.status == 429)
        #expect((Int(answer.headers[.retryAfter] ?? "") ?? 0) > 0)
        #expect(try await responder.send(.get, "/v1/nothing", from: "192.0.2.8").status == 404)
    }
}

@Suite struct `Whoever is signed in` {
    @Test func `is not kept out by strangers behind the same address`() async throws {
        let test = try greetingDoor {
            $0.requestsOfAddress = Rate(burst: 2, perSecond: 0.01)
        }
        let token = try await test.token()
        for expected in [401, 401, 429] {
            let answer = try await test.send(
                .get,
                "/v1/nothing",
                headers: [.authorization: "Bearer not-a-token"]
            )
            #expect(answer.status == expected)
        }
        #expect(try await test.send(.get, "/v1/nothing").status == 429)
        let known = try await test.send(
            .get,
            "/v1/nothing",
            headers: [.authorization: "Bearer \(token)"]
        )
        #expect(known.status == 404)
    }
}

@Suite struct `Every answer` {
    @Test func `has the id of its request, given or made`() async throws {
        let test = try greetingDoor()
        let given = try await test.send(.get, "/x", headers: [.requestID: "proxy-17"])
        #expect(given.headers[.requestID] == "proxy-17")
        #expect(try given.members["instance"] == "urn:daybook:request:proxy-17")
        let unusable = try await test.send(.get, "/x", headers: [.requestID: "a b"])
        let made = try #require(unusable.headers[.requestID])
        #expect(RequestIDMiddleware.isUsable(made))
        #expect(try unusable.members["instance"] == "urn:daybook:request:\(made)")
    }

    @Test func `tells browsers what not to do`() async throws {
        let answer = try await greetingDoor().send(.get, "/metrics")
        #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        #expect(answer.headers[.strictTransportSecurity] == nil)
    }

    @Test func `is counted by route, never by path`() async throws {
        let test = try greetingDoor()
        _ = try await test.send(.get, "/v1/greetings/secret-17")
        let token = try await test.token(role: .admin)
        let headers: HTTPFields = [.authorization: "Bearer \(token)"]
        let text = try await test.send(.get, "/metrics", headers: headers).body
        #expect(
            text.contains(
                """
                daybook_http_requests_total{method="GET",route="/v1/greetings/{id}",status="401"} 1
                """
            ),
            "\(text)"
        )
        #expect(!text.contains("secret-17"))
    }

    @Test func `to a cookie from another site is a refusal`() async throws {
        let test = try greetingDoor()
        let token = try await test.token()
        var headers = json
        headers[.cookie] = "daybook=\(token)"
        headers[.origin] = "https://elsewhere.example"
        let body = "{\"name\":\"Ada\",\"ages\":[]}"
        let other = try await test.send(.post, "/v1/greetings", headers: headers, body: body)
        #expect(try other.problem == "cross-origin")
        headers[.origin] = "http://desk.example"
        #expect(
            try await test.send(.post, "/v1/greetings", headers: headers, body: body).body == "Ada"
        )
    }

    /// Origin of the page, `Host`, what a proxy tells, and whether the page is ours.
    @Test(arguments: [
        ("https://centre.example:8443", "centre.example", nil, true),
        ("https://centre.example", "127.0.0.1:8080", "centre.example", true),
        ("https://centre.example:8443", "127.0.0.1:8080", "centre.example", true),
        ("https://centre.example", "Centre.Example", nil, true),
        ("https://centre.example", "centre.example:443", nil, true),
        ("https://[2001:db8::1]", "[2001:DB8::1]", nil, true),
        ("https://centre.example", "127.0.0.1:8080", nil, false),
        ("https://centre.example:8443", "centre.example:443", nil, false),
        ("https://centre.example.evil.example", "centre.example", nil, false),
        ("https://evil.example", "centre.example", "centre.example", false),
        ("null", "centre.example", nil, false), ("centre.example", "centre.example", nil, false),
    ])
    func `to a cookie behind a proxy is one where the page is another site's`(
        origin: String,
        host: String,
        forwarded: String?,
        isOwn: Bool
    ) throws {
        var headers: HTTPFields = [.cookie: "daybook=1", .origin: origin]
        if let forwarded, let name = HTTPField.Name("X-Forwarded-Host") {
            headers[name] = forwarded
        }
        let request = Request(
            head: HTTPRequest(
                method: .post,
                scheme: nil,
                authority: host,
                path: "/v1/chats",
                headerFields: headers
            ),
            body: .init(buffer: .init())
        )
        let range = try #require(NetworkRange("10.0.0.1"))
        let told = ClientAddressMiddleware.host(
            in: headers,
            peer: "10.0.0.1",
            proxies: TrustedProxies(ranges: [range], header: .forwardedFor)
        )
        #expect(told == forwarded)
        let credential = try #require(Credential(of: request, to: nil))
        let refused = Result { () throws(Problem) in
            try credential.refuseOtherSites(request, forwardedHost: told, isTLS: false)
        }
        #expect(((try? refused.get()) != nil) == isOwn)
    }

    @Test func `to a cookie from a page without TLS is a refusal, where TLS is spoken`()
        async throws
    {
        let test = try greetingDoor(isTLS: true)
        var headers = json
        headers[.cookie] = "daybook=\(try await test.token())"
        let body = "{\"name\":\"Ada\",\"ages\":[]}"
        headers[.origin] = "http://desk.example"
        let plain = try await test.send(.post, "/v1/greetings", headers: headers, body: body)
        #expect(try plain.problem == "cross-origin")
        headers[.origin] = "https://desk.example"
        let own = try await test.send(.post, "/v1/greetings", headers: headers, body: body)
        #expect(own.body == "Ada")
    }

    @Test func `to a temporary password asks for a new one`() async throws {
        let test = try greetingDoor()
        let user = try await test.accounts.createUser(
            login: "new",
            password: "given to them once",
            role: .supervisor,
            org: "centre"
        )
        let token = try await test.accounts.issueToken(forUser: user.id).token
        let headers: HTTPFields = [.authorization: "Bearer \(token)"]
        let answer = try await test.send(.get, "/v1/greetings/7", headers: headers)
        #expect(try answer.problem == "password-must-change")
    }
}
