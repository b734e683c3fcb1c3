// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

@testable import Commands

@Suite struct `A contact of a citizen` {
    private let ledger = MemoryLedger()

    @Test func `is added, changed under the same key, and removed; again it is nothing new`() throws
    {
        let citizen = ledger.person()
        let contact: ContactID = ledger.id()
        let friend = try ledger.contact(contact, of: citizen, name: "Nina")
        try ledger.contact(contact, of: citizen, name: "Nina Berg")
        let facts = try #require(try ledger.state(Citizen.self, citizen).contact(contact)).facts
        #expect(facts.person == friend)
        #expect(try ledger.state(Citizen.self, citizen).contacts.count == 1)
        try ledger.run(RemoveContact(contact, of: citizen))
        #expect(try ledger.state(Citizen.self, citizen).contacts.isEmpty)
        #expect(try ledger.count(RemoveContact(contact, of: citizen)) == 0)
        #expect(throws: ContactRefusal.unknown(contact)) {
            try ledger.contact(contact, of: citizen)
        }
    }

    @Test func `is one of ten at most; where one is removed there is room`() throws {
        let citizen = ledger.person()
        let contacts = try (0..<CommandLimits.contactsMax).map { _ in
            let id: ContactID = ledger.id()
            try ledger.contact(id, of: citizen)
            return id
        }
        #expect(throws: ContactRefusal.full(citizen)) {
            try ledger.contact(ledger.id(), of: citizen)
        }
        try ledger.contact(contacts[3], of: citizen, name: "Another name")
        try ledger.run(RemoveContact(contacts[0], of: citizen))
        try ledger.contact(ledger.id(), of: citizen)
    }

    @Test func `is erased with the citizen, but for one whom a hold names`() throws {
        let scene = try CallScene(ledger, contacts: 3)
        try ledger.run(SetCitizen(scene.citizen, name: "Sam", language: "en"))
        try ledger.run(
            PlaceHold(on: .person(scene.friends[1]), reason: "a trial", authority: "Court")
        )
        try ledger.run(ErasePerson(scene.citizen, reason: "asked for it"))
        let isErased = try ([scene.citizen] + scene.friends).map {
            try ledger.state(Person.self, $0).isErased
        }
        #expect(isErased == [true, true, false, true])
    }

    @Test func `is nobody else's, under whatever id`() throws {
        let (citizen, other) = (ledger.person(), ledger.person())
        let contact: ContactID = ledger.id()
        try ledger.contact(contact, of: citizen)
        #expect(throws: ContactRefusal.unknown(contact)) { try ledger.contact(contact, of: other) }
        #expect(try ledger.count(RemoveContact(contact, of: other)) == 0)
        #expect(try ledger.state(Citizen.self, citizen).contacts.map(\.id) == [contact])
    }
}

@Suite struct `A call for help` {
    private let ledger = MemoryLedger()

    @Test func `queues an alert for each contact in the same append, once`() throws {
        let scene = try CallScene(ledger, contacts: 3)
        try ledger.run(scene.raise())
        let alerts = try ledger.state(ContactAlerts.self, .sos(scene.sos)).alerts
        #expect(alerts.map(\.person) == scene.friends)
        #expect(alerts.allSatisfy { $0.template == "sos" })
        for told in alerts {
            let content = try #require(try ledger.state(Alert.self, told.alert).content)
            #expect(content.severity == .critical && content.sms != nil)
        }
        #expect(try ledger.count(scene.raise()) == 0)
        #expect(try ledger.state(Citizen.self, scene.citizen).calls.map(\.id) == [scene.sos])
    }

