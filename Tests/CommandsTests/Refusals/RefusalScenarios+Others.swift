// SPDX-License-Identifier: Apache-2.0
import Events

@testable import Commands

extension RefusalScenario {
    static let clock = [
        RefusalScenario("ConfirmClock.notHeldBack") { ledger in
            try ledger.run(ConfirmClock(heldBack: .zero))
        }
    ]

    static let alerts = [
        RefusalScenario("QueueAlert.nowhereToSend") { ledger in
            try ledger.run(ledger.alarm(to: ledger.person(), sms: nil))
        },
        RefusalScenario("QueueAlert.personErased") { ledger in
            try ledger.run(ledger.alarm(to: try ledger.erasedPerson()))
        },
        RefusalScenario("QueueAlert.unacceptable") { ledger in
            try ledger.run(ledger.alarm(to: ledger.person(), timeToLiveSeconds: 0))
        },
        RefusalScenario("QueueAlert.contactStopped") { ledger in
            let person = ledger.person()
            let alert = try ledger.run(ledger.alarm(to: person))
            try ledger.run(AnswerAlert(alert, by: .sms, .stopped))
            try ledger.run(ledger.alarm(to: person, key: "another"))
        },
        RefusalScenario("AnswerAlert.unknown") { ledger in
            try ledger.run(AnswerAlert(ledger.id() as AlertID, by: .sms, .acknowledged))
        },
        RefusalScenario("AnswerAlert.unacceptable") { ledger in
            let text = String(repeating: "a", count: CommandLimits.noteBytesMax + 1)
            try ledger.run(AnswerAlert(try ledger.alert(), by: .sms, .other, text: text))
        },
        RefusalScenario("DefineTemplate.unacceptable") { ledger in
            try ledger.run(DefineTemplate(template(text: "{words}")))
            try ledger.run(DefineTemplate(template(text: " ")))
        },
        RefusalScenario("SetSender.noSettings") { ledger in
            try ledger.run(SetSender(.push, to: mailSettings(port: 587)))
        },
        RefusalScenario("SetSender.unacceptable") { ledger in
            try ledger.run(SetSender(.email, to: mailSettings(port: 587)))
            try ledger.run(SetSender(.email, to: mailSettings(port: 0)))
        },
        RefusalScenario("AlertAttemptRefusal.unknown") { ledger in
            try ledger.run(sent(ledger.id()))
        },
        RefusalScenario("AlertAttemptRefusal.noSuchPart") { ledger in
            try ledger.run(failed(try ledger.alert(), channel: .email))
        },
        RefusalScenario("AlertAttemptRefusal.sentBefore") { ledger in
            let alert = try ledger.alert()
            try ledger.run(sent(alert))
            let report = AlertReported(channel: .sms, attempt: 1, outcome: .delivered)
            try ledger.run(ReportAlert(alert, report))
            try ledger.run(sent(alert, attempt: 2))
        },
        RefusalScenario("AlertAttemptRefusal.givenUp") { ledger in
            let alert = try ledger.alert()
            try ledger.run(failed(alert, permanence: .permanent))
            try ledger.run(sent(alert, attempt: 2))
        },
        RefusalScenario("AlertAttemptRefusal.notNext") { ledger in
            try ledger.run(sent(try ledger.alert(), attempt: 2))
        },
        RefusalScenario("AlertAttemptRefusal.underWay") { ledger in
            let alert = try ledger.alert()
            try ledger.run(BeginAlertAttempt(alert, by: .sms, attempt: 1))
            try ledger.run(BeginAlertAttempt(alert, by: .sms, attempt: 1))
        },
        RefusalScenario("QueuePush.overtaken") { ledger in
            let scene = try ledger.expiredVideo()
            let device = try ledger.subscribedDevice(of: scene.caller)
            try ledger.run(QueuePush(to: device, about: .opening, in: scene.session))
        },
        RefusalScenario("QueuePush.notSubscribed") { ledger in
            let scene = try ledger.video()
            let device = try ledger.device(of: scene.caller)
            try ledger.run(QueuePush(to: device, about: .opening, in: scene.session))
        },
        RefusalScenario("PushSubscriptionRefusal.notRegistered") { ledger in
            let device = try ledger.subscribedDevice(of: ledger.person())
            try ledger.run(RevokeDevice(device, reason: "stolen"))
            try ledger.run(SubscribePush(device, by: ledger.id(), endpoint: .sample()))
        },
        RefusalScenario("AlertAttemptRefusal.unacceptable") { ledger in
            let error = String(repeating: "x", count: 5_000)
            try ledger.run(failed(try ledger.alert(), error: error))
        },
    ]

