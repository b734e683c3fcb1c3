// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@testable import Commands

/// Ruling 35.
@Suite struct `A caller who wants to show video` {
    private let ledger = MemoryLedger()

    init() throws {
        try ledger.run(EnablePolicy(Policy.callerVideo, settings: ["anytime": 0]))
    }

    private func wish(in scene: Scene) throws -> Timestamp? {
        try ledger.run(WishVideo(in: scene.session, by: scene.caller)).waitsUntil
    }

    @Test func `waits for an operator, who lets it begin`() throws {
        let scene = try ledger.chat()
        #expect(throws: StartStream.Refusal.notAsked(scene.session)) {
            try ledger.stream(in: scene)
        }
        let until = try wish(in: scene)
        #expect(until == ledger.now + .seconds(120))
        // Pressed again it is the same wish.
        #expect(try wish(in: scene) == until)
        #expect(ledger.events.count { $0.envelope.kind == SessionVideoWished.kind } == 1)
        #expect(throws: StartStream.Refusal.notAsked(scene.session)) {
            try ledger.stream(in: scene)
        }
        try ledger.run(ClaimSession(scene.session, by: .sam))
        #expect(throws: ClaimSession.Refusal.self) {
            try ledger.run(ClaimSession(scene.session, by: .john))
        }
        #expect(try wish(in: scene) == nil)
        ledger.wait(.seconds(200))
        _ = try ledger.stream(in: scene)
    }

    @Test func `whom nobody takes within two minutes is told that it is over`() throws {
        let scene = try ledger.chat()
        let until = try wish(in: scene)
        ledger.wait(.microseconds(119_999_999))
        #expect(throws: ExpireSession.Refusal.self) {
            try ledger.run(ExpireSession(scene.session))
        }
        ledger.wait(.microseconds(1))
        #expect(until == ledger.now)
        #expect(throws: ClaimSession.Refusal.self) {
            try ledger.run(ClaimSession(scene.session, by: .sam))
        }
        try ledger.run(ExpireSession(scene.session))
        #expect(try ledger.state(Session.self, scene.session).ending == .expired)
    }

    @Test func `who told a place goes on behind an unheard wish, and puts it again`() throws {
        let scene = try ledger.chat()
        let first = try wish(in: scene)
        try ledger.run(
            ReportLocation(
                .birmingham,
                in: scene.session,
                by: .caller(scene.caller),
                method: "gps"
            )
        )
        ledger.wait(.seconds(121))
        #expect(try ledger.state(Session.self, scene.session).isOpen(at: ledger.now))
        #expect(try wish(in: scene) != first)
    }

    private func withdraw(in scene: Scene) throws {
        try ledger.run(WithdrawVideoWish(in: scene.session, by: scene.caller))
    }

    private var withdrawals: Int {
        ledger.events.count { $0.envelope.kind == SessionVideoWishWithdrawn.kind }
    }

    @Test func `withdraws the wish: the session goes on as a chat, and may be wished in anew`()
        throws
    {
        let scene = try ledger.chat()
        let first = try wish(in: scene)
        ledger.wait(.seconds(20))
        try withdraw(in: scene)
        try withdraw(in: scene)
        #expect(withdrawals == 1)
        ledger.wait(.seconds(200))
        #expect(try ledger.state(Session.self, scene.session).isOpen(at: ledger.now))
        #expect(throws: ExpireSession.Refusal.noLimit(scene.session)) {
            try ledger.run(ExpireSession(scene.session))
        }
        #expect(throws: StartStream.Refusal.notAsked(scene.session)) {
            try ledger.stream(in: scene)
        }
        #expect(try wish(in: scene) != first)
    }

    @Test func `withdraws nothing where nothing waits`() throws {
        let scene = try ledger.chat()
        try withdraw(in: scene)
        _ = try wish(in: scene)
        try ledger.run(
            ReportLocation(
                .birmingham,
                in: scene.session,
                by: .caller(scene.caller),
                method: "gps"
            )
        )
        ledger.wait(.seconds(120))
        try withdraw(in: scene)
        #expect(withdrawals == 0)
    }

    @Test func `withdraws no wish that an operator took, but one just before`() throws {
        let (scene, other) = (try ledger.chat(), try ledger.chat())
        _ = try wish(in: scene)
        try ledger.run(ClaimSession(scene.session, by: .sam))
        #expect(throws: WithdrawVideoWish.Refusal.taken(scene.session)) {
            try withdraw(in: scene)
        }
        _ = try wish(in: other)
        try withdraw(in: other)
        try ledger.run(ClaimSession(other.session, by: .john))
        try withdraw(in: other)
        #expect(withdrawals == 1)
    }

    @Test func `need not wait where an operator opened the session, or where they wrote`() throws {
        _ = try ledger.stream(in: ledger.video())
        let scene = try ledger.chat()
        try ledger.run(ledger.message(in: scene))
        #expect(try wish(in: scene) == nil)
        _ = try ledger.stream(in: scene)
    }

    @Test func `need not wait where the site lets callers film at any time`() throws {
        try ledger.run(EnablePolicy(Policy.callerVideo, settings: ["anytime": 1]))
        let scene = try ledger.chat()
        #expect(try wish(in: scene) == nil)
        _ = try ledger.stream(in: scene)
    }
}
