// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

@testable import Commands

@Suite(.tags(.promise4)) struct `Giving a text to an operator` {
    private let ledger = MemoryLedger()

    @Test func `who accepts in time has the session, and nobody had it before`() throws {
        let session = try given(to: .sam)
        try ledger.run(AnswerOffer(session, by: .sam, .accepted))
        let state = try ledger.state(Session.self, session)
        #expect(state.owner == .sam && state.offer == nil && state.assignedTo.isEmpty)
    }

    @Test func `one operator is asked at a time`() throws {
        let session = try given(to: .sam)
        let refusal = #expect(throws: AssignSession.Refusal.self) {
            try ledger.run(AssignSession(session, to: .john, for: 20))
        }
        #expect(refusal == .notWaiting(session))
    }

    @Test(arguments: [true, false])
    func `who declines, or says nothing in time, is followed by the next`(declines: Bool) throws {
        let session = try given(to: .sam)
        if declines {
            try ledger.run(AnswerOffer(session, by: .sam, .declined))
        } else {
            ledger.wait(.seconds(20))
        }
        try ledger.run(AssignSession(session, to: .john, for: 20))
        let late = #expect(throws: AnswerOffer.Refusal.self) {
            try ledger.run(AnswerOffer(session, by: .sam, .accepted))
        }
        #expect(late == .noOffer(session))
        #expect(try ledger.state(Session.self, session).assignedTo == [.sam, .john])
    }

    @Test func `whoever claims it from the queue is first`() throws {
        let session = try given(to: .sam)
        try ledger.run(ClaimSession(session, by: .john))
        #expect(throws: AnswerOffer.Refusal.self) {
            try ledger.run(AnswerOffer(session, by: .sam, .accepted))
        }
        #expect(try ledger.state(Session.self, session).owner == .john)
    }

    private func given(to user: UserID) throws -> SessionID {
        for user in [UserID.sam, .john] { try ledger.user(user) }
        let session = try ledger.chat().session
        try ledger.run(AssignSession(session, to: user, for: 20))
        return session
    }
}