    static let patrols =
        [
            RefusalScenario("DefinePatrolPoint.unacceptable") { ledger in
                try ledger.run(DefinePatrolPoint(ledger.id(), as: .sample(radiusMetres: 0)))
            },
            RefusalScenario("CheckIn.badCode") { ledger in
                try ledger.run(scan(try ledger.point(), ledger, code: .forged))
            },
            RefusalScenario("CheckIn.codeRenewed") { ledger in
                let point = try ledger.point()
                try ledger.run(RenewPatrolCode(point))
                try ledger.run(scan(point, ledger))
            },
            RefusalScenario("RenewPatrolCode.unknownPoint") { ledger in
                try ledger.run(RenewPatrolCode(ledger.id()))
            },
            RefusalScenario("RenewPatrolCode.tooMany") { ledger in
                let point = try ledger.point()
                for _ in 1...CommandLimits.patrolCodesMax {
                    try ledger.run(RenewPatrolCode(point))
                }
            },
            RefusalScenario("CheckIn.tooFar") { ledger in
                let afar = Fix(latitude: 52.4806, longitude: -1.9026)
                try ledger.run(scan(try ledger.point(), ledger, at: afar))
            },
            RefusalScenario("CheckIn.duplicate") { ledger in
                let point = try ledger.point()
                try ledger.run(scan(point, ledger))
                ledger.wait(.milliseconds(299_999))
                try ledger.run(scan(point, ledger))
            },
            RefusalScenario("CheckIn.unacceptable") { ledger in
                let nowhere = Fix(latitude: 0, longitude: 181)
                try ledger.run(scan(try ledger.point(), ledger, at: nowhere))
            },
        ] + tours

