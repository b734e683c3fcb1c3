// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Gateway

/// Rows that somebody took out of an index, who can write the file beside a running gateway and has no key: they are there all the
/// same, for who ends them and for whoever makes something of it that there is none.
@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `Rows that an index hides` {
    private let test: TestDoor
    private var accounts: AccountStore { test.accounts }
    private let number = "+447700900001"

    init() throws {
        test = try TestDoor()
    }

    private func hide(_ indexes: String...) throws {
        for index in indexes {
            try Intruder.change(
                accounts: accounts.pool.path,
                pagesOf: index,
                ["DELETE FROM pages"]
            )
        }
    }

    private func phone(_ device: String) async throws -> IssuedToken {
        let code = try await accounts.makeDeviceCode(
            phoneNumber: number,
            person: "p1",
            org: "centre",
            device: device
        )
        test.clock.move(by: .seconds(60))
        return try await accounts.registerDevice(phoneNumber: number, code: code) { _ in true }
            .token
    }

    private func count(_ rows: String) async throws -> Int {
        try await accounts.pool.read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM main.\(rows)") ?? 0
        }
    }

    @Test func `go with the person who is erased`() async throws {
        let token = try await phone("d1")
        try await accounts.admit(device: "d1", to: "s1", through: nil)
        try hide(
            "devices_by_person",
            "tokens_by_device",
            "device_codes_by_phone",
            "device_sessions_by_session"
        )
        try await accounts.erase(person: "p1")
        for table in ["devices", "tokens", "device_codes"] {
            #expect(try await count("\(table) NOT INDEXED") == 0, "\(table)")
        }
        await #expect(throws: AccountError.tokenUnknown) {
            try await accounts.authenticate(token.token)
        }
    }

    @Test func `end with the phone that is revoked, and with what it agreed to`() async throws {
        let (old, new) = (try await phone("d1"), try await phone("d2"))
        try await accounts.admit(device: "d2", toAllOf: "d1")
        try hide("device_codes_by_phone", "devices_by_admitter")
        try await accounts.revokeDevice(id: "d1")
        await #expect(throws: AccountError.accountDisabled) {
            try await accounts.authenticate(old.token)
        }
        #expect(try await accounts.newPhones(besides: "d1").map(\.id) == ["d2"])
        #expect(try await accounts.authenticate(new.token).deviceID == "d2")
    }

    @Test func `are older phones, and new ones that the owner is told of`() async throws {
        _ = (try await phone("d1"), try await phone("d2"), try await phone("d3"))
        try await accounts.admit(device: "d2", to: "s1", through: "d1")
        try hide("devices_by_person", "sqlite_autoindex_devices_1", "device_sessions_by_session")
        #expect(try await accounts.newPhones(besides: "d1").map(\.id) == ["d2", "d3"])
        #expect(try await accounts.mayEnd("d2", by: "d1"))
        #expect(try await !accounts.mayEnd("d1", by: "d2"), "it is registered, and older")
        #expect(try await accounts.device(id: "d1")?.person == "p1")
        #expect(try await accounts.devices(admittedTo: "s1") == ["d2"])
    }

    @Test func `let no phone speak for others that an older one has not agreed to`() async throws {
        _ = (try await phone("d1"), try await phone("d2"), try await phone("d3"))
        try hide("devices_by_person")
        #expect(try await !accounts.mayAdmit("d3", by: "d2"))
        #expect(try await accounts.mayAdmit("d2", by: "d1"))
    }

    @Test func `are users and sign-ins, of whom nobody takes it that they are gone`() async throws {
        let token = try await test.token()
        let user = try #require(try await accounts.users().first)
        let idle = try await accounts.issueToken(forUser: user.id, idle: .seconds(300))
        try hide("sqlite_autoindex_users_2", "tokens_by_user", "sqlite_autoindex_tokens_1")
        #expect(try await accounts.users().map(\.id) == [user.id])
        #expect(try await accounts.goodTokens(ofUser: user.id).count == 2)
        #expect(try await accounts.tokens(ofUser: user.id).count == 2)
        #expect(try await accounts.authenticate(token).userID == user.id)
        test.clock.move(by: .seconds(301))
        #expect(try await accounts.idleTokens().map(\.tokenID) == [idle.id])
    }
}
