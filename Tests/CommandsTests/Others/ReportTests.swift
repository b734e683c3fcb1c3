// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@testable import Commands

@Suite struct `A report` {
    /// Ruling 25, written out: what may follow what; what is over may be taken up again.
    private static let allowed: Set<[ReportStatus]> = [
        [.submitted, .acknowledged], [.submitted, .stoodDown],
        [.acknowledged, .headingOut], [.acknowledged, .stoodDown],
        [.headingOut, .onScene], [.headingOut, .stoodDown],
        [.onScene, .rescued], [.onScene, .released], [.onScene, .deceased], [.onScene, .notFound],
        [.rescued, .acknowledged], [.released, .acknowledged], [.deceased, .acknowledged],
        [.notFound, .acknowledged], [.stoodDown, .acknowledged],
    ]

    /// How to get a report into each state.
    private static let ways: [ReportStatus: [ReportStatus]] = [
        .submitted: [],
        .acknowledged: [.acknowledged],
        .headingOut: [.acknowledged, .headingOut],
        .onScene: [.acknowledged, .headingOut, .onScene],
        .rescued: [.acknowledged, .headingOut, .onScene, .rescued],
        .released: [.acknowledged, .headingOut, .onScene, .released],
        .deceased: [.acknowledged, .headingOut, .onScene, .deceased],
        .notFound: [.acknowledged, .headingOut, .onScene, .notFound],
        .stoodDown: [.stoodDown],
    ]

    @Test(arguments: ReportStatus.allCases, ReportStatus.allCases)
    func `goes on only by ruling 25, and back to where it was`(
        from: ReportStatus,
        to: ReportStatus
    ) throws {
        let ledger = MemoryLedger()
        let report = try ledger.report()
        for step in try #require(Self.ways[from]) {
            try ledger.run(ChangeReportStatus(of: report, to: step, by: .mary))
        }
        let change = ChangeReportStatus(of: report, to: to, by: .mary, note: "by the pier")
        let before = try #require(Self.ways[from]).dropLast().last ?? .submitted
        if Self.allowed.contains([from, to]) || from != .submitted && to == before {
            try ledger.run(change)
            #expect(try ledger.state(Report.self, report).status == to)
        } else {
            #expect(throws: ChangeReportStatus.Refusal.notAllowed(report, from: from, to: to)) {
                try ledger.run(change)
            }
            #expect(try ledger.state(Report.self, report).status == from)
        }
    }

    @Test func `joined to one that was joined itself: refused, so that none leads to itself`()
        throws
    {
        let ledger = MemoryLedger()
        let (one, two, three) = (try ledger.report(), try ledger.report(), try ledger.report())
        try ledger.run(JoinReport(one, to: two, by: .sam))
        #expect(throws: JoinReport.Refusal.otherJoined(one, to: two)) {
            try ledger.run(JoinReport(two, to: one, by: .sam))
        }
        try ledger.run(JoinReport(two, to: three, by: .sam))
        #expect(throws: JoinReport.Refusal.otherJoined(one, to: two)) {
            try ledger.run(JoinReport(three, to: one, by: .sam))
        }
        try ledger.run(JoinReport(one, to: nil, by: .sam))
        #expect(try ledger.state(Report.self, one).joinedTo == nil)
    }

    @Test func `a team's place counts for half an hour, and no longer than it is shared`() throws {
        let ledger = MemoryLedger()
        let agency = try ledger.agency()
        try ledger.user(.mary, as: .rescuer)
        try ledger.run(SetAgencyMembers(of: agency, to: [.mary]))
        let person = ledger.person()
        try ledger.run(ShareAgencyPlace(.birmingham, of: agency, by: .mary, person: person))
        let place = try ledger.state(AgencyPlace.self, agency)
        let at = try #require(place.sharedAt)
        #expect(place.current(at: at + .seconds(1_799)) != nil)
        #expect(place.current(at: at + .seconds(1_800)) == nil)
        try ledger.run(ShareAgencyPlace(nil, of: agency, by: .mary, person: person))
        #expect(try ledger.state(AgencyPlace.self, agency).current(at: at) == nil)
    }
}
