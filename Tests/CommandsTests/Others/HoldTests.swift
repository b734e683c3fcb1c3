// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

@testable import Commands

@Suite(.tags(.promise7)) struct `A legal hold` {
    @Test func `on an incident covers who made a report that ever belonged to it`() throws {
        let ledger = MemoryLedger()
        let incident = try #require(
            try ledger.state(Membership.self, try ledger.closedChat().session).incident
        )
        let report = try ledger.report()
        let reporter = try #require(try ledger.state(Report.self, report).reporter)
        try ledger.run(holding(.incident(incident)))
        for place in [incident, nil] {
            try ledger.run(AttachReport(report, to: place, by: .sam))
            #expect(throws: ErasePerson.Refusal.self) {
                try ledger.run(ErasePerson(reporter, reason: "asked for it"))
            }
        }
    }

    @Test(arguments: ["person", "session", "incident"])
    func `blocks erasure until two people lift it`(scope: String) throws {
        let ledger = MemoryLedger()
        let scene = try ledger.closedChat()
        let incident = try #require(try ledger.state(Membership.self, scene.session).incident)
        let scopes: [String: PlaceHold.Scope] = [
            "person": .person(scene.caller), "session": .session(scene.session),
            "incident": .incident(incident),
        ]
        let hold = try ledger.run(holding(try #require(scopes[scope])))
        let refusal = #expect(throws: ErasePerson.Refusal.self) {
            try ledger.run(ErasePerson(scene.caller, reason: "asked for it"))
        }
        #expect(refusal == .held(scene.caller, hold: hold, authority: "Crown Court"))
        let lift = LiftHold(hold, reason: "acquitted", approvedBy: [.sam, .john])
        try ledger.run(lift)
        #expect(try ledger.count(lift) == 0)
        try ledger.run(ErasePerson(scene.caller, by: .sam, reason: "asked for it"))
        #expect(try ledger.state(Person.self, scene.caller).isErased)
        #expect(try ledger.count(ErasePerson(scene.caller, reason: "again")) == 0)
    }

    @Test func `on one who turned out to be the same blocks the erasure of both`() throws {
        let ledger = MemoryLedger()
        let (old, known) = (try ledger.closedChat(), try ledger.closedChat())
        try ledger.run(CorrectNumber(of: old.caller, to: .first, sameAs: [known.caller]))
        let hold = try ledger.run(holding(.person(old.caller)))
        for person in [old.caller, known.caller] {
            let refusal = #expect(throws: ErasePerson.Refusal.self) {
                try ledger.run(ErasePerson(person, reason: "asked for it"))
            }
            #expect(refusal == .held(person, hold: hold, authority: "Crown Court"))
        }
        try ledger.run(LiftHold(hold, reason: "acquitted", approvedBy: [.sam, .john]))
        try ledger.run(ErasePerson(known.caller, reason: "asked for it"))
        for person in [old.caller, known.caller] {
            #expect(try ledger.state(Person.self, person).isErased)
        }
    }

    @Test func `on an incident covers whoever came into it later`() throws {
        let ledger = MemoryLedger()
        let (first, later) = (try ledger.closedChat(), try ledger.closedChat())
        let incident = try #require(try ledger.state(Membership.self, first.session).incident)
        try ledger.run(holding(.incident(incident)))
        try ledger.run(LinkSession(later.session, to: incident, reason: "same fire"))
        #expect(throws: ErasePerson.Refusal.self) {
            try ledger.run(ErasePerson(later.caller, reason: "asked for it"))
        }
    }

    @Test(arguments: ["person", "session", "incident"])
    func `of one organisation blocks the admins of others and of the whole ledger`(
        scope: String
    ) throws {
        let ledger = MemoryLedger()
        let scene = try ledger.closedChat()
        let incident = try #require(try ledger.state(Membership.self, scene.session).incident)
        let scopes: [String: PlaceHold.Scope] = [
            "person": .person(scene.caller), "session": .session(scene.session),
            "incident": .incident(incident),
        ]
        let hold = try ledger.run(holding(try #require(scopes[scope])))
        let whole = ErasePerson(scene.caller, within: .ledger, reason: "asked for it")
        for asker in [OrganisationID.main, .north] {
            let refusal = #expect(throws: ErasePerson.Refusal.self) {
                try ledger.run(whole, in: asker)
            }
            #expect(refusal == .held(scene.caller, hold: hold, authority: "Crown Court"))
        }
        let other = #expect(throws: ErasePerson.Refusal.self) {
            try ledger.run(ErasePerson(scene.caller, reason: "asked for it"), in: .north)
        }
        #expect(other == .unknown(scene.caller))
        #expect(try !ledger.state(Person.self, scene.caller).isErased)
    }

    @Test(arguments: ["person", "session", "incident"])
    func `is placed by the organisation whose it is, and by no other`(scope: String) throws {
        let ledger = MemoryLedger()
        let scene = try ledger.closedChat()
        let incident = try #require(try ledger.state(Membership.self, scene.session).incident)
        let scopes: [String: PlaceHold.Scope] = [
            "person": .person(scene.caller), "session": .session(scene.session),
            "incident": .incident(incident),
        ]
        let command = holding(try #require(scopes[scope]))
        let refusal = #expect(throws: PlaceHold.Refusal.self) {
            try ledger.run(command, in: .north)
        }
        #expect(refusal == .scopeUnknown(command.scope.subject))
    }

    @Test func `is not needed to keep a person of two organisations from either of them`()
        throws
    {
        let ledger = MemoryLedger()
        let scene = try ledger.closedChat()
        let again = try ledger.run(StartChat(caller: scene.caller), in: .north)
        let closing = CloseSession(again.session, by: .staff(.boss), disposition: "handled")
        try ledger.run(closing, in: .north)
        for asker in [OrganisationID.main, .north] {
            let refusal = #expect(throws: ErasePerson.Refusal.self) {
                try ledger.run(ErasePerson(scene.caller, reason: "asked for it"), in: asker)
            }
            #expect(refusal == .sharedWithOthers(scene.caller))
        }
        try ledger.run(ErasePerson(scene.caller, within: .ledger, reason: "asked for it"))
        #expect(try ledger.state(Person.self, scene.caller).isErased)
    }

    @Test func `or none, whoever stands behind an account is erased by two others, and it ends`()
        throws
    {
        let ledger = MemoryLedger()
        let person = try ledger.user(.john)
        let scene = try ledger.claimedChat(by: .john)
        for approvers: [UserID] in [[], [.sam], [.sam, .sam], [.sam, .john]] {
            let refusal = #expect(throws: ErasePerson.Refusal.self) {
                let alone = ErasePerson(person, by: .sam, approvedBy: approvers, reason: "asked")
                try ledger.run(alone)
            }
            #expect(refusal == .needsTwoPeople(person, account: .john))
        }
        let own = ErasePerson(person, by: .john, approvedBy: [.sam, .mary], reason: "asked")
        let refusal = #expect(throws: ErasePerson.Refusal.self) { try ledger.run(own) }
        #expect(refusal == .own(person))
        let two = ErasePerson(person, by: .sam, approvedBy: [.sam, .mary], reason: "asked")
        try ledger.run(two)
        #expect(try ledger.state(Person.self, person).isErased)
        let user = try ledger.state(User.self, .john)
        #expect(user.isDisabled && !user.isLoggedIn)
        #expect(try ledger.state(Session.self, scene.session).owner == nil)
        #expect(try ledger.count(ErasePerson(person, reason: "again")) == 0)
    }

    @Test func `does not keep others`() throws {
        let ledger = MemoryLedger()
        let (held, other) = (try ledger.closedChat(), try ledger.closedChat())
        try ledger.run(holding(.session(held.session)))
        try ledger.run(ErasePerson(other.caller, reason: "asked for it"))
    }

    private func holding(_ scope: PlaceHold.Scope) -> PlaceHold {
        PlaceHold(on: scope, reason: "trial", authority: "Crown Court")
    }
}
