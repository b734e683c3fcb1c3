// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@testable import Commands

@Suite struct `Proposing that two sessions are one event` {
    @Test func `makes them one when the other owner agrees`() throws {
        let ledger = MemoryLedger()
        let (mine, theirs) = try ledger.pair()
        let home = try #require(try ledger.state(Membership.self, mine).incident)
        let asked = try ledger.run(ProposeLink(mine, with: theirs, by: .sam))
        #expect(asked == .asked(until: ledger.now + .seconds(60)))
        #expect(try ledger.state(Membership.self, theirs).incident != home)
        try ledger.run(AnswerLinkProposal(theirs, from: mine, by: .john, .accepted))
        #expect(try ledger.state(Membership.self, theirs).incident == home)
        #expect(try areAgreed(mine, theirs, ledger))
        #expect(throws: LinkProposalRefusal.noProposal(mine)) {
            try ledger.run(AnswerLinkProposal(theirs, from: mine, by: .john, .accepted))
        }
    }

    @Test func `twice at once is done by the second, whoever that is`() throws {
        let ledger = MemoryLedger()
        let (mine, theirs) = try ledger.pair()
        try ledger.run(ProposeLink(mine, with: theirs, by: .sam))
        let outcome = try ledger.run(ProposeLink(theirs, with: mine, by: .john))
        let incident = try #require(try ledger.state(Membership.self, mine).incident)
        #expect(outcome == .linked(incident))
        #expect(try ledger.state(Membership.self, theirs).incident == incident)
        #expect(try areAgreed(mine, theirs, ledger))
        let moved = ledger.events.compactMap { $0.fact.payload as? IncidentSessionLinked }
            .filter { $0.from != nil }
        #expect(moved.count == 1)
    }

    @Test func `by two at once is two questions, each with its own answer`() throws {
        let ledger = MemoryLedger()
        let (mine, theirs) = try ledger.pair()
        let third = try ledger.claimedChat(by: .mary).session
        try ledger.run(ProposeLink(mine, with: theirs, by: .sam))
        try ledger.run(ProposeLink(third, with: theirs, by: .mary))
        try ledger.run(AnswerLinkProposal(theirs, from: mine, by: .john, .declined))
        try ledger.run(AnswerLinkProposal(theirs, from: third, by: .john, .accepted))
        #expect(try areAgreed(third, theirs, ledger))
        #expect(try !areAgreed(mine, theirs, ledger))
    }

    @Test func `moves the one that is alone, and opens two that are together already`() throws {
        let ledger = MemoryLedger()
        let (mine, theirs) = try ledger.pair()
        let incident = try #require(try ledger.state(Membership.self, theirs).incident)
        let waiting = try ledger.chat().session
        try ledger.run(LinkSession(waiting, to: incident, reason: "smoke"))
        try ledger.run(ProposeLink(mine, with: theirs, by: .sam))
        try ledger.run(AnswerLinkProposal(theirs, from: mine, by: .john, .accepted))
        #expect(try ledger.state(Membership.self, mine).incident == incident)
        #expect(try areAgreed(mine, theirs, ledger))
        // One that was linked while it waited is read by neither owner of the others until they agree.
        try ledger.run(ClaimSession(waiting, by: .mary))
        #expect(try !areAgreed(mine, waiting, ledger))
        try ledger.run(ProposeLink(waiting, with: mine, by: .mary))
        try ledger.run(AnswerLinkProposal(mine, from: waiting, by: .sam, .accepted))
        #expect(try areAgreed(mine, waiting, ledger))
        // Two agreed; the third of them was asked by nobody.
        #expect(try areAgreed(mine, theirs, ledger))
        #expect(try !areAgreed(theirs, waiting, ledger))
    }

    @Test func `counts no more when one left and was brought back by somebody else`() throws {
        let ledger = MemoryLedger()
        let (mine, theirs) = try ledger.pair()
        let incident = try #require(try ledger.state(Membership.self, mine).incident)
        try ledger.run(ProposeLink(mine, with: theirs, by: .sam))
        try ledger.run(AnswerLinkProposal(theirs, from: mine, by: .john, .accepted))
        try ledger.run(UnlinkSession(theirs, from: incident, reason: "another fire"))
        #expect(try !areAgreed(mine, theirs, ledger))
        try ledger.run(LinkSession(theirs, to: incident, reason: "same fire"))
        #expect(try join(mine, theirs, ledger)?.isAgreed == false)
        #expect(try !areAgreed(mine, theirs, ledger))
    }

    @Test(arguments: [(59, true), (60, false)])
    func `lasts a minute`(seconds: Int, counts: Bool) throws {
        let ledger = MemoryLedger()
        let (mine, theirs) = try ledger.pair()
        try ledger.run(ProposeLink(mine, with: theirs, by: .sam))
        ledger.wait(.seconds(seconds))
        let answer = AnswerLinkProposal(theirs, from: mine, by: .john, .accepted)
        if counts {
            #expect(try ledger.count(answer) == 2)
        } else {
            #expect(throws: LinkProposalRefusal.noProposal(mine)) { try ledger.run(answer) }
        }
    }

    @Test func `is void when either session is another's by then`() throws {
        let ledger = MemoryLedger()
        let (mine, theirs) = try ledger.pair()
        try ledger.run(ProposeLink(mine, with: theirs, by: .sam))
        try ledger.run(ReleaseSession(mine, by: .sam))
        try ledger.run(ClaimSession(mine, by: .mary))
        #expect(throws: LinkProposalRefusal.noProposal(mine)) {
            try ledger.run(AnswerLinkProposal(theirs, from: mine, by: .john, .accepted))
        }
    }

    /// Whether their owners agreed on it, as either side tells.
    private func areAgreed(
        _ one: SessionID,
        _ other: SessionID,
        _ ledger: MemoryLedger
    ) throws -> Bool {
        let memberships = try [one, other].map { try ledger.state(Membership.self, $0) }
        let agreed = memberships[0].agreement(with: memberships[1])
        #expect(memberships[1].agreement(with: memberships[0]) == agreed)
        return agreed != nil
    }

    /// How the two came together.
    private func join(
        _ one: SessionID,
        _ other: SessionID,
        _ ledger: MemoryLedger
    ) throws -> Membership.Link? {
        try ledger.state(Membership.self, one).join(with: ledger.state(Membership.self, other))
    }
}
