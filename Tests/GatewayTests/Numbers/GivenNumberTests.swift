// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Projections
import TestSupport
import Testing

@testable import Gateway

@Suite struct `A telephone number that somebody gives` {
    @Test(
        arguments: [
            ("+44 (0)7712 345678", nil, "+447712345678"),
            ("0044 7712 345678", nil, "+447712345678"),
            ("+0044 7712 345678", nil, "+447712345678"), ("07712 345678", "GB", "+447712345678"),
            // The zero of Italy belongs to the number (case 4).
            ("+39 (0)6 1234 5678", nil, "+390612345678"),
            ("0039 (0)6 1234 5678", nil, "+390612345678"),
            ("06 1234 5678", "IT", "+390612345678"),
            // So people abroad write it, and so it was stored once.
            ("+39 6 1234 5678", nil, "+390612345678"), ("+39612345678", nil, "+390612345678"),
            ("+378 (0549) 882345", nil, "+3780549882345"),
            // One number in two spellings (case 19).
            ("+54 11 15 8765 4321", nil, "+5491187654321"),
            ("+54 9 11 8765 4321", nil, "+5491187654321"),
            ("+52 1 55 1234 5678", nil, "+525512345678"),
            ("+52 55 1234 5678", nil, "+525512345678"),
            ("(212) 555-0123", "US", "+12125550123"), ("011 44 7712 345678", "US", "+447712345678"),
            ("8 (912) 345-67-89", "RU", "+79123456789"), ("06 20 123 4567", "HU", "+36201234567"),
            // New numbers come into use: a plan of its date need not have it.
            ("+49 (0)171 1234567 -12", nil, "+49171123456712"),
            // Benin has had ten digits since 2024.
            ("+229 01 95 12 34 56", nil, "+2290195123456"),
        ] as [(String, String?, String)]
    )
    func `is read as its country writes it`(text: String, code: String?, number: String) throws {
        let given = try GivenNumber(text, in: code.flatMap(Country.init(code:)))
        #expect(given.number.text == number)
        #expect(given.innerNumber == nil)
    }

    @Test(
        arguments: [
            ("+1 831 555 0134 ext. 12", nil, "+18315550134", "12"),
            ("+1 831 555 0134;ext=7", nil, "+18315550134", "7"),
            ("(831) 555-0134 x5", "US", "+18315550134", "5"),
            ("+1 831 555 0134 Extension 5", nil, "+18315550134", "5"),
            ("+1 831 555 0134 #5", nil, "+18315550134", "5"),
        ] as [(String, String?, String, String)]
    )
    func `keeps its extension apart`(
        text: String,
        code: String?,
        number: String,
        behind: String
    ) throws {
        let given = try GivenNumber(text, in: code.flatMap(Country.init(code:)))
        #expect(given.number.text == number)
        #expect(given.innerNumber == behind)
    }

    @Test(
        arguments: [
            ("+49 171 1234567 (Anna 2)", nil, .letters),
            ("+49 171 1234567 (A 2) x5", nil, .letters),
            // The library would read these letters as keys.
            ("+44 771234 MUMS x5", nil, .letters), ("+44 771234 MUMSx5", nil, .letters),
            ("+1 800 CALL NOW x1", nil, .letters), ("+1 831 ext 5550 #5", nil, .letters),
            ("+44771234567８", nil, .letters), ("+44771234567８ ext.٣", nil, .letters),
            ("+447712345678 ext.٣", nil, .letters),
            ("amina", nil, .letters), ("", nil, .letters), ("٠٧٧١", nil, .country),
            ("07712 345678", nil, .country), ("7712345678", "GB", .country),
            ("+999 123456", nil, .country), ("555-0134", "US", .area), ("+44 77", nil, .short),
            ("+44 7712 345678 9012345", nil, .long), ("112", "GB", .country),
        ] as [(String, String?, GivenNumber.Fault)]
    )
    func `is refused rather than guessed`(text: String, code: String?, fault: GivenNumber.Fault) {
        #expect(throws: fault) {
            try GivenNumber(text, in: code.flatMap(Country.init(code:)))
        }
    }

    @Test func `is read for the pages, also for who is nobody yet`() async throws {
        try await TestGateway.run {
            $0.site.country = "US"
        } _: { gateway in
            func read(_ text: String) async throws -> TestAnswer {
                let query = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
                return try await gateway.send(.get, "/v1/phone?text=\(try #require(query))")
            }
            let behind = try await read("(831) 555-0134 x5")
            #expect(try behind.text("number") == "+18315550134")
            #expect(try behind.text("extension") == "5")
            let refused = try await read("555-0134")
            #expect(refused.status == 422)
            #expect(try refused.text("reason") == "area")
            let amina = try await gateway.user(.operator, login: "amina")
            let called = try await amina.post("/v1/sessions", ["phone": "+1 831 555 0134 ext. 12"])
            #expect(called.status == 400)
            #expect(try called.text("detail").contains("extension 12"))
        }
    }
}

