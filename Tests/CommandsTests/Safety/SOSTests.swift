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
        let alerts = try ledger.state(SOSAlerts.self, scene.sos).alerts
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
        let told = try ledger.state(SOSAlerts.self, scene.sos).alerts
        try ledger.run(AnswerAlert(told[0].alert, by: .sms, .stopped))
        let next = scene.again(as: ledger.id())
        try ledger.run(next.raise())
        let second = try ledger.state(SOSAlerts.self, next.sos).alerts
        #expect(second.map(\.person) == [scene.friends[1]])
        try ledger.run(RemoveContact(scene.contacts[1], of: scene.citizen))
        #expect(throws: SOSRefusal.noContacts(scene.citizen)) {
            try ledger.run(scene.again(as: ledger.id()).raise())
        }
    }

    @Test func `is practice, and says so, at the urgency of a warning`() throws {
        let scene = try CallScene(ledger, contacts: 1)
        try ledger.run(scene.raise(isDrill: true))
        let told = try #require(try ledger.state(SOSAlerts.self, scene.sos).alerts.first)
        #expect(told.template == "sos-drill")
        #expect(try ledger.state(Alert.self, told.alert).content?.severity == .warning)
    }

    @Test func `follows the phone until its end, which who was told is told once`() throws {
        let scene = try CallScene(ledger, contacts: 2)
        try ledger.run(scene.raise())
        try ledger.run(MoveSOS(scene.sos, of: scene.citizen, to: .birmingham))
        #expect(try ledger.state(SOS.self, scene.sos).fixAt == ledger.now)
        try ledger.run(scene.end(.safe))
        #expect(try ledger.count(scene.end(.falseAlarm)) == 0)
        let templates = try ledger.state(SOSAlerts.self, scene.sos).alerts.map(\.template)
        #expect(templates == ["sos", "sos", "sos-safe", "sos-safe"])
        #expect(throws: SOSRefusal.over(scene.sos)) {
            try ledger.run(MoveSOS(scene.sos, of: scene.citizen, to: .birmingham))
        }
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

    func raise(isDrill: Bool = false, at fix: Fix? = .birmingham) -> RaiseSOS {
        RaiseSOS(
            sos,
            of: citizen,
            by: .swipe,
            at: fix,
            isDrill: isDrill,
            telling: notices
        )
    }

    func end(_ reason: SOSEnded.Reason) -> EndSOS {
        EndSOS(sos, of: citizen, reason, telling: notices)
    }
}

extension MemoryLedger {
    /// Adds a contact, or changes one.
    ///
    /// - Returns: The person behind it.
    @discardableResult
    func contact(
        _ id: ContactID,
        of citizen: PersonID,
        name: String = "Nina",
        language: String = "en"
    ) throws -> PersonID {
        let set = SetContact(
            id,
            of: citizen,
            person: person(),
            name: name,
            mobile: .first,
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
    }
}