    private static let tours = [
        RefusalScenario("PassTourStart.unknown") { ledger in
            let start = ScheduledStart(at: ledger.now, from: ledger.now, until: ledger.now)
            try ledger.run(PassTourStart(of: ledger.id(), at: start))
        },
        RefusalScenario("DefineTour.unknownPoint") { ledger in
            try ledger.run(DefineTour(ledger.id(), as: .sample([ledger.id()])))
        },
        RefusalScenario("DefineTour.repeatedPoint") { ledger in
            let point = try ledger.point()
            try ledger.run(DefineTour(ledger.id(), as: .sample([point, point])))
        },
        RefusalScenario("DefineTour.unacceptable") { ledger in
            try ledger.run(DefineTour(ledger.id(), as: .sample([])))
        },
        RefusalScenario("StartRound.unknown") { ledger in
            try ledger.run(StartRound(of: ledger.id(), by: .mary))
        },
        RefusalScenario("StartRound.retired") { ledger in
            let tour = try ledger.tour().tour
            let retired = TourDefined.sample([try ledger.point()], isRetired: true)
            try ledger.run(DefineTour(tour, as: retired))
            try ledger.run(StartRound(of: tour, by: .mary))
        },
        RefusalScenario("StartRound.onAnother") { ledger in
            let tour = try ledger.tour().tour
            try ledger.run(StartRound(of: tour, by: .mary))
            try ledger.run(StartRound(of: tour, by: .mary))
        },
        RefusalScenario("StopRound.unavailable") { ledger in
            let round = try ledger.run(StartRound(of: ledger.tour().tour, by: .mary))
            try ledger.run(StopRound(round, by: .john))
        },
        RefusalScenario("PassRoundTime.unavailable") { ledger in
            try ledger.run(PassRoundTime(ledger.id()))
        },
        RefusalScenario("HandleRoundPoint.unavailable") { ledger in
            let (tour, points) = try ledger.tour()
            let round = try ledger.run(StartRound(of: tour, by: .mary))
            try ledger.run(handling(points[0], of: round, ledger))
        },
        RefusalScenario("HandleRoundPoint.nothingSaid") { ledger in
            let (round, points) = try ledger.lateRound()
            try ledger.run(handling(points[0], of: round, ledger, note: ""))
        },
        RefusalScenario("HandleRoundPoint.unacceptable") { ledger in
            let (round, points) = try ledger.lateRound()
            let long = String(repeating: "x", count: CommandLimits.noteBytesMax + 1)
            try ledger.run(handling(points[0], of: round, ledger, note: long))
        },
        RefusalScenario("HandleRoundPoint.cannotGo") { ledger in
            let (round, points) = try ledger.lateRound()
            try ledger.run(handling(points[0], of: round, ledger, sending: .john))
        },
        RefusalScenario("HandleRoundPoint.nobodyToNote") { ledger in
            let (round, points) = try ledger.lateRound()
            let about = try ledger.erasedPerson()
            try ledger.run(
                HandleRoundPoint(
                    points[0],
                    of: round,
                    by: .sam,
                    sending: nil,
                    note: "the gate is stuck",
                    about: about
                )
            )
        },
        RefusalScenario("RaiseGuardAlarm.unacceptable") { ledger in
            let nowhere = Fix(latitude: 0, longitude: 181)
            let person = ledger.person()
            try ledger.run(RaiseGuardAlarm(ledger.id(), by: .mary, person: person, at: nowhere))
        },
        RefusalScenario("AnswerGuardAlarm.unknown") { ledger in
            try ledger.run(AnswerGuardAlarm(ledger.id(), by: .sam))
        },
        RefusalScenario("AnswerGuardAlarm.answered") { ledger in
            let person = ledger.person()
            let alarm = try ledger.run(
                RaiseGuardAlarm(ledger.id(), by: .mary, person: person, at: .birmingham)
            )
            try ledger.run(AnswerGuardAlarm(alarm, by: .sam))
            try ledger.run(AnswerGuardAlarm(alarm, by: .john))
        },
    ]

    private static func handling(
        _ point: PatrolPointID,
        of round: RoundID,
        _ ledger: MemoryLedger,
        note: String? = "the gate is under repair",
        sending sent: UserID? = nil
    ) -> HandleRoundPoint {
        HandleRoundPoint(
            point,
            of: round,
            by: .sam,
            sending: sent,
            note: note,
            about: ledger.person()
        )
    }

    static let others: [RefusalScenario] = accounts + seals + holds + records