    @Test
    func `tells nobody who was removed meanwhile, or said STOP; with nobody left it is refused`()
        throws
    {
        let scene = try CallScene(ledger, contacts: 2)
        try ledger.run(scene.raise())
        let told = try ledger.state(ContactAlerts.self, .sos(scene.sos)).alerts
        try ledger.run(AnswerAlert(told[0].alert, by: .sms, .stopped))
        let next = scene.again(as: ledger.id())
        try ledger.run(next.raise())
        let second = try ledger.state(ContactAlerts.self, .sos(next.sos)).alerts
        #expect(second.map(\.person) == [scene.friends[1]])
        try ledger.run(RemoveContact(scene.contacts[1], of: scene.citizen))
        #expect(throws: SOSRefusal.noContacts(scene.citizen)) {
            try ledger.run(scene.again(as: ledger.id()).raise())
        }
    }

    @Test func `is practice, and says so, at the urgency of a warning`() throws {
        let scene = try CallScene(ledger, contacts: 1)
        try ledger.run(scene.raise(isDrill: true))
        let told = try #require(try ledger.state(ContactAlerts.self, .sos(scene.sos)).alerts.first)
        #expect(told.template == "sos-drill")
        #expect(try ledger.state(Alert.self, told.alert).content?.severity == .warning)
        try ledger.run(scene.end(.safe))
        let last = try ledger.state(ContactAlerts.self, .sos(scene.sos)).alerts.last
        #expect(last?.template == "sos-drill-over")
    }

    @Test func `follows the phone until its end, which who was told is told once`() throws {
        let scene = try CallScene(ledger, contacts: 2)
        try ledger.run(scene.raise())
        try ledger.run(MoveSOS(scene.sos, of: scene.citizen, to: .birmingham))
        #expect(try ledger.state(SOS.self, scene.sos).fixAt == ledger.now)
        try ledger.run(scene.end(.safe))
        #expect(try ledger.count(scene.end(.falseAlarm)) == 0)
        let templates = try ledger.state(ContactAlerts.self, .sos(scene.sos)).alerts.map(\.template)
        #expect(templates == ["sos", "sos", "sos-safe", "sos-safe"])
        #expect(throws: SOSRefusal.over(scene.sos)) {
            try ledger.run(MoveSOS(scene.sos, of: scene.citizen, to: .birmingham))
        }
    }

    @Test func `stands in the operators' queue where the site wants it, with place and end`() throws
    {
        let scene = try CallScene(ledger, contacts: 0)
        let desk = DeskNotice("I need help", phone: .first, device: nil)
        try ledger.run(scene.raise(and: desk))
        let session = try #require(try ledger.state(Caller.self, scene.citizen).openSession)
        let move = MoveSOS(scene.sos, of: scene.citizen, to: .birmingham, tellingDesk: true)
        try ledger.run(move)
        let safe = DeskNotice("I am safe", phone: .first, device: nil)
        try ledger.run(EndSOS(scene.sos, of: scene.citizen, .safe, telling: [], and: safe))
        let said = ledger.events.filter { $0.envelope.subject == .session(session) }
        #expect(
            said.map { "\($0.fact.kind)" } == [
                "session.created/1", "chat.message_sent/1", "location.reported/1",
                "location.reported/1", "chat.message_sent/1",
            ]
        )
        let next = scene.again(as: ledger.id())
        try ledger.run(next.raise(and: desk))
        #expect(try ledger.state(Caller.self, scene.citizen).sessions.count == 1)
    }

    @Test func `is over after a day, and then follows nobody`() throws {
        let scene = try CallScene(ledger, contacts: 1)
        try ledger.run(scene.raise())
        ledger.wait(CommandLimits.sosLife - .milliseconds(1))
        try ledger.run(MoveSOS(scene.sos, of: scene.citizen, to: .birmingham))
        ledger.wait(.milliseconds(1))
        #expect(throws: SOSRefusal.over(scene.sos)) {
            try ledger.run(MoveSOS(scene.sos, of: scene.citizen, to: .birmingham))
        }
    }

    @Test func `is its citizen's alone`() throws {
        let scene = try CallScene(ledger, contacts: 1)
        try ledger.run(scene.raise())
        let other = ledger.person()
        for refused in [
            { try ledger.run(MoveSOS(scene.sos, of: other, to: .birmingham)) },
            { try ledger.run(EndSOS(scene.sos, of: other, .safe, telling: [])) },
            {
                try ledger.run(
                    RaiseSOS(
                        scene.sos,
                        of: other,
                        by: .key,
                        at: nil,
                        isDrill: false,
                        telling: []
                    )
                )
            },
        ] {
            #expect(throws: SOSRefusal.unknown(scene.sos)) { try refused() }
        }
    }

    @Test func `is raised thirty times a day at most`() throws {
        let scene = try CallScene(ledger, contacts: 1)
        for _ in 0..<CommandLimits.sosPerDayMax {
            try ledger.run(scene.again(as: ledger.id()).raise())
            ledger.wait(.seconds(60))
        }
        #expect(throws: SOSRefusal.tooMany(scene.citizen)) { try ledger.run(scene.raise()) }
        ledger.wait(.seconds(86_400))
        try ledger.run(scene.raise())
    }
}

@Suite struct `The result of a call for help` {
    private let ledger = MemoryLedger()

    /// Ends one attempt at the SMS of one alert.
    private func attempt(_ alert: AlertID, _ number: Int, sends: Bool) throws {
        try ledger.run(BeginAlertAttempt(alert, by: .sms, attempt: number))
        let sent = AlertSent(channel: .sms, attempt: number, providerID: "1")
        let failed = AlertFailed(
            channel: .sms,
            attempt: number,
            permanence: .temporary,
            error: "busy"
        )
        try ledger.run(RecordAlertAttempt(alert, sends ? .sent(sent) : .failed(failed)))
    }

