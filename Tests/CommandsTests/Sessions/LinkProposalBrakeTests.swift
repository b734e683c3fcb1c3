// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

@testable import Commands

@Suite(.tags(.promise10)) struct `Whoever is asked to link a session` {
    @Test func `is asked once by one session, and once by one operator, at a time`() throws {
        let ledger = MemoryLedger()
        let (mine, theirs) = try ledger.pair()
        let propose = ProposeLink(mine, with: theirs, by: .sam)
        let until = ledger.now + .seconds(60)
        #expect(try ledger.run(propose) == .asked(until: until))
        #expect(throws: LinkProposalRefusal.pending(theirs, until: until)) {
            try ledger.run(propose)
        }
        try ledger.run(ReleaseSession(mine, by: .sam))
        let other = ProposeLink(
            try ledger.claimedChat(by: .sam).session,
            with: theirs,
            by: .sam
        )
        #expect(throws: LinkProposalRefusal.pending(theirs, until: until)) {
            try ledger.run(other)
        }
        ledger.wait(.seconds(60))
        #expect(try ledger.run(other) == .asked(until: ledger.now + .seconds(60)))
    }

    @Test(arguments: [(299, false), (300, true)])
    func `and says no is not asked the same for five minutes`(seconds: Int, comes: Bool) throws {
        let ledger = MemoryLedger()
        let (mine, theirs) = try ledger.pair()
        let propose = ProposeLink(mine, with: theirs, by: .sam)
        try ledger.run(propose)
        try ledger.run(AnswerLinkProposal(theirs, from: mine, by: .john, .declined))
        let until = ledger.now + CommandLimits.proposalPause
        ledger.wait(.seconds(seconds))
        if comes {
            #expect(try ledger.run(propose) == .asked(until: ledger.now + .seconds(60)))
        } else {
            #expect(throws: LinkProposalRefusal.declined(theirs, until: until)) {
                try ledger.run(propose)
            }
        }
    }

    @Test func `and says no may ask it themselves, and their colleagues may`() throws {
        let ledger = MemoryLedger()
        let (mine, theirs) = try ledger.pair()
        let third = try ledger.claimedChat(by: .mary).session
        try ledger.run(ProposeLink(mine, with: theirs, by: .sam))
        try ledger.run(AnswerLinkProposal(theirs, from: mine, by: .john, .declined))
        let until = ledger.now + .seconds(60)
        #expect(try ledger.run(ProposeLink(third, with: theirs, by: .mary)) == .asked(until: until))
        #expect(try ledger.run(ProposeLink(theirs, with: mine, by: .john)) == .asked(until: until))
        try ledger.run(ProposeLink(mine, with: theirs, by: .sam))
        let home = try ledger.state(Membership.self, mine).incident
        #expect(try ledger.state(Membership.self, theirs).incident == home)
    }

    @Test func `anew is asked who has it next`() throws {
        let ledger = MemoryLedger()
        let (mine, theirs) = try ledger.pair()
        let propose = ProposeLink(mine, with: theirs, by: .sam)
        try ledger.run(propose)
        try ledger.run(AnswerLinkProposal(theirs, from: mine, by: .john, .declined))
        try ledger.run(ReleaseSession(theirs, by: .john))
        try ledger.run(ClaimSession(theirs, by: .mary))
        #expect(try ledger.run(propose) == .asked(until: ledger.now + .seconds(60)))
    }

    @Test func `answers four at once; a fifth hears when to come back`() throws {
        let ledger = MemoryLedger()
        let theirs = try ledger.claimedChat(by: .john).session
        let asking = try (1...5).map { try proposal($0, theirs, ledger) }
        for propose in asking.dropLast() { try ledger.run(propose) }
        let until = ledger.now + .seconds(60)
        #expect(throws: LinkProposalRefusal.crowded(theirs, until: until)) {
            try ledger.run(asking[4])
        }
        let first = AnswerLinkProposal(theirs, from: asking[0].session, by: .john, .declined)
        try ledger.run(first)
        #expect(try ledger.run(asking[4]) == .asked(until: until))
    }

    @Test func `hears three times in a quarter of an hour of one who never stops`() throws {
        let ledger = MemoryLedger()
        let (mine, theirs) = try ledger.pair()
        for _ in 0..<900 {
            do {
                try ledger.run(ProposeLink(mine, with: theirs, by: .sam))
                try ledger.run(AnswerLinkProposal(theirs, from: mine, by: .john, .declined))
            } catch let refusal as LinkProposalRefusal {
                guard case .declined = refusal else { throw refusal }
            }
            ledger.wait(.seconds(1))
        }
        let asked = ledger.events.filter { $0.fact.payload is SessionLinkProposed }
        #expect(asked.count == 3)
    }

    @Test func `has so many proposals kept at most, and those of long ago are forgotten`() throws {
        let ledger = MemoryLedger()
        let theirs = try ledger.claimedChat(by: .john).session
        for number in 1...CommandLimits.proposalsKeptMax {
            let propose = try proposal(number, theirs, ledger)
            try ledger.run(propose)
            let answer = AnswerLinkProposal(theirs, from: propose.session, by: .john, .declined)
            try ledger.run(answer)
        }
        let late = try proposal(0, theirs, ledger)
        let until = ledger.now + CommandLimits.proposalPause
        #expect(throws: LinkProposalRefusal.crowded(theirs, until: until)) {
            try ledger.run(late)
        }
        ledger.wait(CommandLimits.proposalPause)
        try ledger.run(late)
        #expect(try Array(ledger.state(Session.self, theirs).proposals.keys) == [late.session])
    }

    /// What an operator of that number asks, with a chat of their own.
    private func proposal(
        _ number: Int,
        _ theirs: SessionID,
        _ ledger: MemoryLedger
    ) throws -> ProposeLink {
        let user = UserID(unchecked: "asker-\(number)")
        return ProposeLink(try ledger.claimedChat(by: user).session, with: theirs, by: user)
    }
}
