// SPDX-License-Identifier: Apache-2.0
import Events
import HTTPTypes
import Hummingbird
import NIOCore
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `The cookie of a browser` {
    @Test func `ends the sign-in before, when somebody else signs in`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            // So that the browser is the only place.
            #expect(try await amina.post("/v1/auth/logout").status == 200)
            _ = try await gateway.user(.operator, login: "ben")
            let first = try await gateway.signIn("amina")
            let again = try await gateway.signIn("amina", cookie: first)
            #expect(try await gateway.me(first) == 401)
            #expect(try gateway.events("user.logged_out/1").isEmpty, "amina goes on")
            let other = try await gateway.signIn("ben", cookie: again)
            #expect(try await gateway.me(again) == 401)
            #expect(try await gateway.me(other) == 200)
            #expect(try gateway.events("user.logged_out/1").count == 1)
        }
    }

    @Test func `leaves a sign-in elsewhere alone`() async throws {
        try await TestGateway.run { gateway in
            _ = try await gateway.user(.operator, login: "amina")
            let (home, work) = (
                try await gateway.signIn("amina"), try await gateway.signIn("amina")
            )
            let next = try await gateway.signIn("amina", cookie: work)
            #expect(try await gateway.me(work) == 401)
            #expect(try await gateway.me(home) == 200)
            #expect(try await gateway.me(next) == 200)
        }
    }

    @Test func `is nobody's where strangers may come, once its token has ended`() async throws {
        try await TestGateway.run { gateway in
            _ = try await gateway.user(.operator, login: "amina")
            let old = try await gateway.signIn("amina")
            let headers: HTTPFields = [.cookie: old]
            #expect(
                try await gateway.send(.post, "/v1/auth/logout", headers: headers).status == 200
            )
            #expect(try await gateway.me(old) == 401)
            #expect(try await gateway.send(.get, "/v1/ledger", headers: headers).status == 200)
            #expect(try await gateway.me(try await gateway.signIn("amina", cookie: old)) == 200)
            let wrong = try await gateway.send(
                .get,
                "/v1/ledger",
                headers: [.authorization: "Bearer nobody"]
            )
            #expect(wrong.status == 401, "a program learns that its token is none")
        }
    }
}

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `Signing out` {
    @Test func `ends the cookie and the token that are one, and none besides`() async throws {
        try await TestGateway.run { gateway in
            let user = try await gateway.user(.operator, login: "amina")
            let (here, elsewhere) = (
                try await gateway.signIn("amina"), try await gateway.signIn("amina")
            )
            let bearer = "Bearer \(here.dropFirst("daybook=".count))"
            for headers: HTTPFields in [[.cookie: here], [.authorization: bearer]] {
                #expect(try await gateway.send(.get, "/v1/me", headers: headers).status == 200)
            }
            let left = try await gateway.send(
                .post,
                "/v1/auth/logout",
                headers: [.authorization: bearer]
            )
            #expect(left.status == 200)
            let cookie = try #require(left.headers[.setCookie])
            #expect(cookie.hasPrefix("daybook=;") && cookie.contains("Max-Age=0"), "\(cookie)")
            // The same secret, wherever it comes from; a second sign-out is nobody's.
            for headers: HTTPFields in [[.cookie: here], [.authorization: bearer]] {
                let me = try await gateway.send(.get, "/v1/me", headers: headers)
                #expect(me.status == 401)
                #expect(try me.problem == "session-expired")
                let again = try await gateway.send(.post, "/v1/auth/logout", headers: headers)
                #expect(again.status == 401)
            }
            #expect(try await gateway.me(elsewhere) == 200)
            #expect(try await user.get("/v1/me").status == 200)
            let open = try await gateway.ledger.accounts.tokens(ofUser: user.id)
                .count { $0.revoked == nil }
            #expect(open == 2)
        }
    }

    @Test(arguments: ["{", #"{"tabClosed": "yes"}"#])
    func `ends them whatever is wrong with the request`(body: String) async throws {
        try await TestGateway.run { gateway in
            _ = try await gateway.user(.operator, login: "amina")
            let here = try await gateway.signIn("amina")
            let left = try await gateway.send(
                .post,
                "/v1/auth/logout",
                headers: [.cookie: here],
                body: body
            )
            #expect(left.status == 400)
            #expect(try await gateway.me(here) == 401)
        }
    }

    @Test func `ends what was read by it a moment ago`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let answer = try await gateway.responder.respond(
                to: Request(
                    head: HTTPRequest(
                        method: .get,
                        scheme: "http",
                        authority: "desk.example",
                        path: "/v1/events",
                        headerFields: [.authorization: "Bearer \(amina.token)"]
                    ),
                    body: RequestBody(buffer: ByteBuffer())
                ),
                context: GatewayContext(logger: gateway.ledger.logger)
            )
            #expect(answer.status == .ok)
            #expect(try await amina.post("/v1/auth/logout").status == 200)
            // A feed that went on would never come to its end.
            try await answer.body.write(CollectedBody())
        }
    }
}

extension TestGateway {
    /// Signs in as a browser does, and gives its cookie.
    fileprivate func signIn(_ login: String, cookie: String? = nil) async throws -> String {
        var headers: HTTPFields = [:]
        headers[.cookie] = cookie
        let answer = try await send(
            .post,
            "/v1/auth/login",
            headers: headers,
            body: Self.json(["login": login, "password": "correct horse battery"])
        )
        guard answer.status == 200 else { throw UnexpectedAnswer(answer: answer) }
        return "daybook=\(try answer.text("token"))"
    }

    /// What is answered to who asks who they are.
    fileprivate func me(_ cookie: String) async throws -> Int {
        try await send(.get, "/v1/me", headers: [.cookie: cookie]).status
    }
}
