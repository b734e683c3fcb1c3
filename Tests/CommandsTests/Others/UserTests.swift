// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@testable import Commands

@Suite struct `The name of an account` {
    private func create(named name: String) throws {
        let ledger = MemoryLedger()
        let person = ledger.person()
        let command = CreateUser(
            .sam,
            as: .operator,
            person: person,
            name: name,
            password: .temporary
        )
        try ledger.run(command)
    }

    @Test(arguments: ["", " ", "\u{200B}", "\u{2060}\u{2800}"])
    func `in which nothing can be seen is refused`(name: String) {
        #expect(throws: CreateUser.Refusal.unacceptable(.empty(field: "name"))) {
            try create(named: name)
        }
    }

    @Test(
        arguments: [
            ("Sam\u{202E}nimda", "U+202E"), ("\u{2066}Sam", "U+2066"), ("Sam\u{2069}", "U+2069"),
            ("Sam\nadmin", "U+000A"), ("Sam\u{9B}", "U+009B"),
        ]
    )
    func `that changes how other words are shown is refused`(name: String, character: String) {
        let fault = InputFault.outOfRange(
            field: "name",
            value: character,
            allowed: "a character of a name"
        )
        #expect(throws: CreateUser.Refusal.unacceptable(fault)) { try create(named: name) }
    }

    /// Also the marks and joiners that names in Persian and Hindi need.
    @Test(arguments: ["Sam O’Neil-Şahin", "علی\u{200C}رضا", "सम\u{200D}", "דנה\u{200F}"])
    func `is as people write it`(name: String) throws {
        try create(named: name)
    }
}
