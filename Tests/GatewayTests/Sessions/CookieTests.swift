// SPDX-License-Identifier: Apache-2.0
import Events
import HTTPTypes
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(2))) struct `The cookie of a browser` {
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