@Suite(.tags(.promise7)) struct `A number that an earlier version read wrongly` {
    private static let (wrong, right) = ("+39612345678", "+390612345678")

    /// Opens and closes a session for a number just as it is stored, as earlier versions did.
    private static func contact(
        _ phone: String,
        of amina: TestGateway.Client,
        _ gateway: TestGateway
    ) async throws -> PersonID {
        let (ledger, user) = (gateway.ledger, UserID(unchecked: amina.id))
        let number = try #require(PhoneNumber(phone))
        let owner = try await ledger.phoneBook.owner(with: number, in: .main, at: ledger.now)
        var context = ledger.context(actor: .user(user, as: .operator), organisation: .main)
        context.newcomers = owner.newcomers
        let creation = CreateSession(by: user, caller: owner.person, phone: number)
        _ = try await ledger.handler.handle(creation, context)
        let path = "/v1/sessions?caller=\(owner.person)"
        let session = try await amina.get(path, after: gateway.newest).items[0]["id"] as? String
        let close = "/v1/sessions/\(try #require(session))/close"
        #expect(try await amina.post(close, ["disposition": "handled"]).status == 200)
        return owner.person
    }

    @Test
    func `is corrected, and who has the right one is the same: found, told and erased as one`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let admin = try await gateway.user(.admin, login: "ada")
            let old = try await Self.contact(Self.wrong, of: amina, gateway)
            let new = try await Self.contact(Self.right, of: amina, gateway)
            let other = try await Self.contact("+447712345678", of: amina, gateway)
            #expect(old != new)
            let correction = NumberCorrection(ledger: gateway.ledger)
            try await correction.run()
            try await correction.run()
            let corrected = try gateway.events(PersonNumberCorrected.kind)
            #expect(corrected.map(\.envelope.subject) == [.person(old)])
            #expect(corrected.map(\.fact.links) == [[.owner(.person(old)), .member(.person(new))]])

            let path = "/v1/callers?prefix=%2B390612345678"
            let found = try await amina.get(path, after: gateway.newest).items
            #expect(found.map { $0["sessions"] as? Int } == [2])
            for person in [old, new] {
                let earlier = try await amina.get(
                    "/v1/sessions?caller=\(person)",
                    after: gateway.newest
                )
                #expect(try earlier.items.count == 2)
            }
            let number = try #require(PhoneNumber(Self.right))
            let book = gateway.ledger.phoneBook
            let known = try #require(try await book.known(number, in: .main))
            #expect([old, new].contains(known))

            let erased = try await admin.post("/v1/persons/\(new)/erase", ["reason": "asked"])
            #expect(erased.status == 200)
            let gone = try gateway.events(PersonErased.kind).map(\.envelope.subject)
            #expect(Set(gone) == [.person(old), .person(new)])
            #expect(gateway.ledger.keys.isDestroyed(old) && gateway.ledger.keys.isDestroyed(new))
            #expect(!gateway.ledger.keys.isDestroyed(other))
            #expect(try await book.known(number, in: .main) == nil)
            #expect(try await amina.get(path, after: gateway.newest).items.isEmpty)
        }
    }
    /// Registers a phone for a number just as it is stored, as earlier versions did.
    private static func phone(
        _ phone: String,
        codeBy amina: TestGateway.Client,
        _ gateway: TestGateway
    ) async throws -> TestGateway.Client {
        let ledger = gateway.ledger
        let number = try #require(PhoneNumber(phone))
        let owner = try await ledger.phoneBook.owner(with: number, in: .main, at: ledger.now)
        let device: DeviceID = ledger.newID()
        let code = try await ledger.accounts.makeDeviceCode(
            phoneNumber: phone,
            person: "\(owner.person)",
            org: "main",
            device: "\(device)",
            giver: amina.id
        )
        let registered = try await ledger.accounts.registerDevice(
            phoneNumber: phone,
            code: code,
            isGiven: { _ in true }
        )
        let command = RegisterDevice(
            device,
            of: owner.person,
            phone: number,
            verification: .operatorCode,
            codeGivenBy: registered.giver
        )
        var context = ledger.context(actor: .device(device), organisation: .main)
        context.newcomers = owner.newcomers
        _ = try await ledger.handler.handle(command, context)
        return .init(gateway: gateway, token: registered.token.token, id: "\(device)")
    }

    @Test func `is corrected for a registered phone, too, and again where it was told again`()
        async throws
    {
        try await TestGateway.run { gateway in
            let ledger = gateway.ledger
            let amina = try await gateway.user(.operator, login: "amina")
            let admin = try await gateway.user(.admin, login: "ada")
            let phone = try await Self.phone(Self.wrong, codeBy: amina, gateway)
            #expect(try await phone.get("/v1/me").text("phone") == Self.wrong)
            try await NumberCorrection(ledger: ledger).run()
            #expect(try await phone.get("/v1/me").text("phone") == Self.right)
            let listed = try await admin.get("/v1/devices?phone=%2B390612345678").items
            #expect(listed.map { $0["device"] as? String } == [phone.id])

            let principal = try await ledger.accounts.authenticate(phone.token)
            #expect(principal.phoneNumber?.text == Self.right)
            let person = try #require(principal.person)
            // As an earlier version let its chat tell the number of the accounts.
            _ = try await ledger.handler.handle(
                StartChat(caller: person, phone: PhoneNumber(Self.wrong)),
                ledger.context(of: principal)
            )
            for _ in 0..<2 { try await NumberCorrection(ledger: ledger).run() }
            let path = "/v1/callers?prefix=%2B39"
            let found = try await amina.get(path, after: gateway.newest).items
            #expect(found.map { $0["phone"] as? String } == [Self.right])

            // The envelopes, which no erasure reaches, name what told the wrong number, and no number.
            let told =
                try gateway.events(DeviceRegistered.kind) + gateway.events(SessionCreated.kind)
            let corrected = try gateway.events(PersonNumberCorrected.kind).map(\.envelope)
            #expect(corrected.map(\.causation) == told.map(\.envelope.id))
            #expect(
                corrected.map(\.command.text)
                    == told.map { "numbers~\($0.envelope.id)~correct" }
            )
        }
    }

    @Test func `is one with another that is corrected to the same number at the same start`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let admin = try await gateway.user(.admin, login: "ada")
            var people: [PersonID] = []
            // With what Mexico dialled before mobile numbers, and before those of other towns.
            for wrong in ["+5215512345678", "+52015512345678"] {
                people.append(try await Self.contact(wrong, of: amina, gateway))
            }
            #expect(Set(people).count == 2)
            try await NumberCorrection(ledger: gateway.ledger).run()
            let corrected = try gateway.events(PersonNumberCorrected.kind)
            #expect(Set(corrected.map(\.envelope.subject)) == Set(people.map(Subject.person)))
            let path = "/v1/callers?prefix=%2B525512345678"
            let found = try await amina.get(path, after: gateway.newest).items
            #expect(found.map { $0["sessions"] as? Int } == [2])
            let erased = try await admin.post(
                "/v1/persons/\(people[0])/erase",
                ["reason": "asked"]
            )
            #expect(erased.status == 200)
            for person in people { #expect(gateway.ledger.keys.isDestroyed(person)) }
        }
    }
}
