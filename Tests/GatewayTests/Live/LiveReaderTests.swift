// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import TestSupport
import Testing
import Threads

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `Somebody who reads live` {
    /// What ends a right.
    enum End: String, CaseIterable, Sendable {
        case revoked, disabled, otherRole, newPassword, deviceRevoked, erased
    }

    @Test(arguments: End.allCases)
    func `is out when the change has returned, and is told without asking`(_ end: End) async throws
    {
        let test = try TestDoor()
        let accounts = test.accounts
        let ofDevice = end == .deviceRevoked || end == .erased
        let token = ofDevice ? try await Self.phone(test) : try await test.token()
        let principal = try await accounts.authenticate(token)
        // So long that only the ring can tell.
        let reader = LiveReader(principal, in: accounts, every: .seconds(3_600))
        try await reader.check()
        let watching = Task { await reader.watch() }
        try await Self.bring(end, upon: principal, in: accounts)
        await #expect(throws: AccountError.self) { try await reader.check() }
        await watching.value
        #expect(reader.ended.isRaised)
    }

    @Test func `goes on while others leave, and with a new token of the same account`() async throws
    {
        let test = try TestDoor()
        let (amina, ben) = (try await test.token(), try await test.token(login: "ben"))
        let accounts = test.accounts
        let principal = try await accounts.authenticate(amina)
        let reader = LiveReader(principal, in: accounts, every: .seconds(3_600))
        try await accounts.revoke(tokenID: try await accounts.authenticate(ben).tokenID)
        try await reader.check()
        let user = try #require(principal.userID)
        let next = try await accounts.issueToken(forUser: user)
        reader.renew(try await accounts.authenticate(next.token))
        try await accounts.revoke(tokenID: principal.tokenID)
        try await reader.check()
    }

    @Test func `goes on, and sees more, when an older phone agrees to that`() async throws {
        let test = try TestDoor()
        let accounts = test.accounts
        let (old, new) = (try await Self.phone(test), try await Self.phone(test, number: 3))
        // The session began before the new phone was registered, and after the old one.
        let session = "0199e0c0-0000-7000-8000-00000000000a"
        try await accounts.durably { database in
            try database.execute(sql: "UPDATE main.devices SET since = 0 WHERE id LIKE '%2'")
        }
        let principal = try await accounts.authenticate(new)
        let older = try await accounts.authenticate(old)
        let reader = LiveReader(principal, in: accounts, every: .seconds(3_600))
        try await reader.check()
        #expect(!reader.principal.past.contains(session))
        try await accounts.admit(
            device: principal.deviceID ?? "",
            toAllOf: older.deviceID ?? ""
        )
        try await reader.check()
        #expect(reader.principal.past.contains(session))
        #expect(!reader.ended.isRaised)
    }

    @Test func `is out when the time of the token is over, though nobody watches`() async throws {
        let test = try TestDoor()
        let principal = try await test.accounts.authenticate(try await test.token())
        let reader = LiveReader(principal, in: test.accounts, every: .zero)
        try await reader.check()
        test.clock.move(by: test.door.limits.accounts.tokenLife)
        await #expect(throws: AccountError.tokenExpired) { try await reader.check() }
    }

    @Test func `is out by silence, though told all the while`() async throws {
        let test = try TestDoor()
        let user = try await test.accounts.createUser(
            login: "amina",
            password: "correct horse battery",
            role: .operator,
            org: "centre",
            isTemporary: false
        )
        let token = try await test.accounts.issueToken(forUser: user.id, idle: .seconds(300))
        let principal = try await test.accounts.authenticate(token.token)
        let reader = LiveReader(principal, in: test.accounts, every: .milliseconds(10))
        try await reader.check()
        test.clock.move(by: .seconds(301))
        await reader.watch()
        await #expect(throws: AccountError.tokenIdle(limit: .seconds(300))) {
            try await reader.check()
        }
    }

    /// What ends a token by time.
    enum Time: CaseIterable, Sendable {
        case life, silence, another
    }

    @Test(arguments: Time.allCases)
    func `is out as soon as time has ended it, though nothing rings`(_ time: Time) async throws {
        let (test, limit) = (try TestDoor(), Duration.milliseconds(200))
        let (clock, accounts) = (test.clock, test.accounts)
        let user = try await accounts.createUser(
            login: "amina",
            password: "correct horse battery",
            role: .operator,
            org: "centre",
            isTemporary: false
        )
        let token = try await accounts.issueToken(
            forUser: user.id,
            life: time == .life ? limit : nil,
            idle: time == .silence ? limit : nil
        )
        let (asks, asked) = AsyncStream.makeStream(of: Void.self)
        let end = clock.now + limit
        let reader = LiveReader(
            try await accounts.authenticate(token.token),
            in: accounts,
            every: .seconds(3_600)
        ) { _ in
            asked.yield()
            guard time == .another else { return nil }
            guard clock.now < end else { throw AccountError.tokenExpired }
            return limit
        }
        let watching = Task { await reader.watch() }
        var asking = asks.makeAsyncIterator()
        await asking.next()
        clock.move(by: limit)
        await watching.value
        #expect(reader.ended.isRaised)
        await #expect(throws: AccountError.self) { try await reader.check() }
    }

    private static func phone(_ test: TestDoor, number: Int = 2) async throws -> String {
        let code = try await test.accounts.makeDeviceCode(
            phoneNumber: "+447712345678",
            person: "0199e0c0-0000-7000-8000-000000000001",
            org: "centre",
            role: .caller,
            device: "0199e0c0-0000-7000-8000-00000000000\(number)"
        )
        return try await test.accounts.registerDevice(
            phoneNumber: "+447712345678",
            code: code,
            isGiven: { _ in true }
        ).token.token
    }

    private static func bring(
        _ end: End,
        upon principal: Principal,
        in accounts: AccountStore
    ) async throws {
        let user = principal.userID ?? ""
        switch end {
        case .revoked: try await accounts.revoke(tokenID: principal.tokenID)
        case .disabled: try await accounts.setDisabled(true, user: user)
        case .otherRole: try await accounts.setRole(.analyst, ofUser: user)
        case .newPassword:
            try await accounts.resetPassword(ofUser: user, to: "another horse battery")
        case .deviceRevoked: try await accounts.revokeDevice(id: principal.deviceID ?? "")
        case .erased: try await accounts.erase(person: principal.personID ?? "")
        }
    }
}
