// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@testable import Commands

@Suite struct `Offering a session to a colleague` {
    @Test func `changes nothing until the colleague accepts, and then all at once`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.offeredChat()
        let request = try ledger.request(.sendLocation, in: scene)
        #expect(try ledger.state(Session.self, scene.session).owner == .sam)
        try ledger.run(AnswerOffer(scene.session, by: .john, .accepted))
        let session = try ledger.state(Session.self, scene.session)
        #expect(session.owner == .john)
        #expect(session.offer == nil)
        // What was asked waits on.
        #expect(session.requests[request]?.isPending(at: ledger.now) == true)
        #expect(try ledger.state(Operator.self, .sam).sessions.isEmpty)
        #expect(try ledger.state(Operator.self, .john).sessions == [scene.session])
        #expect(throws: AnswerOffer.Refusal.noOffer(scene.session)) {
            try ledger.run(AnswerOffer(scene.session, by: .john, .accepted))
        }
        // Sam may take another one now.
        #expect(try ledger.state(Session.self, ledger.claimedChat().session).owner == .sam)
    }

    @Test func `declined leaves it with its owner, who may offer it again`() throws {
        let ledger = MemoryLedger()
        let session = try ledger.offeredChat().session
        try ledger.run(AnswerOffer(session, by: .john, .declined))
        #expect(try ledger.state(Session.self, session).owner == .sam)
        #expect(throws: AnswerOffer.Refusal.noOffer(session)) {
            try ledger.run(AnswerOffer(session, by: .john, .accepted))
        }
        try ledger.run(OfferSession(session, by: .boss, to: .john, reason: "he knows the house"))
        try ledger.run(AnswerOffer(session, by: .john, .accepted))
        #expect(try ledger.state(Session.self, session).owner == .john)
    }

    @Test(arguments: [(59, true), (60, false)])
    func `lasts a minute`(seconds: Int, counts: Bool) throws {
        let ledger = MemoryLedger()
        let session = try ledger.offeredChat().session
        ledger.wait(.seconds(seconds))
        let answer = AnswerOffer(session, by: .john, .accepted)
        if counts {
            #expect(try ledger.count(answer) == 1)
        } else {
            #expect(throws: AnswerOffer.Refusal.noOffer(session)) { try ledger.run(answer) }
        }
    }

    @Test func `is for that colleague alone, and the last one named`() throws {
        let ledger = MemoryLedger()
        let session = try ledger.offeredChat().session
        #expect(throws: AnswerOffer.Refusal.noOffer(session)) {
            try ledger.run(AnswerOffer(session, by: .mary, .accepted))
        }
        try ledger.user(.mary, as: .supervisor)
        try ledger.run(OfferSession(session, by: .sam, to: .mary, reason: "you asked for it"))
        #expect(throws: AnswerOffer.Refusal.noOffer(session)) {
            try ledger.run(AnswerOffer(session, by: .john, .accepted))
        }
        try ledger.run(AnswerOffer(session, by: .mary, .accepted))
        #expect(try ledger.state(Session.self, session).owner == .mary)
    }

    @Test func `is over when the session is given back`() throws {
        let ledger = MemoryLedger()
        let session = try ledger.offeredChat().session
        try ledger.run(ReleaseSession(session, by: .sam))
        #expect(throws: AnswerOffer.Refusal.noOffer(session)) {
            try ledger.run(AnswerOffer(session, by: .john, .accepted))
        }
        try ledger.run(ClaimSession(session, by: .john))
        #expect(try ledger.state(Session.self, session).offer == nil)
    }

    @Test(arguments: [Role.guard, .analyst, .admin])
    func `refuses whoever cannot have one`(role: Role) throws {
        let ledger = MemoryLedger()
        try ledger.user(.john, as: role)
        let session = try ledger.claimedChat().session
        #expect(throws: OfferSession.Refusal.cannotHold(.john)) {
            try ledger.run(OfferSession(session, by: .sam, to: .john, reason: "my shift ends"))
        }
    }

    @Test func `refuses whoever may not sign in, and the owner`() throws {
        let ledger = MemoryLedger()
        for user in [UserID.sam, .john] { try ledger.user(user) }
        try ledger.run(ChangeAccount(.john, .disabled(reason: "left")))
        let session = try ledger.claimedChat().session
        for user in [UserID.sam, .john] {
            #expect(throws: OfferSession.Refusal.cannotHold(user)) {
                try ledger.run(OfferSession(session, by: .sam, to: user, reason: "my shift ends"))
            }
        }
    }
}

@Suite struct `A session that its owner left unattended` {
    @Test(arguments: [(119, false), (120, true)])
    func `may be taken over after two minutes`(seconds: Int, isDue: Bool) throws {
        let ledger = MemoryLedger()
        let session = try ledger.unattendedChat().session
        let until = ledger.now + .seconds(120)
        ledger.wait(.seconds(seconds))
        guard isDue else {
            #expect(throws: TakeOverSession.Refusal.tooSoon(session, until: until)) {
                try ledger.run(TakeOverSession(session, by: .john))
            }
            return
        }
        try ledger.run(TakeOverSession(session, by: .john))
        let state = try ledger.state(Session.self, session)
        #expect(state.owner == .john)
        #expect(state.absence == nil)
        #expect(throws: TakeOverSession.Refusal.notUnattended(session, owner: .john)) {
            try ledger.run(TakeOverSession(session, by: .mary))
        }
    }

    @Test func `is kept as long as the policy says`() throws {
        let ledger = MemoryLedger()
        try ledger.run(EnablePolicy(Policy.unattended, settings: ["takeOverSeconds": 5]))
        let session = try ledger.unattendedChat().session
        ledger.wait(.seconds(5))
        try ledger.run(TakeOverSession(session, by: .john))
        #expect(try ledger.state(Session.self, session).owner == .john)
    }

    @Test func `counts as its owner's, who finds it again`() throws {
        let ledger = MemoryLedger()
        let session = try ledger.unattendedChat().session
        #expect(throws: ClaimSession.Refusal.self) { try ledger.claimedChat(by: .sam) }
        ledger.wait(.seconds(500))
        try ledger.run(ResumeSession(session, by: .sam))
        let resumed = ledger.events.compactMap { $0.fact.payload as? SessionResumed }
        #expect(resumed == [SessionResumed(by: .operator, gapMilliseconds: 500_000)])
        #expect(throws: TakeOverSession.Refusal.notUnattended(session, owner: .sam)) {
            try ledger.run(TakeOverSession(session, by: .john))
        }
    }

    @Test func `may be given back by a supervisor before`() throws {
        let ledger = MemoryLedger()
        let session = try ledger.unattendedChat().session
        try ledger.run(ReleaseSession(session, by: .boss))
        try ledger.run(ClaimSession(session, by: .john))
        #expect(try ledger.state(Session.self, session).owner == .john)
    }
}
