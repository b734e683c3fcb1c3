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
}
