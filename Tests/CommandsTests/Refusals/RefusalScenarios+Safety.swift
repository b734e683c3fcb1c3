// SPDX-License-Identifier: Apache-2.0
import Events

@testable import Commands

extension RefusalScenario {
    static let safety = [
        RefusalScenario("ContactRefusal.unknown") { ledger in
            let contact: ContactID = ledger.id()
            try ledger.contact(contact, of: ledger.person())
            try ledger.contact(contact, of: ledger.person())
        },
        RefusalScenario("ContactRefusal.full") { ledger in
            let citizen = ledger.person()
            for _ in 0...CommandLimits.contactsMax { try ledger.contact(ledger.id(), of: citizen) }
        },
        RefusalScenario("ContactRefusal.sameNumber") { ledger in
            let citizen = ledger.person()
            for _ in 1...2 { try ledger.contact(ledger.id(), of: citizen, mobile: .first) }
        },
        RefusalScenario("ContactRefusal.personErased") { ledger in
            try ledger.run(SetCitizen(try ledger.erasedPerson(), name: "Sam", language: "en"))
        },
        RefusalScenario("ContactRefusal.unacceptable") { ledger in
            try ledger.contact(ledger.id(), of: ledger.person(), name: " ")
        },
        RefusalScenario("SOSRefusal.unknown") { ledger in
            try ledger.run(MoveSOS(ledger.id(), of: ledger.person(), to: .birmingham))
        },
        RefusalScenario("SOSRefusal.noContacts") { ledger in
            try ledger.run(CallScene(ledger, contacts: 0).raise())
        },
        RefusalScenario("SOSRefusal.tooMany") { ledger in
            let scene = try CallScene(ledger, contacts: 1)
            for _ in 0...CommandLimits.sosPerDayMax {
                try ledger.run(scene.again(as: ledger.id()).raise())
            }
        },
        RefusalScenario("SOSRefusal.over") { ledger in
            let scene = try CallScene(ledger, contacts: 1)
            try ledger.run(scene.raise())
            try ledger.run(scene.end(.safe))
            try ledger.run(MoveSOS(scene.sos, of: scene.citizen, to: .birmingham))
        },
        RefusalScenario("SOSRefusal.personErased") { ledger in
            let erased = RaiseSOS(
                ledger.id(),
                of: try ledger.erasedPerson(),
                by: .hold,
                at: nil,
                isDrill: false,
                telling: []
            )
            try ledger.run(erased)
        },
        RefusalScenario("SetContent.full") { ledger in
            for _ in 0...CommandLimits.contentsMax {
                try ledger.run(SetContent(ledger.id(), .shelter))
            }
        },
        RefusalScenario("SetContent.unacceptable") { ledger in
            try ledger.run(SetContent(ledger.id(), ContentSet.shelter(latitude: 91)))
        },
        RefusalScenario("SOSRefusal.unacceptable") { ledger in
            let scene = try CallScene(ledger, contacts: 1)
            let nowhere = Fix(latitude: 51, longitude: 0, accuracyMetres: 1e9)
            try ledger.run(scene.raise(at: nowhere))
        },
    ]
}
