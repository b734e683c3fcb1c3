// SPDX-License-Identifier: Apache-2.0
import Events

/// A citizen reports an animal; rescuers look after it, and somebody is alerted.
enum ReportStory: Story {
    static func write(_ script: inout Script, in town: inout Town) {
        let report: ReportID = town.id(at: script.time)
        let reporter: PersonID = town.id(at: script.time)
        script.bring(reporter)
        script.correlation = "report/\(report)"
        submit(report, reporter, &script, &town)
        RescueScene.assign(report, &script, in: &town)
        alert(about: report, &script, &town)
        CallOutScene.call(about: .report(report), &script, in: &town)
        follow(report, reporter, &script, &town)
        RescueScene.update(report, of: reporter, &script, in: &town)
        RescueScene.attach(report, &script, in: &town)
    }

    private static func submit(
        _ report: ReportID,
        _ reporter: PersonID,
        _ script: inout Script,
        _ town: inout Town
    ) {
        let submitted = ReportSubmitted(
            reporter: reporter,
            fix: .open(town.fix(), of: reporter),
            species: town.arbitrary.element(of: Phrases.species),
            sizeClass: town.arbitrary.oneOf(),
            condition: town.arbitrary.oneOf(),
            notes: town.arbitrary.maybe { _ in .open("near the pier", of: reporter) },
            contact: town.arbitrary.maybe { .open($0.phone().text, of: reporter) },
            photos: town.arbitrary.list(upTo: 3) { $0.digest() }
        )
        let actor = Actor(unchecked: "reporter/\(reporter)")
        script.record(actor, .report(report), .report(.submitted(submitted)), in: &town)
        script.pass(town.wait(0.1...2))
    }

    /// One alert for one contact, which a real server takes, sometimes at the second attempt.
    private static func alert(about report: ReportID, _ script: inout Script, _ town: inout Town) {
        let rescuer = town.anyone(.rescuer)
        let alert: AlertID = town.id(at: script.time)
        let queued = AlertQueued(
            cause: .report(report),
            severity: town.arbitrary.oneOf(),
            template: "report-submitted",
            contact: rescuer.person,
            sms: .open(town.arbitrary.phone(), of: rescuer.person),
            email: town.arbitrary.maybe { _ in .open("rescue@example.org", of: rescuer.person) },
            message: .open(
                AlertMessage(subject: "A report", text: "Somebody reported an animal."),
                of: rescuer.person
            ),
            deduplicationKey: "report/\(report)",
            timeToLiveSeconds: 3_600
        )
        let policy = Actor.policy("report-dispatch")
        script.record(policy, .alert(alert), .alert(.queued(queued)), in: &town)
        let delivery = Actor.policy("alert-delivery")
        var attempt = 1
        while town.arbitrary.one(in: 3), attempt < 5 {
            script.pass(town.wait(1...30))
            let failed = AlertFailed(
                channel: .sms,
                attempt: attempt,
                permanence: .temporary,
                error: "451 try again later"
            )
            script.record(delivery, .alert(alert), .alert(.failed(failed)), in: &town)
            attempt += 1
        }
        script.pass(town.wait(1...10))
        let sent = AlertSent(
            channel: .sms,
            attempt: attempt,
            providerID: "m-\(town.arbitrary.word())"
        )
        script.record(delivery, .alert(alert), .alert(.sent(sent)), in: &town)
        script.pass(town.wait(1...10))
        let outcomes: [AlertReported.Outcome] =
            town.arbitrary.one(in: 4) ? [.undeliverable] : [.accepted, .delivered]
        for outcome in outcomes {
            let reported = AlertReported(channel: .sms, attempt: attempt, outcome: outcome)
            script.record(delivery, .alert(alert), .alert(.reported(reported)), in: &town)
        }
        guard outcomes.last == .delivered, town.arbitrary.one(in: 2) else { return }
        script.pass(town.wait(10...60))
        let answered = AlertAnswered(
            contact: rescuer.person,
            channel: .sms,
            answer: town.arbitrary.oneOf(),
            text: .open("On our way", of: rescuer.person)
        )
        script.record(delivery, .alert(alert), .alert(.answered(answered)), in: &town)
    }

    /// Moves the report along the transitions that are allowed (ruling 25), not always to an end.
    private static func follow(
        _ report: ReportID,
        _ reporter: PersonID,
        _ script: inout Script,
        _ town: inout Town
    ) {
        let rescuer = town.anyone(.rescuer)
        var status = ReportStatus.submitted
        while let to = next(after: status, &town), !town.arbitrary.one(in: 8) {
            script.pass(town.wait(30...900))
            let changed = ReportStatusChanged(
                from: status,
                to: to,
                by: rescuer.user,
                note: town.arbitrary.one(in: 3) ? .open("on our way", of: reporter) : nil
            )
            script.record(
                rescuer.actor,
                .report(report),
                .report(.statusChanged(changed)),
                in: &town
            )
            status = to
        }
    }

    private static func next(after status: ReportStatus, _ town: inout Town) -> ReportStatus? {
        let standsDown = town.arbitrary.one(in: 10)
        return switch status {
        case .submitted: standsDown ? .stoodDown : .acknowledged
        case .acknowledged: standsDown ? .stoodDown : .headingOut
        case .headingOut: standsDown ? .stoodDown : .onScene
        case .onScene: town.arbitrary.element(of: [.rescued, .released, .deceased, .notFound])
        case .rescued, .released, .deceased, .notFound, .stoodDown: nil
        }
    }
}
