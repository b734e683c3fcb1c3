// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Testing

@testable import Gateway

/// Whoever ends a sign-in reads all tokens that are kept.
@Suite struct `Tokens that ended long ago` {
    private let test: TestDoor
    private var accounts: AccountStore { test.accounts }

    init() throws {
        test = try TestDoor { $0.accounts.endedTokensAtOnce = 2 }
    }

    private func ids() async throws -> Set<String> {
        try await accounts.read { try String.fetchSet($0, sql: "SELECT id FROM tokens") }
    }

    private func phone() async throws -> IssuedToken {
        let device = DeviceAccount(
            id: "d",
            person: "p",
            phoneNumber: "+447700900001",
            org: "centre",
            role: .caller
        )
        let time = test.clock.now
        try await accounts.durably { try device.insert(into: $0, at: time) }
        return try await accounts.issue(NewToken(device: "d", life: .seconds(60)))
    }

    @Test func `are forgotten, some at a time, and no others`() async throws {
        let user = try await accounts.createUser(
            login: "amina",
            password: "correct horse battery",
            role: .operator,
            org: "centre"
        ).id
        let phone = try await phone()
        // Its silence is to be recorded first.
        let silent = try await accounts.issueToken(forUser: user, idle: .seconds(300))
        let (first, second) = (
            try await accounts.issueToken(forUser: user),
            try await accounts.issueToken(forUser: user)
        )
        test.clock.move(by: accounts.limits.tokenLife + accounts.limits.endedTokenMemory)
        let early = try await accounts.issueToken(forUser: user)
        #expect(try await ids() == [phone.id, silent.id, first.id, second.id, early.id])

        test.clock.move(by: .seconds(1))
        let late = try await accounts.issueToken(forUser: user)
        #expect(try await ids() == [phone.id, silent.id, early.id, late.id])

        try await accounts.revoke(tokenID: silent.id)
        let alone = try await accounts.issueToken(forUser: user)
        #expect(try await ids() == [phone.id, silent.id, early.id, late.id, alone.id])
        #expect(try await accounts.authenticate(late.token).userID == user)
    }

    @Test func `and those that end together leave the others`() async throws {
        let (one, two) = (
            try await test.token(login: "one"), try await test.token(login: "two")
        )
        let other = try await test.token(login: "other")
        let users = Set(try await accounts.users().filter { $0.login != "other" }.map(\.id))
        let time = test.clock.now + .seconds(1)
        let ends = AccountStore.Ends(
            users: Dictionary(uniqueKeysWithValues: users.map { ($0, time) })
        )
        #expect(try await accounts.make(ends) == 2)
        for token in [one, two] {
            await #expect(throws: AccountError.tokenRevoked) {
                try await accounts.authenticate(token)
            }
        }
        #expect(try await accounts.authenticate(other).role == .operator)
        #expect(try await accounts.make(ends) == 0)
    }
}
