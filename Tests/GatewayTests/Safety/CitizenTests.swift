// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise7), .timeLimit(.minutes(10))) struct `A citizen's contact` {
    @Test func `is kept sealed under a key of its own, which goes when it is removed`() async throws
    {
        try await Street.run { street in
            let ledger = street.gateway.ledger
            let facts = try street.gateway.events(ContactSet.kind).compactMap { event in
                if case .safety(.contactSet(let set)) = event.fact { set } else { nil }
            }
            let person = try #require(facts.first?.person)
            #expect(Set(facts.map(\.person)).count == 2)
            for path in ["/v1/me/contacts/\(street.nina)", "/v1/me/contacts/\(street.nina)"] {
                #expect(try await street.sam.send(.delete, path).status == 200)
            }
            #expect(ledger.keys.isDestroyed(person))
            let left = try await street.sam.get("/v1/me/safety")
            let contacts = try #require(try left.object["contacts"] as? [[String: Any]])
            #expect(contacts.map { $0["name"] as? String } == ["Jan"])
            let again = ["name": "Nina", "mobile": "+447712345751"]
            let path = "/v1/me/contacts/\(street.nina)"
            #expect(try await street.sam.send(.put, path, again).status == 404)
        }
    }

    @Test func `has a number that no other contact of the citizen has`() async throws {
        try await Street.run { street in
            let path = "/v1/me/contacts/\(street.gateway.ledger.newID() as ContactID)"
            let twin = ["name": "Nina at work", "mobile": "+44 7712 345751"]
            let refused = try await street.sam.send(.put, path, twin)
            #expect(refused.status == 409)
            #expect(try refused.problem == "contact-same-number")
            let changed = ["name": "Nina Berg", "mobile": "+447712345751"]
            let own = "/v1/me/contacts/\(street.nina)"
            #expect(try await street.sam.send(.put, own, changed).status == 200)
        }
    }

    @Test func `leaves the list alone where a hold keeps the citizen's data`() async throws {
        try await Street.run { street in
            let ledger = street.gateway.ledger
            let sets = try street.gateway.events(ContactSet.kind).compactMap { event in
                if case .safety(.contactSet(let set)) = event.fact { set } else { nil }
            }
            let nina = try #require(sets.first)
            _ = try await ledger.handler.handle(
                PlaceHold(on: .person(nina.citizen), reason: "a trial", authority: "Court"),
                ledger.context(
                    actor: .user(UserID(unchecked: "1"), as: .supervisor),
                    organisation: .main
                )
            )
            let path = "/v1/me/contacts/\(street.nina)"
            #expect(try await street.sam.send(.delete, path).status == 200)
            #expect(!ledger.keys.isDestroyed(nina.person))
            let left = try await street.sam.get("/v1/me/safety")
            #expect(try (left.object["contacts"] as? [Any])?.count == 1)
        }
    }

    @Test func `is shown to no new phone to which an older one has not agreed`() async throws {
        try await Street.run { street in
            // Of two phones of one moment neither is the older one.
            street.clock.advance(by: .seconds(1))
            let second = try await street.gateway.caller("+447712345750", codeBy: street.staff)
            let refused = try await second.get("/v1/me/safety")
            #expect(refused.status == 403)
            #expect(try refused.problem == "phone-not-agreed")
            let admitted = try await street.sam.post("/v1/devices/\(second.id)/admit", [:])
            #expect(admitted.status == 200, "\(admitted.body)")
            let shown = try await second.get("/v1/me/safety")
            #expect(try (shown.object["contacts"] as? [Any])?.count == 2)
        }
    }
}

