// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import HTTPTypes
import Testing

@testable import Gateway

@Suite struct `Registering a device` {
    private let clock: HandClock
    private let folder: URL
    private let accounts: AccountStore
    private let number = "+905551234567"

    init() throws {
        let test = try TestDoor()
        clock = test.clock
        folder = test.folder
        accounts = test.accounts
    }

    private func register(_ code: String, id: String = "0199-d1") async throws -> IssuedToken {
        try await accounts.registerDevice(phoneNumber: number, code: code, deviceID: id).token
    }

    private func code() async throws -> String {
        try await accounts.makeDeviceCode(phoneNumber: number, person: "p1", org: "centre")
    }

    @Test func `by a spoken code gives a token that knows the owner`() async throws {
        let code = try await code()
        #expect(code.count == 6)
        let spoken = code.lowercased().replacing("1", with: "l").replacing("0", with: "o")
        let token = try await register(spoken.prefix(3) + " - " + spoken.suffix(3))
        let principal = try await accounts.authenticate(token.token)
        #expect(principal.actor == "device/0199-d1")
        #expect(principal.personID == "p1")
        #expect(principal.role == .caller)
    }

    @Test func `works once`() async throws {
        let code = try await code()
        _ = try await register(code)
        await #expect(throws: AccountError.deviceCodeRefused) { try await register(code, id: "2") }
    }

    @Test func `of two at once lets one through`() async throws {
        let code = try await code()
        let successes = await withTaskGroup(of: Int.self) { group in
            for number in 0..<5 {
                group.addTask {
                    do {
                        _ = try await register(code, id: "d\(number)")
                        return 1
                    } catch { return 0 }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(successes == 1)
    }

    @Test func `ends after five wrong tries, and after fifteen minutes`() async throws {
        let first = try await code()
        for _ in 0..<5 {
            await #expect(throws: AccountError.deviceCodeRefused) { try await register("UUUUUU") }
        }
        await #expect(throws: AccountError.deviceCodeRefused) { try await register(first) }
        let second = try await code()
        clock.move(by: .seconds(900))
        await #expect(throws: AccountError.deviceCodeRefused) { try await register(second) }
    }

    @Test func `is undone by revoking it, and by erasing its owner`() async throws {
        let revoked = try await register(try await code())
        try await accounts.revokeDevice(id: "0199-d1")
        await #expect(throws: AccountError.accountDisabled) {
            try await accounts.authenticate(revoked.token)
        }
        let erased = try await register(try await code(), id: "0199-d2")
        try await accounts.erase(person: "p1")
        await #expect(throws: AccountError.tokenUnknown) {
            try await accounts.authenticate(erased.token)
        }
    }
}

@Suite struct `An idempotency key` {
    private let clock: HandClock
    private let accounts: AccountStore
    private let first = RequestFingerprint(method: "POST", path: "/v1/x", body: Data("{}".utf8))
    private let other = RequestFingerprint(method: "POST", path: "/v1/x", body: Data("{ }".utf8))

    init() throws {
        let test = try TestDoor()
        clock = test.clock
        accounts = test.accounts
    }

    private func claim(
        _ request: RequestFingerprint,
        key: String = "k1",
        actor: String = "operator/1"
    ) async throws {
        try await accounts.claim(key: key, of: actor, for: request)
    }

    @Test func `takes the same request again, and refuses another`() async throws {
        try await claim(first)
        try await claim(first)
        await #expect(throws: AccountError.idempotencyKeyReused("k1")) { try await claim(other) }
        try await claim(other, actor: "operator/2")
        try await claim(other, key: "k2")
        #expect(AccountError.idempotencyKeyReused("k1").problem.type.status.code == 422)
    }

    @Test func `is free again after 48 hours, and old ones do not pile up`() async throws {
        for number in 0..<20 { try await claim(first, key: "old\(number)") }
        try await claim(first)
        clock.move(by: .seconds(48 * 3600 + 1))
        try await claim(other)
        for number in 0..<2 { try await claim(first, key: "new\(number)") }
        let count = try await accounts.pool.read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM fingerprints")
        }
        #expect(count == 3)
    }

    @Test(arguments: ["", "a b", "ä", String(repeating: "x", count: 129)])
    func `is refused when it is none`(key: String) async {
        await #expect(throws: AccountError.idempotencyKeyInvalid) {
            try await claim(first, key: key)
        }
    }
}