    private func result(of sos: SOSID) throws -> SOSResult? {
        let alerts = try ledger.state(ContactAlerts.self, .sos(sos)).alerts
        return SOSResult(try alerts.map { try ledger.state(Alert.self, $0.alert) })
    }

    @Test func `is there once each contact was sent a message, or was tried three times in vain`()
        throws
    {
        let scene = try CallScene(ledger, contacts: 2)
        #expect(try result(of: scene.sos) == nil)
        try ledger.run(scene.raise())
        let alerts = try ledger.state(ContactAlerts.self, .sos(scene.sos)).alerts.map(\.alert)
        try attempt(alerts[0], 1, sends: true)
        for number in 1...2 { try attempt(alerts[1], number, sends: false) }
        #expect(try result(of: scene.sos) == nil)
        try attempt(alerts[1], 3, sends: false)
        #expect(try result(of: scene.sos) == .untold)
        try attempt(alerts[1], 4, sends: true)
        #expect(try result(of: scene.sos) == .told)
    }

    @Test func `goes to the phone that raised it, once, and to none that takes no pushes`() throws {
        let device = try ledger.device(of: ledger.person())
        let person = try #require(try ledger.state(Device.self, device).person)
        let friend = try ledger.contact(ledger.id(), of: person)
        let sos: SOSID = ledger.id()
        let words = AlertMessage(subject: "help", text: "help")
        let raise = RaiseSOS(
            sos,
            of: person,
            by: .swipe,
            at: nil,
            isDrill: false,
            telling: [ContactNotice(to: friend, mobile: .first, email: nil, message: words)]
        )
        try ledger.run(raise, as: .device(device))
        let tell = TellCitizen(of: sos, .told, saying: words)
        #expect(try ledger.count(tell) == 0)
        try ledger.run(SubscribePush(device, by: ledger.id(), endpoint: .sample()))
        try ledger.run(tell)
        #expect(try ledger.count(tell) == 0)
        let last = try #require(try ledger.state(ContactAlerts.self, .sos(sos)).alerts.last)
        #expect(try ledger.state(Alert.self, last.alert).device == device)
        let unknown: SOSID = ledger.id()
        #expect(throws: SOSRefusal.unknown(unknown)) {
            try ledger.run(TellCitizen(of: unknown, .told, saying: words))
        }
    }
}

/// A citizen with contacts, and a call that is to be raised.
struct CallScene {
    let citizen: PersonID
    let contacts: [ContactID]
    let friends: [PersonID]
    var sos: SOSID

    init(_ ledger: MemoryLedger, contacts count: Int) throws {
        let citizen = ledger.person()
        self.citizen = citizen
        let contacts: [ContactID] = (0..<count).map { _ in ledger.id() }
        self.contacts = contacts
        friends = try contacts.map { try ledger.contact($0, of: citizen) }
        sos = ledger.id()
    }

    func again(as sos: SOSID) -> CallScene {
        var scene = self
        scene.sos = sos
        return scene
    }

    var notices: [ContactNotice] {
        friends.map {
            let words = AlertMessage(subject: "help", text: "help")
            return ContactNotice(to: $0, mobile: .first, email: nil, message: words)
        }
    }

    func raise(
        isDrill: Bool = false,
        at fix: Fix? = .birmingham,
        and desk: DeskNotice? = nil
    ) -> RaiseSOS {
        RaiseSOS(
            sos,
            of: citizen,
            by: .swipe,
            at: fix,
            isDrill: isDrill,
            telling: notices,
            and: desk
        )
    }

    func end(_ reason: SOSEnded.Reason) -> EndSOS {
        EndSOS(sos, of: citizen, reason, telling: notices)
    }
}

extension MemoryLedger {
    /// Adds a contact with a number of their own, or changes one.
    ///
    /// - Returns: The person behind it.
    @discardableResult
    func contact(
        _ id: ContactID,
        of citizen: PersonID,
        name: String = "Nina",
        mobile: PhoneNumber? = nil,
        language: String = "en"
    ) throws -> PersonID {
        let digits = id.uuid.bytes.suffix(2).reduce(10_000) { $0 * 256 + Int($1) } % 10_000
        let set = SetContact(
            id,
            of: citizen,
            person: person(),
            name: name,
            mobile: mobile ?? PhoneNumber("+447712\(340_000 + digits)"),
            email: nil,
            language: language
        )
        try run(set)
        return try state(Citizen.self, citizen).contact(id)?.facts.person ?? set.person
    }

    func playSafety() throws {
        let scene = try CallScene(self, contacts: 2)
        try run(SetCitizen(scene.citizen, name: "Sam", language: "de"))
        try run(scene.raise())
        try run(MoveSOS(scene.sos, of: scene.citizen, to: .birmingham))
        try run(scene.end(.safe))
        try run(RemoveContact(scene.contacts[0], of: scene.citizen))
        try run(SetContent(id(), .shelter))
    }
}
