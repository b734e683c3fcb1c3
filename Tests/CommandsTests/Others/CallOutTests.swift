// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite(.tags(.promise3)) struct `Call-outs` {
    @Test(arguments: [[480, 1_200], [150], [60, 150, 190], [0, 120, 180, 1_439]])
    func
        `have somebody on duty at every moment over the Sundays of the clocks, and each shift once`(
            handovers: [Int]
        ) throws
    {
        let members = ["a", "b", "c", "d", "e"].map { UserID(unchecked: $0) }
        for (day, first) in [("2026-03-27", 3), ("2026-10-23", 3)] {
            let rota = RotaDefined(
                name: "duty",
                members: members,
                timeZone: "Europe/Berlin",
                startsOn: day,
                handovers: handovers,
                everyDays: 1
            )
            let start = try #require(Timestamp("\(day)T12:00:00Z"))
            var shifts: [RotaDefined.Shift] = []
            for minute in 0..<(first * 24 * 60) {
                let now = start + .seconds(minute * 60)
                let shift = try #require(rota.shift(at: now))
                #expect(shift.from <= now && now < shift.until)
                if shifts.last != shift { shifts.append(shift) }
            }
            for (shift, next) in zip(shifts, shifts.dropFirst()) {
                #expect(shift.until == next.from)
                // Only where the clocks leap over two handovers is there none between them.
                #expect(next.number - shift.number == 1 || next.from == shift.until)
                #expect(next.user == members[next.number % members.count])
            }
            #expect(Set(shifts.map(\.number)).count == shifts.count)
        }
    }

    @Test(arguments: [
        // Summer time begins at 02:00, which is then 03:00; it ends at 03:00, which is then 02:00.
        ("2026-03-29", 480, "2026-03-29T06:00:00Z"), ("2026-03-28", 480, "2026-03-28T07:00:00Z"),
        ("2026-03-29", 150, "2026-03-29T01:00:00Z"), ("2026-10-25", 150, "2026-10-25T00:30:00Z"),
        ("2026-10-25", 480, "2026-10-25T07:00:00Z"), ("2026-10-24", 480, "2026-10-24T06:00:00Z"),
    ])
    func `hand over when the clocks of the place say so`(
        day: String,
        handover: Int,
        moment: String
    ) throws {
        let (sam, john) = (UserID.sam, UserID.john)
        let rota = RotaDefined(
            name: "duty",
            members: [sam, john],
            timeZone: "Europe/Berlin",
            startsOn: day,
            handovers: [handover],
            everyDays: 7
        )
        let moment = try #require(Timestamp(moment))
        #expect(rota.shift(at: moment)?.user == sam)
        #expect(rota.shift(at: moment)?.from == moment)
        #expect(rota.shift(at: moment + .seconds(-1)) == nil)
        let week = moment + .seconds(8 * 86_400)
        #expect(rota.shift(at: week)?.user == john)
        #expect(rota.onDuty(at: moment) { $0 == sam } == john)
        #expect(rota.onDuty(at: moment) { _ in true } == nil)
    }

    @Test func `are over with the first answer: no further step, and nothing that waits`() throws {
        let ledger = MemoryLedger()
        let callOut = try ledger.callOut()
        try ledger.run(EscalateCallOut(callOut, after: 1, .timeout, people: [[.john]]))
        let (sams, johns) = (
            try ledger.alert(of: callOut, to: .sam), try ledger.alert(of: callOut, to: .john)
        )
        // The message of step 2 is on its way when the one of step 1 is answered.
        try ledger.run(BeginAlertAttempt(johns, by: .sms, attempt: 1))
        try ledger.run(AnswerAlert(sams, by: .sms, .acknowledged))
        let ended = try #require(try ledger.state(CallOut.self, callOut).ended)
        #expect(ended == CallOutEnded(.acknowledged, by: .sam))
        #expect(throws: CallOutRefusal.ended(callOut, ended)) {
            try ledger.run(EscalateCallOut(callOut, after: 2, .timeout, people: []))
        }
        let sent = AlertSent(channel: .sms, attempt: 1, providerID: "taken")
        try ledger.run(RecordAlertAttempt(johns, .sent(sent)))
        #expect(try ledger.state(Alert.self, johns).parts[.sms]?.isSent == true)
    }

    @Test func `end unanswered behind the last step, and pass over steps with nobody on duty`()
        throws
    {
        let ledger = MemoryLedger()
        let callOut = try ledger.callOut()
        try ledger.run(EscalateCallOut(callOut, after: 1, .timeout, people: [[]]))
        #expect(try ledger.state(CallOut.self, callOut).ended?.end == .exhausted)
        // Who looks again changes nothing.
        let again = MemoryLedger()
        let other = try again.callOut()
        try again.run(EscalateCallOut(other, after: 1, .timeout, people: [[.john]]))
        let events = again.events.count
        try again.run(EscalateCallOut(other, after: 1, .timeout, people: [[.john]]))
        #expect(again.events.count == events)
    }

    @Test func `know who is off duty, until when, and by which browsers somebody is told`() throws {
        let ledger = MemoryLedger()
        _ = try ledger.user(.sam)
        let until = ledger.now + .seconds(3_600)
        try ledger.run(
            SetReach(of: .sam, phone: .first, email: nil, language: "de", offDutyUntil: until)
        )
        let target = PushTarget(endpoint: "https://push.example", p256dh: "BA", auth: "AA")
        try ledger.run(SetBrowser(of: .sam, .sample(), to: target))
        var reach = try ledger.state(Reach.self, .sam)
        #expect(reach.isOffDuty(at: until + .seconds(-1)) && !reach.isOffDuty(at: until))
        #expect(reach.browsers.count == 1)
        try ledger.run(SetBrowser(of: .sam, .sample(), to: nil))
        reach = try ledger.state(Reach.self, .sam)
        #expect(reach.browsers.isEmpty)
    }
}