    private static let accounts = [
        RefusalScenario("CreateUser.exists") { ledger in
            try ledger.user()
            try ledger.user()
        },
        RefusalScenario("CreateUser.personErased") { ledger in
            let person = try ledger.erasedPerson()
            try ledger.run(CreateUser(.sam, as: .operator, person: person, password: .temporary))
        },
        RefusalScenario("CreateUser.unacceptable") { ledger in
            let name = String(repeating: "x", count: 5_000)
            try ledger.run(
                CreateUser(
                    .sam,
                    as: .operator,
                    person: ledger.person(),
                    name: name,
                    password: .temporary
                )
            )
        },
        RefusalScenario("ChangeAccount.unknown") { ledger in
            try ledger.run(ChangeAccount(.sam, .passwordChanged(.own)))
        },
        RefusalScenario("ChangeAccount.unacceptable") { ledger in
            try ledger.user()
            try ledger.run(ChangeAccount(.sam, .disabled(reason: "")))
        },
        RefusalScenario("EndUnknownAccount.known") { ledger in
            try ledger.user()
            try ledger.run(EndUnknownAccount(.sam, reason: "no event made it"))
        },
        RefusalScenario("IssueDeviceCode.othersSession") { ledger in
            let scene = try ledger.claimedChat(by: UserID(unchecked: "42"))
            try ledger.run(ledger.code(for: scene.caller))
        },
        RefusalScenario("IssueDeviceCode.personErased") { ledger in
            try ledger.run(ledger.code(for: try ledger.erasedPerson()))
        },
        RefusalScenario("IssueDeviceCode.unacceptable") { ledger in
            try ledger.run(ledger.code(for: ledger.person(), reason: ""))
        },
        RefusalScenario("AdmitDevice.unknown") { ledger in
            try ledger.run(AdmitDevice(ledger.id(), to: nil))
        },
        RefusalScenario("LogIn.unknown") { ledger in
            try ledger.run(LogIn(.sam, method: .password))
        },
        RefusalScenario("LogIn.ended") { ledger in
            let person = try ledger.user(.john)
            try ledger.run(
                ErasePerson(person, by: .sam, approvedBy: [.sam, .mary], reason: "asked for it")
            )
            try ledger.run(LogIn(.john, method: .password))
        },
        RefusalScenario("LogOut.unknown") { ledger in
            try ledger.run(LogOut(.sam, reason: .user))
        },
        RefusalScenario("RegisterDevice.exists") { ledger in
            let person = ledger.person()
            try ledger.run(ledger.registration(try ledger.device(of: person), of: person))
        },
        RefusalScenario("RegisterDevice.codeOver") { ledger in
            let scene = try ledger.claimedChat()
            let code = ledger.code(for: scene.caller)
            let sam = Actor.user(.sam, as: .operator)
            try ledger.run(code, as: sam)
            try ledger.run(ReleaseSession(scene.session, by: .sam), as: sam)
            try ledger.run(ClaimSession(scene.session, by: .john))
            try ledger.run(ledger.registration(code.device, of: scene.caller))
        },
        RefusalScenario("RegisterDevice.personErased") { ledger in
            _ = try ledger.device(of: try ledger.erasedPerson())
        },
        RefusalScenario("RegisterDevice.unacceptable") { ledger in
            try ledger.run(
                RegisterDevice(
                    ledger.id(),
                    of: ledger.person(),
                    phone: .first,
                    verification: .operatorCode
                )
            )
        },
        RefusalScenario("RevokeDevice.unknown") { ledger in
            try ledger.run(RevokeDevice(ledger.id(), reason: "stolen"))
        },
        RefusalScenario("RevokeDevice.unacceptable") { ledger in
            try ledger.run(RevokeDevice(ledger.id(), reason: ""))
        },
    ]

    private static let seals = [
        RefusalScenario("SealSession.unknown") { ledger in
            try ledger.run(SealSession(ledger.id(), by: .mary, reason: "a colleague"))
        },
        RefusalScenario("SealSession.notEnded") { ledger in
            try ledger.run(SealSession(ledger.chat().session, by: .mary, reason: "a colleague"))
        },
        RefusalScenario("SealSession.unacceptable") { ledger in
            try ledger.run(SealSession(ledger.closedChat().session, by: .mary, reason: ""))
        },
    ]

