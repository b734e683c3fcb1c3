// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Commands
@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `Who is turned away` {
    @Test func `writes no history as a stranger but one event a reason and minute`() async throws {
        try await TestGateway.run {
            // Longer than any machine takes for the requests.
            $0.limits.strangerRefusals = .seconds(86_400)
        } _: { gateway in
            let size = gateway.ledger.log.size
            for _ in 0..<2_000 {
                let id: SessionID = gateway.ledger.newID()
                let answer = try await gateway.send(
                    .get,
                    "/v1/sessions/\(id)",
                    headers: [.authorization: "Bearer nobody"]
                )
                #expect(answer.status == 401)
            }
            _ = try await gateway.ledger.log.waitForSize(size + 1)
            #expect(gateway.ledger.strangers.totals == [.token: 2_000])
            #expect(gateway.ledger.log.size == size + 1)
            let told = try #require(try gateway.events(AccessRefused.kind).first)
            let refused = try #require(told.fact.payload as? AccessRefused)
            #expect(told.envelope.actor == .nobody)
            #expect(refused.resource == nil)
            #expect(refused.network == "192.0.2.0/24")
            #expect((1...2_000).contains(refused.count))
        }
    }

    @Test func `is told with a count once the minute is over`() {
        let strangers = StrangerRefusals(every: .seconds(60), networksMax: 2)
        let begin = ContinuousClock.now
        strangers.count(.token, attempt: "GET /a", address: "192.0.2.1")
        #expect(strangers.take(at: begin).due.map(\.count) == [1])
        for last in 1...5 {
            strangers.count(.token, attempt: "GET /b", address: "198.51.100.\(last)")
        }
        strangers.count(.token, attempt: "GET /c", address: "2001:db8:1:2::3")
        strangers.count(.expired, attempt: "GET /d", address: "local")
        let early = strangers.take(at: begin + .seconds(20))
        #expect(early.due.map(\.reason) == [.expired])
        #expect(early.due.first?.network == nil)
        #expect(early.wait == .seconds(40))
        let late = strangers.take(at: begin + .seconds(60))
        #expect(late.due.map(\.count) == [6])
        #expect(late.due.first?.network == "198.51.100.0/24")
        #expect(late.due.first?.attempt == "GET /c")
        #expect(late.wait == nil)
    }

    @Test func `and is known is recorded once a minute for all ids that nothing has`() async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let caller = try await gateway.caller("+447712345678", codeBy: amina)
            for _ in 0..<50 {
                let id: SessionID = gateway.ledger.newID()
                #expect(try await caller.post("/v1/sessions/\(id)/claim").status == 403)
            }
            let refusals = try gateway.events(AccessRefused.kind).compactMap {
                $0.fact.payload as? AccessRefused
            }
            // The minute may have changed meanwhile.
            #expect((1...2).contains(refusals.count))
            #expect(refusals.allSatisfy { $0.resource == nil && $0.count == 1 })
        }
    }
}

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `The budget of an actor` {
    @Test func `refuses what is beyond it, says so once, and is free again in time`() async throws {
        let clock = TestClock()
        try await TestGateway.run { configuration in
            configuration.clock = clock.ledgerClock
            configuration.limits.budgetOfPhone = ActorBudget(
                eventsPerMinute: 60,
                bytesPerHour: 1 << 20
            )
        } _: { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            var taken = 0
            var refused: TestAnswer?
            for _ in 0..<200 where refused == nil {
                let answer = try await caller.post(
                    "/v1/sessions/\(session)/messages",
                    ["text": "help"]
                )
                if answer.status == 201 { taken += 1 } else { refused = answer }
            }
            #expect((50...60).contains(taken))
            let over = try #require(refused)
            #expect(over.status == 429)
            #expect(try over.problem == "over-budget")
            #expect(over.headers[.retryAfter] == "1")
            for _ in 0..<20 {
                let again = try await caller.post(
                    "/v1/sessions/\(session)/messages",
                    ["text": "help"]
                )
                #expect(again.status == 429)
            }
            let told = try gateway.events(AccessRefused.kind)
            #expect(told.count == 1)
            #expect((told.first?.fact.payload as? AccessRefused)?.reason == .rate)
            #expect(told.first?.envelope.actor == .device(try #require(DeviceID(caller.id))))
            // Others write on meanwhile.
            #expect(try await amina.post("/v1/sessions/\(session)/claim").status == 200)
            clock.advance(by: .seconds(61))
            let late = try await caller.post("/v1/sessions/\(session)/messages", ["text": "late"])
            #expect(late.status == 201)
        }
    }

    @Test func `counts bytes as well, and none of the gateway's own parts`() {
        let budgets = ActorBudgets(capacity: 10) { actor in
            actor == .ledger ? nil : ActorBudget(eventsPerMinute: 1_000, bytesPerHour: 3_600)
        }
        let actor = Actor(unchecked: "device/1")
        let begin = Timestamp(microseconds: 1_000_000)
        for writer in [actor, .ledger] {
            budgets.charge(writer, events: 1, bytes: 3_610, at: begin)
        }
        #expect(budgets.excess(of: .ledger, at: begin) == nil)
        #expect(budgets.excess(of: actor, at: begin)?.wait == .seconds(10))
        #expect(budgets.excess(of: actor, at: begin)?.isNews == false)
        #expect(budgets.excess(of: actor, at: Timestamp(microseconds: 12_000_000)) == nil)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `Coming back to a chat` {
    @Test func `is recorded once a minute`() async throws {
        let clock = TestClock()
        try await TestGateway.run { configuration in
            configuration.clock = clock.ledgerClock
        } _: { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let principal = try await gateway.ledger.accounts.authenticate(caller.token)
            let person = try #require(principal.person)
            func start() async throws -> SessionID {
                try await gateway.ledger.handler.handle(
                    StartChat(caller: person),
                    gateway.ledger.context(of: principal)
                ).outcome.session
            }
            for _ in 0..<20 { #expect("\(try await start())" == "\(session)") }
            #expect(try gateway.events(SessionResumed.kind).count == 1)
            clock.advance(by: .seconds(61))
            for _ in 0..<20 { _ = try await start() }
            #expect(try gateway.events(SessionResumed.kind).count == 2)
        }
    }
}

@Suite struct `A network address` {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7", "192.0.2.0/24"),
        ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.0/24"),
        ("[2001:db8:1:2:3:4:5:6]", "2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("2001:DB8::", "2001:db8::/64", "2001:db8::/48"),
    ])
    func `is told by whose it is and by where it is`(text: String, holder: String, block: String) {
        #expect(NetworkAddress.holder(of: text) == holder)
        #expect(NetworkAddress.block(of: text) == block)
    }

    @Test func `lies in a range, or does not`() throws {
        func holds(_ range: String, _ address: String) throws -> Bool {
            try #require(NetworkRange(range)).contains(try #require(NetworkAddress(address)))
        }
        #expect(try holds("10.0.0.0/8", "10.255.1.2"))
        #expect(try !holds("10.0.0.0/8", "11.0.0.1"))
        #expect(try holds("10.1.2.3", "10.1.2.3"))
        #expect(try !holds("10.1.2.3", "10.1.2.4"))
        #expect(try holds("2001:db8::/33", "2001:db8:7fff::1"))
        #expect(try !holds("2001:db8::/33", "2001:db8:8000::1"))
        #expect(try !holds("0.0.0.0/0", "::1"))
        for text in ["", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "example.org/8", "::/129"] {
            #expect(NetworkRange(text) == nil, "\(text)")
        }
    }
}
