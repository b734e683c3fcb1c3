// SPDX-License-Identifier: Apache-2.0
import Events
import ProjectionsTesting
import Testing

@testable import Projections

@Suite struct `The reports` {
    @Test func `are listed by status and found near a place while it can be read`() async throws {
        let evening = try Evening()
        let reports = Reports(try await rows(of: ReportsProjector(), evening.script.events))
        var filter = Reports.Filter()
        filter.statuses = [.acknowledged]
        #expect(try await reports.reports(filter, in: .wholeLedger).map(\.id) == [evening.report])
        filter.statuses = [.submitted]
        #expect(try await reports.reports(filter, in: .wholeLedger).isEmpty)
        let history = try await reports.history(of: evening.report)
        #expect(history.map(\.to) == [.acknowledged])
        let here = Fix(latitude: 40.41, longitude: -74)
        let near = try await reports.reports(
            near: here,
            withinMetres: 48_280,
            in: .wholeLedger,
            keys: evening.script.keys
        )
        #expect(near.map(\.report.id) == [evening.report])
        #expect(abs((near.first?.metres ?? 0) - 1_110.424) < 0.01)
        #expect(
            try await reports.reports(
                near: here,
                withinMetres: 1_000,
                in: .wholeLedger,
                keys: evening.script.keys
            ).isEmpty
        )
        #expect(
            try await reports.reports(
                near: here,
                withinMetres: 48_280,
                in: .wholeLedger,
                keys: NoKeys()
            ).isEmpty
        )
    }
}

extension `The reports` {
    @Test func `are found near a place behind any number of newer ones elsewhere`() async throws {
        var evening = try Evening()
        let reporter = evening.script.person()
        let elsewhere = ReportSubmitted(
            reporter: reporter,
            fix: .open(Fix(latitude: 0, longitude: 0), of: reporter),
            species: "seal",
            sizeClass: .medium,
            condition: .injured,
            photos: []
        )
        for _ in 0...ProjectionLimits.listRowsMax {
            let report: ReportID = evening.script.id()
            try evening.script.record(.report(.submitted(elsewhere)), on: .report(report))
        }
        let reports = Reports(try await rows(of: ReportsProjector(), evening.script.events))
        var filter = Reports.Filter()
        filter.limit = 1
        for (metres, expected) in [(48_280.0, evening.report), (20_100_000, evening.report)] {
            let near = try await reports.reports(
                near: Fix(latitude: 40.41, longitude: -74),
                withinMetres: metres,
                in: .wholeLedger,
                filter,
                keys: evening.script.keys
            )
            #expect(near.map(\.report.id) == [expected])
        }
    }
}

