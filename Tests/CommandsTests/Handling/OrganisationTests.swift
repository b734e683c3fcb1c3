// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

@testable import Commands

@Suite(.tags(.promise10)) struct `What an organisation has` {
    private let north = OrganisationID(unchecked: "north")

    @Test func `is written to as its own, whoever asks`() async throws {
        let ledger = try LedgerOnDisk()
        let point: PatrolPointID = ledger.id()
        var theirs = ledger.context()
        theirs.stamp = theirs.stamp.owned(by: north)
        try await ledger.run(DefinePatrolPoint(point, as: .sample()), theirs)
        try await ledger.run(DefinePatrolPoint(point, as: .sample(site: "Moved")))
        try await ledger.reopen()
        try await ledger.run(DefinePatrolPoint(point, as: .sample(site: "Moved again")))
        let owners = try ledger.log.entries(of: .patrolPoint(point)).map(\.envelope.organisation)
        #expect(owners == [north, north, north])
        try await ledger.close()
    }
}