@Suite(.tags(.promise7), .timeLimit(.minutes(10))) struct `A citizen's account` {
    @Test func `is deleted with contacts, phones and the citizen's own key`() async throws {
        try await Street.run { street in
            let ledger = street.gateway.ledger
            let facts = try street.gateway.events(ContactSet.kind).compactMap { event in
                if case .safety(.contactSet(let set)) = event.fact { set } else { nil }
            }
            let id: SOSID = ledger.newID()
            #expect(try await street.raise(id).status == 201)
            let early = try await street.sam.send(.delete, "/v1/me/safety")
            #expect(early.status == 409)
            #expect(try early.problem == "sos-open")
            let end = ["reason": "false_alarm"]
            #expect(try await street.sam.post("/v1/me/sos/\(id)/end", end).status == 200)
            // The contacts are still to hear that it is over; no sender is set up, so they never do.
            for path in ["/v1/me/safety", "/v1/me/contacts/\(street.nina)"] {
                let waits = try await street.sam.send(.delete, path)
                #expect(waits.status == 409)
                #expect(try waits.problem == "contact-untold")
            }
            street.clock.advance(by: .seconds(600))
            #expect(try await street.sam.send(.delete, "/v1/me/safety").status == 204)
            let people = Set(facts.flatMap { [$0.person, $0.citizen] })
            #expect(people.count == 3)
            for person in people { #expect(ledger.keys.isDestroyed(person)) }
            #expect(try await street.sam.get("/v1/me/safety").status == 401)
        }
    }

    @Test func `leaves what belongs to a session with the centre`() async throws {
        try await Street.run { street in
            let ledger = street.gateway.ledger
            guard
                case .safety(.contactSet(let set))? = try street.gateway.events(ContactSet.kind)
                    .last?.fact
            else {
                Issue.record("no contact was set")
                return
            }
            _ = try await ledger.handler.handle(
                StartChat(caller: set.citizen),
                ledger.context(actor: .device(ledger.newID()), organisation: .main)
            )
            #expect(try await street.sam.send(.delete, "/v1/me/safety").status == 204)
            #expect(ledger.keys.isDestroyed(set.person))
            #expect(!ledger.keys.isDestroyed(set.citizen))
            #expect(try await street.sam.get("/v1/me/safety").status == 401)
            // Whoever has the number next learns neither name nor alerts.
            street.clock.advance(by: .seconds(1))
            let next = try await street.gateway.caller("+447712345750", codeBy: street.staff)
            let shown = try await next.get("/v1/me/safety")
            #expect(shown.status == 200 && !shown.body.contains("Sam Smith"))
        }
    }

    @Test func `tells its phones, and which of them waits for an older one`() async throws {
        try await Street.run { street in
            street.clock.advance(by: .seconds(1))
            let second = try await street.gateway.caller("+447712345750", codeBy: street.staff)
            let shown = try await street.sam.get("/v1/me/safety")
            #expect(try shown.text("phone") == "+447712345750")
            let phones = try #require(try shown.object["phones"] as? [[String: Any]])
            #expect(phones.map { $0["id"] as? String } == [street.sam.id, second.id])
            #expect(phones.map { $0["isThis"] as? Bool } == [true, false])
            #expect(phones.map { $0["isAgreed"] as? Bool } == [true, false])
        }
    }
}

@Suite(.tags(.promise8), .timeLimit(.minutes(10))) struct `An introduction` {
    @Test func `is one message a day, and the contact's answer confirms it`() async throws {
        try await Street.run { street in
            let path = "/v1/me/contacts/\(street.jan)/introduce"
            for _ in 1...2 { #expect(try await street.sam.post(path, [:]).status == 200) }
            let told = try street.told()
            #expect(told.map(\.template) == ["sos-introduction"])
            #expect(told[0].text.contains("Sam Smith hat Sie als Kontakt"))
            let jan = {
                let shown = try await street.sam.get("/v1/me/safety")
                let contacts = try #require(try shown.object["contacts"] as? [[String: Any]])
                return contacts[1]
            }
            #expect(try await jan()["introducedAt"] as? String == "\(street.gateway.ledger.now)")
            #expect(try await jan()["confirmedAt"] == nil)
            let page = try await street.gateway.send(.get, try street.links()[0])
            #expect(try page.object["isIntroduction"] as? Bool == true)
            let answer = try await street.gateway.send(.post, try street.links()[0])
            #expect(try answer.text("state") == "answered")
            #expect(try await jan()["confirmedAt"] as? String == "\(street.gateway.ledger.now)")
            let unknown = "/v1/me/contacts/\(street.gateway.ledger.newID() as ContactID)/introduce"
            #expect(try await street.sam.post(unknown, [:]).status == 404)
        }
    }

    @Test func `goes to nobody who said STOP, which the citizen sees`() async throws {
        try await Street.run { street in
            let path = "/v1/me/contacts/\(street.nina)/introduce"
            #expect(try await street.sam.post(path, [:]).status == 200)
            let alert = try #require(
                try street.gateway.events(AlertQueued.kind).last.flatMap {
                    AlertID(String($0.envelope.subject.name))
                }
            )
            let ledger = street.gateway.ledger
            let stop = AnswerAlert(alert, by: .sms, .stopped)
            _ = try await ledger.handler.handle(
                stop,
                ledger.context(actor: .policy("alert-delivery"), organisation: .main)
            )
            let shown = try await street.sam.get("/v1/me/safety")
            let contacts = try #require(try shown.object["contacts"] as? [[String: Any]])
            #expect(contacts[0]["stopped"] as? [String] == ["sms"])
            street.clock.advance(by: .seconds(86_401))
            let again = try await street.sam.post(path, [:])
            #expect(try again.problem == "alert-contact-stopped")
        }
    }
}