    private static let holds = [
        RefusalScenario("PlaceHold.scopeUnknown") { ledger in
            try ledger.run(hold(on: .incident(ledger.id())))
        },
        RefusalScenario("PlaceHold.personErased") { ledger in
            try ledger.run(hold(on: .person(try ledger.erasedPerson())))
        },
        RefusalScenario("PlaceHold.tooManyPersons") { ledger in
            let first = try ledger.run(StartChat(caller: ledger.person())).session
            let contact = try ledger.state(Session.self, first).contact
            let incident = contact?.incident ?? ledger.id()
            for _ in 0..<CommandLimits.personsPerHoldMax {
                let session = try ledger.chat().session
                try ledger.run(LinkSession(session, to: incident, reason: "same fire"))
            }
            try ledger.run(hold(on: .incident(incident)))
        },
        RefusalScenario("PlaceHold.unacceptable") { ledger in
            try ledger.run(
                PlaceHold(on: .person(ledger.person()), reason: "", authority: "Crown Court")
            )
        },
        RefusalScenario("LiftHold.unknown") { ledger in
            try ledger.run(LiftHold(ledger.id(), reason: "over", approvedBy: [.sam, .john]))
        },
        RefusalScenario("LiftHold.needsTwoPeople") { ledger in
            let placed = try ledger.run(hold(on: .person(ledger.closedChat().caller)))
            try ledger.run(LiftHold(placed, reason: "over", approvedBy: [.sam, .sam]))
        },
        RefusalScenario("LiftHold.unacceptable") { ledger in
            try ledger.run(LiftHold(ledger.id(), reason: "", approvedBy: [.sam, .john]))
        },
        RefusalScenario("CorrectNumber.personErased") { ledger in
            try ledger.run(CorrectNumber(of: ledger.erasedPerson(), to: .first, sameAs: []))
        },
        RefusalScenario("ErasePerson.unknown") { ledger in
            try ledger.run(ErasePerson(ledger.person(), reason: "asked for it"))
        },
        RefusalScenario("ErasePerson.sharedWithOthers") { ledger in
            let caller = try ledger.chat().caller
            let elsewhere = OrganisationID(unchecked: "elsewhere")
            try ledger.run(ledger.registration(ledger.id(), of: caller), in: elsewhere)
            try ledger.run(ErasePerson(caller, reason: "asked for it"))
        },
        RefusalScenario("ErasePerson.own") { ledger in
            let person = try ledger.user(.sam)
            try ledger.run(
                ErasePerson(person, by: .sam, approvedBy: [.sam, .mary], reason: "asked for it")
            )
        },
        RefusalScenario("ErasePerson.needsTwoPeople") { ledger in
            let person = try ledger.user(.john)
            try ledger.run(ErasePerson(person, by: .sam, reason: "asked for it"))
        },
        RefusalScenario("ErasePerson.held") { ledger in
            let person = try ledger.closedChat().caller
            try ledger.run(hold(on: .person(person)))
            try ledger.run(ErasePerson(person, reason: "asked for it"))
        },
        RefusalScenario("ErasePerson.inSession") { ledger in
            try ledger.run(ErasePerson(try ledger.chat().caller, reason: "asked for it"))
        },
        RefusalScenario("ErasePerson.unacceptable") { ledger in
            try ledger.run(ErasePerson(ledger.person(), reason: ""))
        },
    ]

    private static let records = [
        RefusalScenario("EnablePolicy.unacceptable") { ledger in
            try ledger.run(EnablePolicy("start limit"))
        },
        RefusalScenario("RecordAccess.unacceptable") { ledger in
            try ledger.run(
                RecordAccess(
                    by: .user(.sam, as: .operator),
                    of: .session(ledger.id()),
                    purpose: "",
                    fields: ["phone"]
                )
            )
        },
    ]

    private static func hold(on scope: PlaceHold.Scope) -> PlaceHold {
        PlaceHold(on: scope, reason: "trial", authority: "Crown Court")
    }

    private static func template(text: String) -> TemplateDefined {
        TemplateDefined(
            name: "alert",
            language: "en",
            subject: nil,
            text: text,
            isRetired: false
        )
    }

    private static func mailSettings(port: Int) -> SenderSettings {
        SenderSettings(
            isOn: true,
            host: "mail.example.org",
            port: port,
            security: .startTLS,
            from: "centre@example.org",
            perMinute: 60
        )
    }

    private static func sent(_ alert: AlertID, attempt: Int = 1) -> RecordAlertAttempt {
        RecordAlertAttempt(
            alert,
            .sent(AlertSent(channel: .sms, attempt: attempt, providerID: "p-1"))
        )
    }

    private static func failed(
        _ alert: AlertID,
        channel: AlertChannel = .sms,
        permanence: AlertFailed.Permanence = .temporary,
        error: String = "timeout"
    ) -> RecordAlertAttempt {
        let failed = AlertFailed(
            channel: channel,
            attempt: 1,
            permanence: permanence,
            error: error
        )
        return RecordAlertAttempt(alert, .failed(failed))
    }

    private static func scan(
        _ point: PatrolPointID,
        _ ledger: MemoryLedger,
        at fix: Fix = .birmingham,
        code: CheckIn.CodeVerdict = .genuine(number: 1)
    ) -> CheckIn {
        CheckIn(at: point, by: .sam, person: ledger.person(), code: code, fix: fix)
    }
}
