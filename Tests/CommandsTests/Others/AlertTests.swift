// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

@testable import Commands

@Suite(.tags(.promise8)) struct `An alert` {
    @Test func `of the same key to the same contact is one within the window`() throws {
        let ledger = MemoryLedger()
        let (contact, other) = (ledger.person(), ledger.person())
        let first = try ledger.run(ledger.alarm(to: contact))
        ledger.wait(.milliseconds(599_999))
        #expect(try ledger.run(ledger.alarm(to: contact)) == first)
        #expect(try ledger.run(ledger.alarm(to: other)) != first)
        #expect(try ledger.run(ledger.alarm(to: contact, key: "report-2")) != first)
        ledger.wait(.milliseconds(1))
        #expect(try ledger.run(ledger.alarm(to: contact)) != first)
    }

    @Test
    func `is swallowed by none that is less severe, has expired, or is another organisation's`()
        throws
    {
        let ledger = MemoryLedger()
        let contact = ledger.person()
        let elsewhere = OrganisationID(unchecked: "elsewhere")
        let foreign = try ledger.run(ledger.alarm(to: contact, severity: .critical), in: elsewhere)
        let brief = ledger.alarm(to: contact, severity: .critical, timeToLiveSeconds: 1)
        let first = try ledger.run(brief)
        #expect(first != foreign)
        ledger.wait(.milliseconds(999))
        #expect(try ledger.run(ledger.alarm(to: contact, severity: .info)) == first)
        ledger.wait(.milliseconds(1))
        let second = try ledger.run(ledger.alarm(to: contact, severity: .info))
        #expect(second != first)
        let third = try ledger.run(ledger.alarm(to: contact, severity: .critical))
        #expect(third != second)
        for severity in AlertQueued.Severity.allCases {
            #expect(try ledger.run(ledger.alarm(to: contact, severity: severity)) == third)
        }
    }

    @Test func `is swallowed by none of another sender, cause, wording or address`() throws {
        let ledger = MemoryLedger()
        let (contact, guardian) = (ledger.person(), Actor(unchecked: "guard/9"))
        let urgent = ledger.alarm(to: contact, severity: .critical)
        var known = [
            try ledger.run(urgent, as: guardian),
            try ledger.run(ledger.alarm(to: contact, about: .policy("x"), severity: .critical)),
            try ledger.run(ledger.alarm(to: contact, template: "test", severity: .critical)),
            try ledger.run(
                ledger.alarm(to: contact, sms: nil, email: "n@invalid", severity: .critical)
            ),
            try ledger.run(ledger.alarm(to: contact, email: "n@invalid", severity: .critical)),
        ]
        known.append(try ledger.run(urgent))
        #expect(Set(known).count == known.count)
        #expect(try ledger.run(urgent) == known.last)
        #expect(try ledger.run(urgent, as: guardian) == known.first)
    }

    @Test(arguments: [Duration.seconds(3_600), .seconds(3_456_000), .seconds(315_360_000)])
    func `is another one when the known one was recorded by a clock that was fast`(ahead: Duration)
        throws
    {
        let ledger = MemoryLedger()
        let contact = ledger.person()
        ledger.wait(ahead)
        let first = try ledger.run(ledger.alarm(to: contact))
        ledger.wait(.zero - ahead)
        #expect(try ledger.run(ledger.alarm(to: contact)) != first)
    }

    @Test func `is the same when the known one was recorded while this one waited`() throws {
        let ledger = MemoryLedger()
        let contact = ledger.person()
        ledger.wait(.milliseconds(20))
        let first = try ledger.run(ledger.alarm(to: contact))
        ledger.wait(.milliseconds(-20))
        #expect(try ledger.run(ledger.alarm(to: contact)) == first)
    }

    @Test func `counts attempts and ends when a server took it`() throws {
        let ledger = MemoryLedger()
        let alert = try ledger.alert()
        for attempt in 1...3 {
            try ledger.run(
                RecordAlertAttempt(
                    alert,
                    .failed(
                        AlertFailed(
                            channel: .sms,
                            attempt: attempt,
                            permanence: attempt == 2 ? .unknown : .temporary,
                            error: "timeout"
                        )
                    )
                )
            )
        }
        let sent = AlertSent(channel: .sms, attempt: 4, providerID: "p-1")
        try ledger.run(RecordAlertAttempt(alert, .sent(sent)))
        #expect(try ledger.state(Alert.self, alert).parts[.sms]?.isSent == true)
    }

    @Test func `keeps the report that says most, in whichever order reports come`() throws {
        let ledger = MemoryLedger()
        let alert = try ledger.alert()
        try ledger.run(BeginAlertAttempt(alert, by: .sms, attempt: 1))
        let sent = AlertSent(channel: .sms, attempt: 1, providerID: "p-1")
        try ledger.run(RecordAlertAttempt(alert, .sent(sent)))
        for outcome in [AlertReported.Outcome.undeliverable, .accepted, .delivered, .undeliverable]
        {
            let report = AlertReported(channel: .sms, attempt: 1, outcome: outcome)
            try ledger.run(ReportAlert(alert, report))
            try ledger.run(ReportAlert(alert, report))
        }
        let part = try #require(try ledger.state(Alert.self, alert).parts[.sms])
        #expect(part.report == .delivered)
        #expect(part.isSent && !part.isGivenUp)
        let reports = ledger.events.filter { $0.fact.kind.text == "alert.reported/1" }
        #expect(reports.count == 2)
    }

    @Test func `whose answer was lost was sent when its report says so`() throws {
        let ledger = MemoryLedger()
        let alert = try ledger.alert()
        try ledger.run(BeginAlertAttempt(alert, by: .sms, attempt: 1))
        let lost = AlertFailed(
            channel: .sms,
            attempt: 1,
            permanence: .unknown,
            error: "the answer was lost",
            retryAfterSeconds: 120
        )
        try ledger.run(RecordAlertAttempt(alert, .failed(lost)))
        let accepted = AlertReported(channel: .sms, attempt: 1, outcome: .accepted)
        try ledger.run(ReportAlert(alert, accepted))
        #expect(throws: AlertAttemptRefusal.sentBefore(alert, .sms)) {
            try ledger.run(BeginAlertAttempt(alert, by: .sms, attempt: 2))
        }
    }

    @Test func `takes no report of an attempt that was never made`() throws {
        let ledger = MemoryLedger()
        let alert = try ledger.alert()
        let report = AlertReported(channel: .sms, attempt: 1, outcome: .delivered)
        #expect(throws: AlertAttemptRefusal.notNext(alert, .sms, expected: 0)) {
            try ledger.run(ReportAlert(alert, report))
        }
    }

    @Test func `goes by e-mail alone to a contact who answered STOP, until START`() throws {
        let ledger = MemoryLedger()
        let contact = ledger.person()
        let first = try ledger.run(ledger.alarm(to: contact))
        try ledger.run(AnswerAlert(first, by: .sms, .stopped, text: "Stop!"))
        let mailed = try ledger.run(ledger.alarm(to: contact, email: "a@example.org", key: "2"))
        #expect(
            try ledger.state(Alert.self, mailed).parts.keys.sorted { $0.rawValue < $1.rawValue }
                == [.email]
        )
        try ledger.run(AnswerAlert(first, by: .sms, .resumed, text: "start"))
        let again = try ledger.run(ledger.alarm(to: contact, key: "3"))
        #expect(try ledger.state(Alert.self, again).parts.keys.contains(.sms))
    }

    @Test func `is acknowledged once`() throws {
        let ledger = MemoryLedger()
        let alert = try ledger.alert()
        for _ in 0..<2 { try ledger.run(AnswerAlert(alert, by: .sms, .acknowledged, text: "ok")) }
        #expect(try ledger.state(Alert.self, alert).isAcknowledged)
        #expect(ledger.events.filter { $0.fact.kind.text == "alert.answered/1" }.count == 1)
    }
}
