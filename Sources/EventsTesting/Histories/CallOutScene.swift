// SPDX-License-Identifier: Apache-2.0
import Events

/// Staff are called for something: who is on duty first, then who supervises, until somebody has it.
enum CallOutScene {
    private static let steps = [
        CallOutStep(targets: [.init(rota: "duty")], waitSeconds: 120),
        CallOutStep(targets: [.init(role: .supervisor)], waitSeconds: 300),
    ]

    /// The rota and the chain, and by which ways two of the staff are told.
    static func define(_ script: inout Script, in town: inout Town) {
        let admin = town.anyone(.admin).actor
        let members = [town.anyone(.rescuer), town.anyone(.operator)]
        let rota = RotaDefined(
            name: "duty",
            members: members.map(\.user),
            timeZone: "Europe/Berlin",
            startsOn: "2026-03-23",
            handovers: [480, 1_200],
            everyDays: 1
        )
        script.record(
            admin,
            .rota("duty", of: .main),
            .callOut(.rotaDefined(rota)),
            in: &town
        )
        let chain = ChainDefined(name: "rescue", opensFor: [.guardAlarm], steps: steps)
        script.record(
            admin,
            .chain("rescue", of: .main),
            .callOut(.chainDefined(chain)),
            in: &town
        )
        for member in members {
            let reach = ReachSet(
                person: member.person,
                phone: .open(town.arbitrary.phone(), of: member.person),
                email: .open("duty@example.org", of: member.person),
                language: "en",
                offDutyUntil: nil
            )
            script.record(member.actor, .user(member.user), .callOut(.reachSet(reach)), in: &town)
            let target = PushTarget(endpoint: "https://push.example", p256dh: "BA", auth: "AA")
            let browser = BrowserSet(
                person: member.person,
                browser: town.arbitrary.digest(),
                target: .open(target, of: member.person)
            )
            script.record(
                member.actor,
                .user(member.user),
                .callOut(.browserSet(browser)),
                in: &town
            )
        }
    }

    /// A system that is told of call-outs, and was out of reach once.
    static func tellOthers(_ script: inout Script, in town: inout Town) {
        let admin = town.anyone(.admin).actor
        let webhook: WebhookID = town.id(at: script.time)
        let set = WebhookSet(
            url: "https://partner.example/hook",
            kinds: ["call_out.opened"],
            isOn: true,
            secret: "AAAA"
        )
        script.record(admin, .webhook(webhook), .webhook(.set(set)), in: &town)
        let failed = WebhookFailed(
            position: 1,
            attempt: 1,
            error: "the receiver answered 503",
            retryAfterSeconds: 5
        )
        let policy = Actor.policy("webhooks")
        script.record(policy, .webhook(webhook), .webhook(.failed(failed)), in: &town)
        let delivered = WebhookDelivered(position: 1, attempt: 2)
        script.record(policy, .webhook(webhook), .webhook(.delivered(delivered)), in: &town)
    }

    /// One call-out about something, to its end; somebody else answers than was told first.
    static func call(about cause: Subject, _ script: inout Script, in town: inout Town) {
        let (desk, rescuer) = (town.anyone(.operator), town.anyone(.rescuer))
        let boss = town.anyone(.supervisor)
        let id: CallOutID = town.id(at: script.time)
        let subject = Subject.callOut(id)
        let opened = CallOutOpened(
            chain: "rescue",
            cause: cause,
            severity: town.arbitrary.oneOf(),
            text: .open("a whale at the pier", of: desk.person),
            steps: steps
        )
        script.record(desk.actor, subject, .callOut(.opened(opened)), in: &town)
        let policy = Actor.policy("call-outs")
        escalate(to: 1, rescuer, .opening, subject, by: policy, &script, &town)
        let alert: AlertID = town.id(at: script.time)
        let queued = AlertQueued(
            cause: subject,
            severity: .warning,
            template: "call-out",
            contact: rescuer.person,
            sms: .open(town.arbitrary.phone(), of: rescuer.person),
            browser: rescuer.user,
            deduplicationKey: "step 1",
            timeToLiveSeconds: 120
        )
        script.record(policy, .alert(alert), .alert(.queued(queued)), in: &town)
        script.pass(town.wait(10...120))
        if town.arbitrary.one(in: 2) {
            escalate(to: 2, boss, .timeout, subject, by: policy, &script, &town)
        }
        let ended = CallOutEnded(.acknowledged, by: boss.user)
        script.record(boss.actor, subject, .callOut(.ended(ended)), in: &town)
    }

    private static func escalate(
        to step: Int,
        _ member: Town.Member,
        _ cause: CallOutEscalated.Cause,
        _ subject: Subject,
        by actor: Actor,
        _ script: inout Script,
        _ town: inout Town
    ) {
        let escalated = CallOutEscalated(
            step: step,
            people: [member.user],
            cause: cause,
            until: script.time + .seconds(steps[step - 1].waitSeconds)
        )
        script.record(actor, subject, .callOut(.escalated(escalated)), in: &town)
    }
}
