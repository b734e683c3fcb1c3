// SPDX-License-Identifier: Apache-2.0
import Events
import GRDB
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10)) struct `A new login` {
    private let accounts: AccountStore
    private let password = "correct horse battery"

    init() throws {
        accounts = try TestDoor().accounts
    }

    private func create(_ login: String) async throws -> UserAccount {
        try await accounts.createUser(login: login, password: password, role: .guard, org: "centre")
    }

    @Test(arguments: [
        "amina", "o.brien-2", "7", "jörg_ß", "амина.2", "άγγελος", "دانا", "דנה", "अमीना", "田中ミカ",
        "김민수",
    ]) func `is written in one script, with digits and signs`(_ login: String) async throws {
        #expect(try await create(login).login == login)
    }

    /// Cyrillic, Greek and full-width letters, those of formulas, and accents that stand by themselves, among Latin ones or alone.
    @Test(arguments: [
        "\u{430}dmin", "adm\u{456}n", "\u{3BF}lga", "\u{FF41}min", "\u{1D41A}dmin", "admi\u{307}n",
        "e\u{301}va", "\u{212A}arl", "am\u{FF11}", "\u{430}\u{3BF}", "अ\u{985}", "a\u{1F600}",
    ]) func `is none that mixes them, or writes a letter as nobody does`(_ login: String)
        async throws
    {
        await #expect(throws: AccountError.loginMixed(login)) { try await create(login) }
        #expect("\(AccountError.loginMixed(login))".contains("letters of one script"))
    }

    @Test func `has such a name no more; whoever has it already signs in with it`() async throws {
        let user = try await create("older")
        let mixed = "\u{430}lder"
        try await accounts.durably { database in
            _ = try AccountRows(.users, id: user.id)
                .update(set: "login = :login", ["login": mixed], in: database)
        }
        let origin = SignInOrigin(address: "192.0.2.1")
        let known = try await accounts.signIn(login: mixed, password: password, from: origin)
        #expect(known.user.id == user.id)
    }
}
