// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

@testable import Commands

@Suite(.tags(.promise4)) struct `Claiming a session` {
    @Test func `gives it to the first and tells the loser the owner`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.claimedChat(by: .sam)
        let refusal = #expect(throws: ClaimSession.Refusal.self) {
            try ledger.run(ClaimSession(scene.session, by: .john))
        }
        #expect(refusal == .taken(scene.session, owner: .sam))
        #expect(refusal?.problem.facts["owner"] == "123456789")
    }

    @Test func `again by its owner is no error and no event`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.claimedChat(by: .sam)
        #expect(try ledger.count(ClaimSession(scene.session, by: .sam)) == 0)
    }

    @Test func `while another is open names the open one`() throws {
        let ledger = MemoryLedger()
        let open = try ledger.claimedChat(by: .sam)
        let second = try ledger.chat()
        let refusal = #expect(throws: ClaimSession.Refusal.self) {
            try ledger.run(ClaimSession(second.session, by: .sam))
        }
        #expect(refusal == .operatorBusy(OperatorBusy(open: [open.session], max: 1)))
        #expect(refusal?.problem.facts["session"] == "\(open.session)")
    }

    @Test func `is possible after the open one was released or closed`() throws {
        let ledger = MemoryLedger()
        let first = try ledger.claimedChat(by: .sam)
        try ledger.run(ReleaseSession(first.session, by: .sam))
        let second = try ledger.claimedChat(by: .sam)
        try ledger.run(CloseSession(second.session, by: .staff(.sam), disposition: "handled"))
        try ledger.run(ClaimSession(first.session, by: .sam))
        #expect(try ledger.state(Session.self, first.session).owner == .sam)
    }

    @Test func `of up to three texts is possible where the policy says so`() throws {
        let ledger = MemoryLedger()
        try ledger.run(EnablePolicy(OperatorLimit.policy, settings: ["textSessions": 3]))
        for _ in 1...3 { _ = try ledger.claimedChat(by: .sam) }
        let fourth = try ledger.chat()
        #expect(throws: ClaimSession.Refusal.self) {
            try ledger.run(ClaimSession(fourth.session, by: .sam))
        }
    }

    @Test func `of a second text is refused once the first has video`() throws {
        let ledger = MemoryLedger()
        try ledger.run(EnablePolicy(OperatorLimit.policy, settings: ["textSessions": 3]))
        try ledger.stream(in: try ledger.claimedChat(by: .sam))
        let second = try ledger.chat()
        #expect(throws: ClaimSession.Refusal.self) {
            try ledger.run(ClaimSession(second.session, by: .sam))
        }
    }

    @Test func `by a supervisor's release passes to another`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.claimedChat(by: .sam)
        try ledger.run(ReleaseSession(scene.session, by: .boss))
        try ledger.run(ClaimSession(scene.session, by: .john))
        #expect(try ledger.state(Operator.self, .sam).sessions.isEmpty)
        #expect(try ledger.state(Operator.self, .john).sessions == [scene.session])
    }
}