@Suite struct `The alert queue` {
    @Test func `keeps an alert until every part went out, behind those not yet tried`() async throws
    {
        var evening = try Evening()
        let contact = evening.script.person()
        let other: AlertID = evening.script.id()
        let queued = AlertQueued(
            cause: .session(evening.first.session),
            severity: .info,
            template: "t",
            contact: contact,
            email: .open("a@example.org", of: contact),
            deduplicationKey: "k",
            timeToLiveSeconds: 60
        )
        try evening.script.record(.alert(.queued(queued)), on: .alert(other))
        try evening.script.record(
            .alert(
                .failed(
                    AlertFailed(channel: .email, attempt: 1, permanence: .temporary, error: "busy")
                )
            ),
            on: .alert(evening.alert)
        )
        var queue = AlertQueue(try await rows(of: AlertQueueProjector(), evening.script.events))
        #expect(try await queue.queue().map(\.id) == [other, evening.alert])
        #expect(try await queue.alert(evening.alert)?.state == .partlySent)
        #expect(try await queue.depth().alerts == 2)
        try evening.script.record(
            .alert(.sent(AlertSent(channel: .email, attempt: 2, providerID: "m"))),
            on: .alert(evening.alert)
        )
        queue = AlertQueue(try await rows(of: AlertQueueProjector(), evening.script.events))
        #expect(try await queue.queue().map(\.id) == [other])
        #expect(try await queue.alert(evening.alert)?.state == .sent)
        #expect(try await queue.parts(of: evening.alert).map(\.attempts) == [2, 1])
        let since = Timestamp(microseconds: 0)
        #expect(
            try await queue.alert(deduplicationKey: "fire-1", since: since)?.id == evening.alert
        )
    }

    /// Three alerts for one contact by SMS, and one for another.
    private func waiting(
        _ severities: [AlertQueued.Severity] = [.info, .info, .info]
    ) throws -> (evening: Evening, alerts: [AlertID], other: AlertID) {
        var evening = try Evening()
        let (contact, stranger) = (evening.script.person(), evening.script.person())
        let alerts: [AlertID] = (0..<4).map { _ in evening.script.id() }
        for (number, alert) in alerts.enumerated() {
            let person = number == 3 ? stranger : contact
            let queued = AlertQueued(
                cause: .session(evening.first.session),
                severity: number == 3 ? .info : severities[number],
                template: "t",
                contact: person,
                sms: PhoneNumber("+4915112345678").map { .open($0, of: person) },
                deduplicationKey: "k\(number)",
                timeToLiveSeconds: 60
            )
            try evening.script.record(.alert(.queued(queued)), on: .alert(alert))
        }
        return (evening, Array(alerts.prefix(3)), alerts[3])
    }

    private func due(
        _ evening: Evening,
        waiting seconds: Int = 0,
        perContact: Int = 5,
        after start: LogPosition = LogPosition(0)
    ) async throws -> [AlertID] {
        let queue = AlertQueue(try await rows(of: AlertQueueProjector(), evening.script.events))
        let last = try #require(evening.script.events.last)
        let now = last.envelope.time + .seconds(seconds)
        return try await queue.due(
            by: .sms,
            at: now,
            after: start,
            setAt: Timestamp(microseconds: 0),
            awaitingReportSince: now + .seconds(-30),
            perContact: perContact,
            since: now + .seconds(-900)
        )
    }

    @Test
    func `gives a contact one SMS at a time, in order, the next once the one before is there`()
        async throws
    {
        var (evening, alerts, other) = try waiting()
        #expect(try await due(evening) == [alerts[0], other])
        let sent = AlertSent(channel: .sms, attempt: 1, providerID: "m")
        try evening.script.record(.alert(.sent(sent)), on: .alert(alerts[0]))
        #expect(try await due(evening) == [other], "the centre has not said that it has it")
        #expect(try await due(evening, waiting: 31) == [alerts[1], other])
        let reported = AlertReported(channel: .sms, attempt: 1, outcome: .accepted)
        try evening.script.record(.alert(.reported(reported)), on: .alert(alerts[0]))
        #expect(try await due(evening) == [alerts[1], other])
        #expect(try await due(evening, perContact: 1) == [other], "so much and no more in a while")
    }

    @Test func `lets what is critical wait for nothing that is not, however many a contact got`()
        async throws
    {
        var (evening, alerts, other) = try waiting([.warning, .critical, .critical])
        #expect(try await due(evening) == [alerts[0], alerts[1], other])
        #expect(try await due(evening, perContact: 0) == [alerts[1]])
        let sent = AlertSent(channel: .sms, attempt: 1, providerID: "m")
        try evening.script.record(.alert(.sent(sent)), on: .alert(alerts[1]))
        #expect(try await due(evening, waiting: 31, perContact: 1) == [alerts[2], other])
    }

    @Test func `lets nothing wait for an alert that was queued before anything was sent`()
        async throws
    {
        let (evening, alerts, other) = try waiting()
        let first = try #require(
            evening.script.events.first { $0.envelope.subject == .alert(alerts[0]) }
        )
        #expect(try await due(evening, after: first.envelope.position) == [alerts[1], other])
    }

    @Test func `keeps the later alerts of a contact behind one that is to be tried again`()
        async throws
    {
        var (evening, alerts, other) = try waiting()
        let failed = AlertFailed(
            channel: .sms,
            attempt: 1,
            permanence: .temporary,
            error: "503",
            retryAfterSeconds: 5
        )
        try evening.script.record(.alert(.failed(failed)), on: .alert(alerts[0]))
        #expect(try await due(evening) == [other])
        #expect(
            try await due(evening, waiting: 5) == [other, alerts[0]],
            "behind those not yet tried"
        )
    }

    @Test func `says that one part failed for good where the other was sent`() async throws {
        var evening = try Evening()
        let failed = AlertFailed(
            channel: .email,
            attempt: 1,
            permanence: .permanent,
            error: "550 no such user"
        )
        try evening.script.record(.alert(.failed(failed)), on: .alert(evening.alert))
        let queue = AlertQueue(try await rows(of: AlertQueueProjector(), evening.script.events))
        #expect(try await queue.alert(evening.alert)?.state == .sentInPart)
        #expect(try await queue.queue().isEmpty)
    }

    @Test func `takes what is reported as delivered for sent, whatever was reported before`()
        async throws
    {
        var evening = try Evening()
        for outcome in [AlertReported.Outcome.undeliverable, .delivered, .undeliverable, .accepted]
        {
            let reported = AlertReported(channel: .sms, attempt: 1, outcome: outcome)
            try evening.script.record(.alert(.reported(reported)), on: .alert(evening.alert))
        }
        let queue = AlertQueue(try await rows(of: AlertQueueProjector(), evening.script.events))
        let part = try #require(try await queue.parts(of: evening.alert).last)
        #expect(part.channel == .sms && part.state == .sent && part.report == .delivered)
    }
}

@Suite struct `The check-ins` {
    @Test func `list accepted and refused scans, also those of forged codes`() async throws {
        let evening = try Evening()
        let checkIns = CheckIns(try await rows(of: CheckInsProjector(), evening.script.events))
        let scans = try await checkIns.checkIns(in: .wholeLedger)
        #expect(scans.map(\.refusal) == [.badCode, nil])
        #expect(scans.first?.point == nil)
        let point = try #require(scans.last?.point)
        #expect(try await checkIns.point(point)?.name == "gate 4")
        #expect(try await checkIns.points(in: .wholeLedger).count == 1)
    }
}

@Suite struct `The registry` {
    @Test func `knows accounts, holds, erasures and who looked at what`() async throws {
        var evening = try Evening()
        var registry = Registry(try await rows(of: RegistryProjector(), evening.script.events))
        #expect(try await registry.user(evening.operatorA)?.role == .operator)
        #expect(try await registry.users().count == 2)
        #expect(try await registry.erasure(of: evening.second.caller) != nil)
        #expect(try await registry.erasure(of: evening.first.caller) == nil)
        let looks = try await registry.access(resource: .session(evening.first.session))
        #expect(looks.map(\.what) == ["answering"])
        let hold = try #require(try await registry.holds(on: evening.first.caller).first)
        #expect(try await registry.persons(of: hold.id) == [evening.first.caller])
        #expect(try await registry.holds(on: evening.second.caller).isEmpty)
        let lifted = HoldLifted(
            hold: hold.id,
            reason: "over",
            approvedBy: [evening.operatorA, evening.operatorB]
        )
        try evening.script.record(.hold(.lifted(lifted)), on: .holds(.main))
        registry = Registry(try await rows(of: RegistryProjector(), evening.script.events))
        #expect(try await registry.holds(on: evening.first.caller).isEmpty)
        #expect(try await registry.holds(active: false, in: .wholeLedger).count == 1)
    }
}
