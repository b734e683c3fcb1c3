// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@testable import Commands

extension RefusalScenario {
    static let callOuts = [
        RefusalScenario("AlertAttemptRefusal.answered") { ledger in
            let alert = try ledger.alert()
            try ledger.run(AnswerAlert(alert, by: .sms, .acknowledged))
            try ledger.run(BeginAlertAttempt(alert, by: .sms, attempt: 1))
        },
        RefusalScenario("DefineRota.notOfStaff") { ledger in
            try ledger.run(DefineRota(.duty([.sam]), of: .main))
        },
        RefusalScenario("DefineRota.unacceptable") { ledger in
            try ledger.run(DefineRota(.duty([]), of: .main))
        },
        RefusalScenario("DefineChain.notOfStaff") { ledger in
            try ledger.run(DefineChain(.chain([[.sam]]), of: .main))
        },
        RefusalScenario("DefineChain.unknownRota") { ledger in
            let step = CallOutStep(targets: [.init(rota: "duty")], waitSeconds: 60)
            let chain = ChainDefined(name: "fire", opensFor: [], steps: [step])
            try ledger.run(DefineChain(chain, of: .main))
        },
        RefusalScenario("DefineChain.unacceptable") { ledger in
            try ledger.run(DefineChain(.chain([]), of: .main))
        },
        RefusalScenario("CallOutRefusal.unknown") { ledger in
            try ledger.run(EndCallOut(ledger.id(), .cancelled, by: .sam))
        },
        RefusalScenario("CallOutRefusal.unknownChain") { ledger in
            try ledger.run(callOut(people: [[.sam]]))
        },
        RefusalScenario("CallOutRefusal.nobodyToCall") { ledger in
            _ = try ledger.callOut()
            try ledger.run(callOut(people: [[], []]))
        },
        RefusalScenario("CallOutRefusal.ended") { ledger in
            let id = try ledger.callOut()
            try ledger.run(EndCallOut(id, .acknowledged, by: .sam))
            try ledger.run(EscalateCallOut(id, after: 1, .timeout, people: [[.john]]))
        },
        RefusalScenario("CallOutRefusal.noFurtherStep") { ledger in
            let id = try ledger.callOut()
            try ledger.run(EscalateCallOut(id, after: 1, .timeout, people: [[.john]]))
            try ledger.run(EscalateCallOut(id, after: 2, .manual, people: []))
        },
        RefusalScenario("CallOutRefusal.unacceptable") { ledger in
            let person = try ledger.user(.mary)
            _ = try ledger.callOut()
            try ledger.run(callOut(people: [[.sam]], text: .open(" ", of: person)))
        },
        RefusalScenario("WebhookRefusal.unknown") { ledger in
            try ledger.run(SetWebhook(ledger.id(), to: .sample(isRetired: true)))
        },
        RefusalScenario("WebhookRefusal.overtaken") { ledger in
            let webhook: WebhookID = ledger.id()
            try ledger.run(SetWebhook(webhook, to: .sample()))
            let failed = WebhookFailed(
                position: 100,
                attempt: 1,
                error: "500",
                retryAfterSeconds: 5
            )
            try ledger.run(RecordWebhookAttempt(webhook, .failed(failed)))
            let delivered = WebhookDelivered(position: 100, attempt: 2)
            try ledger.run(RecordWebhookAttempt(webhook, .delivered(delivered)))
            try ledger.run(RecordWebhookAttempt(webhook, .delivered(delivered)))
        },
        RefusalScenario("WebhookRefusal.unacceptable") { ledger in
            try ledger.run(SetWebhook(ledger.id(), to: .sample(kinds: ["user.created"])))
        },
        RefusalScenario("ReachRefusal.unknown") { ledger in
            try ledger.run(SetBrowser(of: .sam, .sample(), to: nil))
        },
        RefusalScenario("ReachRefusal.tooManyBrowsers") { ledger in
            _ = try ledger.user(.sam)
            let target = PushTarget(endpoint: "https://push.example", p256dh: "BA", auth: "AA")
            for number in 0...8 {
                let browser = SHA256Digest(of: [UInt8(number)])
                try ledger.run(SetBrowser(of: .sam, browser, to: target))
            }
        },
        RefusalScenario("ReachRefusal.unacceptable") { ledger in
            _ = try ledger.user(.sam)
            try ledger.run(
                SetReach(of: .sam, phone: nil, email: nil, language: "en", offDutyUntil: ledger.now)
            )
        },
    ]

    private static func callOut(people: [[UserID]], text: Sealed<String>? = nil) -> OpenCallOut {
        OpenCallOut(
            by: .init("fire", of: .main),
            about: nil,
            severity: .critical,
            text: text,
            people: people
        )
    }
}

extension MemoryLedger {
    /// A call-out with two steps, of which the first calls Sam.
    func callOut() throws -> CallOutID {
        _ = try user(.sam)
        _ = try user(.john)
        try run(DefineRota(.duty([.sam, .john]), of: .main))
        try run(DefineChain(.chain([[.sam], [.john]]), of: .main))
        return try run(
            OpenCallOut(
                by: .init("fire", of: .main),
                about: nil,
                severity: .critical,
                text: nil,
                people: [[.sam], [.john]]
            )
        )
    }

    /// An alert that tells a member of staff of a call-out.
    func alert(of callOut: CallOutID, to user: UserID) throws -> AlertID {
        let person = try #require(try state(User.self, user).account?.person)
        return try run(
            QueueAlert(
                about: .callOut(callOut),
                severity: .critical,
                template: "call-out",
                to: person,
                sms: .first,
                deduplicationKey: "\(user)"
            )
        )
    }
}

extension RotaDefined {
    /// Shifts of twelve hours in Berlin, from the Monday before the clocks go forward.
    static func duty(_ members: [UserID], handovers: [Int] = [480, 1_200]) -> RotaDefined {
        RotaDefined(
            name: "duty",
            members: members,
            timeZone: "Europe/Berlin",
            startsOn: "2026-03-23",
            handovers: handovers,
            everyDays: 1
        )
    }
}

extension WebhookSet {
    /// One that is told of sessions.
    static func sample(
        kinds: [String] = ["session.created"],
        isRetired: Bool = false
    ) -> WebhookSet {
        WebhookSet(
            url: "https://partner.example/hook",
            kinds: kinds,
            isOn: true,
            secret: "AAAA",
            isRetired: isRetired
        )
    }
}

extension ChainDefined {
    /// A step for each list of people, of two minutes each.
    static func chain(_ steps: [[UserID]]) -> ChainDefined {
        ChainDefined(
            name: "fire",
            opensFor: [],
            steps: steps.map { users in
                CallOutStep(targets: users.map { .init(user: $0) }, waitSeconds: 120)
            }
        )
    }
}
