// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import HTTPTypes
import Projections
import TestSupport
import Testing

@testable import Gateway

/// However a sign-in ends: a caller is not left with nobody in silence, and who is signed in elsewhere keeps what is open.
@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `Whoever leaves` {
    /// An operator with two screens, and a session that a caller opened.
    private struct Desk {
        let gateway: TestGateway
        let admin: TestGateway.Client
        let first: TestGateway.Client
        let second: TestGateway.Client
        let session: SessionID

        init(_ gateway: TestGateway) async throws {
            self.gateway = gateway
            admin = try await gateway.user(.admin, login: "ada")
            first = try await gateway.user(.operator, login: "amina")
            let token = try await gateway.ledger.accounts.issueToken(forUser: first.id)
            second = TestGateway.Client(gateway: gateway, token: token.token, id: first.id)
            session = try await gateway.openChat("+447712345678", codeBy: first).session
            // The ledger knows of a sign-in.
            _ = try await gateway.ledger.handler.handle(
                LogIn(UserID(unchecked: first.id), method: .password),
                gateway.ledger.context(actor: .ledger, organisation: .main)
            )
        }

        func claim(on screen: TestGateway.Client) async throws {
            #expect(try await screen.post("/v1/sessions/\(session)/claim").status == 200)
            // The look asks the desk who has sessions.
            let last = try #require(gateway.ledger.log.size.checkedPrevious)
            try await gateway.ledger.readModels.runner.wait(for: last, on: "operator-desk")
        }

        var owner: UserID? {
            get throws { try gateway.ledger.handler.current(Session.self, session).owner }
        }

        /// Whether the ledger says that its owner is not there.
        var isUnattended: Bool {
            get throws {
                try gateway.ledger.handler.current(Session.self, session).absence != nil
            }
        }

        /// Looks for who is gone, as the gateway does now and then.
        func look() async throws {
            try await IdleLogoutService(ledger: gateway.ledger).look()
        }
    }

    @Test func `frees the sessions with the last screen, not before, whatever was told before`()
        async throws
    {
        try await TestGateway.run { gateway in
            let desk = try await Desk(gateway)
            try await desk.claim(on: desk.second)
            #expect(try await desk.first.post("/v1/auth/logout").status == 200)
            try await desk.look()
            #expect(try desk.owner?.text == desk.first.id)
            #expect(try gateway.events(UserLoggedOut.kind).count == 1)
            #expect(try await desk.second.post("/v1/auth/logout").status == 200)
            #expect(try desk.owner == nil)
        }
    }

    @Test
    func `is awaited a while behind a closed tab, taken over then, and freed by who disables`()
        async throws
    {
        let clock = TestClock()
        try await TestGateway.run { configuration in
            configuration.clock = clock.ledgerClock
        } _: { gateway in
            let desk = try await Desk(gateway)
            try await desk.claim(on: desk.first)
            #expect(try await desk.second.post("/v1/auth/logout").status == 200)
            let closed = try await desk.first.post("/v1/auth/logout", ["tabClosed": true])
            #expect(closed.status == 200)
            clock.advance(by: .seconds(299))
            try await desk.look()
            #expect(try !desk.isUnattended)
            clock.advance(by: .seconds(2))
            try await desk.look()
            try await desk.look()
            #expect(try desk.owner?.text == desk.first.id)
            #expect(try gateway.events(SessionUnattended.kind).count == 1)

            let bob = try await gateway.user(.operator, login: "bob")
            let path = "/v1/sessions/\(desk.session)/take-over"
            #expect(try await bob.post(path).status == 409)
            clock.advance(by: .seconds(120))
            #expect(try await bob.post(path).status == 200)
            #expect(try await bob.post("/v1/auth/logout", ["tabClosed": true]).status == 200)
            #expect(try desk.owner?.text == bob.id)
            let gone = try await desk.admin.send(
                .patch,
                "/v1/users/\(bob.id)",
                ["disabled": true, "reason": "left"]
            )
            #expect(gone.status == 200)
            #expect(try desk.owner == nil)
        }
    }

    @Test func `leaves them unattended by a request that was cut off, and by a crash`()
        async throws
    {
        let (folder, session) = try await TestGateway.run { gateway in
            let desk = try await Desk(gateway)
            #expect(try await desk.second.post("/v1/auth/logout").status == 200)
            try await desk.claim(on: desk.first)
            let out = try await gateway.send(
                .post,
                "/v1/auth/logout",
                headers: [.authorization: "Bearer \(desk.first.token)"],
                body: "{"
            )
            #expect(out.status == 400)
            try await desk.look()
            #expect(try desk.isUnattended)

            let sue = try await gateway.user(.supervisor, login: "sue")
            #expect(try await sue.post("/v1/sessions/\(desk.session)/release").status == 200)
            let bob = try await gateway.user(.operator, login: "bob")
            try await desk.claim(on: bob)
            // As a process that ended right behind it leaves it.
            let principal = try await gateway.ledger.accounts.authenticate(bob.token)
            try await gateway.ledger.accounts.revoke(tokenID: principal.tokenID)
            return (gateway.folder, desk.session)
        }
        try await TestGateway.run(in: folder) { gateway in
            let last = try #require(gateway.ledger.log.size.checkedPrevious)
            try await gateway.ledger.readModels.runner.wait(for: last, on: "operator-desk")
            try await IdleLogoutService(ledger: gateway.ledger).look()
            let left = try gateway.ledger.handler.current(Session.self, session)
            #expect(left.absence != nil)
        }
    }

    @Test func `frees them with the last token that an admin ends`() async throws {
        try await TestGateway.run { gateway in
            let desk = try await Desk(gateway)
            try await desk.claim(on: desk.first)
            let path = "/v1/users/\(desk.first.id)/tokens"
            let tokens = try await gateway.ledger.accounts.tokens(ofUser: desk.first.id)
            #expect(tokens.count == 2)
            for (number, token) in tokens.enumerated() {
                #expect(try await desk.admin.send(.delete, "\(path)/\(token.id)").status == 204)
                #expect(try (desk.owner == nil) == (number == 1))
            }
        }
    }

    @Test func `frees them when the request is repeated that the accounts could not follow`()
        async throws
    {
        try await TestGateway.run { gateway in
            let desk = try await Desk(gateway)
            try await desk.claim(on: desk.first)
            let ledger = gateway.ledger
            let user = try await ledger.accounts.user(id: desk.first.id)
            let context = { ledger.context(actor: .ledger, organisation: .main) }
            // The event alone, behind which the accounts could not be written.
            let disabled = ChangeAccount.Change.disabled(reason: "left")
            try await ledger.record(disabled, of: user, context())
            #expect(try desk.owner != nil)
            try await ledger.settle(user, asked: context())
            #expect(try desk.owner == nil)
            #expect(try await desk.second.get("/v1/me").status == 401)
        }
    }
}
