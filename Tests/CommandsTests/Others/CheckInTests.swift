// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Testing

@testable import Commands

@Suite struct `Checking in` {
    @Test func `within the radius is recorded with its distance`() throws {
        let ledger = MemoryLedger()
        let point = try ledger.point()
        let near = Fix(latitude: 52.4800, longitude: -1.9026)
        try ledger.run(scan(at: point, fix: near))
        guard case .patrol(.checkedIn(let scan)) = ledger.events.last?.fact,
            case .open(let distance, _) = scan.distanceMetres
        else {
            Issue.record("the check-in was not recorded")
            return
        }
        // 0.0004 degrees north are 44.511 m on the ellipsoid there (GeographicLib).
        #expect(abs(distance - 44.511) < 0.01)
    }

    @Test(
        arguments: [
            (CheckIn.CodeVerdict.forged, 0.0, CheckIn.Refusal.badCode, "bad_code"),
            (.genuine(number: 1), 0.001, CheckIn.Refusal.tooFar, "too_far"),
        ] as [(CheckIn.CodeVerdict, Double, @Sendable (PatrolPointID) -> CheckIn.Refusal, String)]
    )
    func `that does not count is refused and recorded at the point`(
        code: CheckIn.CodeVerdict,
        north: Double,
        refusal: @Sendable (PatrolPointID) -> CheckIn.Refusal,
        reason: String
    ) throws {
        let ledger = MemoryLedger()
        let point = try ledger.point()
        let fix = Fix(latitude: 52.4796 + north, longitude: -1.9026)
        #expect(throws: refusal(point)) {
            try ledger.run(scan(at: point, fix: fix, code: code))
        }
        guard case .patrol(.checkInRefused(let refused)) = ledger.events.last?.fact else {
            Issue.record("the refusal was not recorded")
            return
        }
        #expect(refused.reason.rawValue == reason && refused.guardID == .mary)
        #expect(ledger.events.last?.envelope.subject == .patrolPoint(point))
    }

    @Test func `with a code of no known point is recorded on the guard`() throws {
        let ledger = MemoryLedger()
        let point: PatrolPointID = ledger.id()
        #expect(throws: CheckIn.Refusal.badCode(point)) { try ledger.run(scan(at: point)) }
        #expect(ledger.events.last?.envelope.subject == .user(.mary))
    }

    @Test func `at another organisation's point is as at none`() throws {
        let ledger = MemoryLedger()
        let point = try ledger.point()
        #expect(throws: CheckIn.Refusal.badCode(point)) {
            try ledger.run(scan(at: point), in: OrganisationID(unchecked: "elsewhere"))
        }
        #expect(ledger.events.last?.envelope.subject == .user(.mary))
    }

    @Test func `counts once in five minutes, for each guard and point`() throws {
        let ledger = MemoryLedger()
        let (first, second) = (try ledger.point(), try ledger.point())
        try ledger.run(scan(at: first))
        #expect(throws: CheckIn.Refusal.duplicate(first)) { try ledger.run(scan(at: first)) }
        try ledger.run(scan(at: second))
        try ledger.run(scan(at: first, by: .john))
        ledger.wait(.seconds(300))
        try ledger.run(scan(at: first))
    }

    @Test func `counts by the code that hung at the point when it was scanned`() throws {
        let ledger = MemoryLedger()
        let point = try ledger.point()
        let before = ledger.now
        ledger.wait(.seconds(3_600))
        try ledger.run(RenewPatrolCode(point))
        #expect(throws: CheckIn.Refusal.codeRenewed(point)) { try ledger.run(scan(at: point)) }
        guard case .patrol(.checkInRefused(let refused)) = ledger.events.last?.fact else {
            Issue.record("the refusal was not recorded")
            return
        }
        #expect(refused.reason == .codeRenewed)
        // The guard was there before, without a network.
        try ledger.run(scan(at: point, sending: .later), occurredAt: before)
        try ledger.run(scan(at: point, by: .john, code: .genuine(number: 2)))
    }

    @Test func `kept offline counts by the device's own moments`() throws {
        let ledger = MemoryLedger()
        let point = try ledger.point()
        let morning = ledger.now
        ledger.wait(.seconds(7_200))
        for minutes in [0, 30, 60] {
            try ledger.run(
                scan(at: point, sending: .later),
                occurredAt: morning + .seconds(minutes * 60)
            )
        }
        #expect(throws: CheckIn.Refusal.duplicate(point)) {
            try ledger.run(scan(at: point, sending: .later), occurredAt: morning + .seconds(1_801))
        }
    }

    @Test(arguments: [
        CommandLimits.checkInAheadMax + .seconds(1),
        .zero - CommandLimits.checkInLateMax - .seconds(1),
    ])
    func `of tomorrow or of another day is refused, as made up`(away: Duration) throws {
        let ledger = MemoryLedger()
        let point = try ledger.point()
        ledger.wait(.seconds(200_000))
        let count = ledger.events.count
        let moment = ledger.now + away
        let refusal = #expect(throws: CheckIn.Refusal.self) {
            try ledger.run(scan(at: point, sending: .later), occurredAt: moment)
        }
        guard case .unacceptable(.outOfRange(field: "occurredAt", _, _)) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(ledger.events.count == count)
        // What is sent at once has the ledger's time, whatever the phone claims.
        try ledger.run(scan(at: point), occurredAt: moment)
    }

    private func scan(
        at point: PatrolPointID,
        by guardID: UserID = .mary,
        fix: Fix? = nil,
        code: CheckIn.CodeVerdict = .genuine(number: 1),
        sending: CheckIn.Sending = .atOnce
    ) -> CheckIn {
        var chance = SeededGenerator(seed: 1)
        let person = PersonID(at: Timestamp(microseconds: 1), using: &chance)
        return CheckIn(
            at: point,
            by: guardID,
            person: person,
            code: code,
            fix: fix,
            sending: sending
        )
    }
}
