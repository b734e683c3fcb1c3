// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@testable import Commands

@Suite struct `The start limit` {
    @Test(arguments: [(119_999_999, true), (120_000_000, false), (120_000_001, false)])
    func `lets a stream start before 120.000 s and not at it`(
        microseconds: Int,
        starts: Bool
    ) throws {
        let ledger = MemoryLedger()
        let scene = try ledger.video()
        ledger.wait(.microseconds(microseconds))
        let stream: StreamID = ledger.id()
        let start = ledger.start(stream, in: scene.session, from: .link(of: scene.caller))
        if starts {
            try ledger.run(start)
            #expect(try ledger.state(Session.self, scene.session).isStarted)
        } else {
            #expect(throws: StartStream.Refusal.unavailable(.expired(scene.session))) {
                try ledger.run(start)
            }
        }
    }

    @Test(arguments: [(119_999_999, false), (120_000_000, true)])
    func `expires a session at 120.000 s and not before`(microseconds: Int, expires: Bool) throws {
        let ledger = MemoryLedger()
        let scene = try ledger.video()
        let limit = ledger.now + .seconds(120)
        ledger.wait(.microseconds(microseconds))
        if expires {
            try ledger.run(ExpireSession(scene.session))
            #expect(try ledger.state(Session.self, scene.session).ending == .expired)
            #expect(try ledger.state(Operator.self, .sam).sessions.isEmpty)
            #expect(try ledger.state(Caller.self, scene.caller).openSession == nil)
        } else {
            #expect(throws: ExpireSession.Refusal.tooEarly(scene.session, expiresAt: limit)) {
                try ledger.run(ExpireSession(scene.session))
            }
        }
    }

    @Test func `does not apply once the caller told a place`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.video()
        let request = try ledger.request(.sendLocation, in: scene)
        try ledger.run(
            ReportLocation(
                .birmingham,
                in: scene.session,
                by: .caller(scene.caller),
                method: "gps",
                request: request
            )
        )
        ledger.wait(.seconds(1_000))
        #expect(throws: ExpireSession.Refusal.started(scene.session)) {
            try ledger.run(ExpireSession(scene.session))
        }
        try ledger.stream(in: scene)
        #expect(
            try ledger.state(Session.self, scene.session).requests[request]?.answer == .accepted
        )
    }

    @Test(arguments: ["text", "picture"])
    func `does not apply once the caller wrote or sent a picture`(what: String) throws {
        let ledger = MemoryLedger()
        let scene = try ledger.video()
        ledger.wait(.seconds(119))
        if what == "text" {
            try ledger.run(ledger.message("I am here, he is bleeding", in: scene))
        } else {
            try ledger.run(ledger.picture(in: scene))
        }
        ledger.wait(.seconds(1_000))
        #expect(throws: ExpireSession.Refusal.started(scene.session)) {
            try ledger.run(ExpireSession(scene.session))
        }
        #expect(try ledger.state(Session.self, scene.session).isOpen(at: ledger.now))
    }

    @Test func `goes on running while only the operator writes`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.video()
        try ledger.run(
            ledger.message("Are you there?", in: scene, from: .operator(.sam))
        )
        ledger.wait(.seconds(120))
        try ledger.run(ExpireSession(scene.session))
        #expect(try ledger.state(Session.self, scene.session).ending == .expired)
    }

    @Test func `is recorded by whoever needs the place, if no policy did`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.video()
        ledger.wait(.seconds(120))
        let again = try ledger.run(CreateSession(by: .sam, caller: scene.caller, phone: .first))
        #expect(try ledger.state(Session.self, scene.session).ending == .expired)
        #expect(try ledger.state(Operator.self, .sam).sessions == [again.session])
        #expect(try ledger.state(Caller.self, scene.caller).openSession == again.session)
    }

    @Test func `is what the policy says`() throws {
        let ledger = MemoryLedger()
        try ledger.run(EnablePolicy(Policy.startLimit, settings: ["limitSeconds": 30]))
        let scene = try ledger.video()
        ledger.wait(.seconds(30))
        try ledger.run(ExpireSession(scene.session))
    }

    @Test func `of an expired session is no error the second time`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.expiredVideo()
        #expect(try ledger.count(ExpireSession(scene.session)) == 0)
    }
}
