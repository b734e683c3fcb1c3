// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@testable import Commands

@Suite struct `A report` {
    /// Ruling 25, written out: what may follow what.
    private static let allowed: Set<[ReportStatus]> = [
        [.submitted, .acknowledged], [.submitted, .stoodDown],
        [.acknowledged, .headingOut], [.acknowledged, .stoodDown],
        [.headingOut, .onScene], [.headingOut, .stoodDown],
        [.onScene, .rescued], [.onScene, .released], [.onScene, .deceased], [.onScene, .notFound],
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
    func `goes from one state to another only by ruling 25`(
        from: ReportStatus,
        to: ReportStatus
    ) throws {
        let ledger = MemoryLedger()
        let report = try ledger.report()
        for step in try #require(Self.ways[from]) {
            try ledger.run(ChangeReportStatus(of: report, to: step, by: .mary))
        }
        let change = ChangeReportStatus(of: report, to: to, by: .mary, note: "by the pier")
        if Self.allowed.contains([from, to]) {
            try ledger.run(change)
            #expect(try ledger.state(Report.self, report).status == to)
        } else {
            #expect(throws: ChangeReportStatus.Refusal.notAllowed(report, from: from, to: to)) {
                try ledger.run(change)
            }
            #expect(try ledger.state(Report.self, report).status == from)
        }
    }
}
