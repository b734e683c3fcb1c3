// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import HTTPTypes
import TestSupport
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

    private func register(_ code: String) async throws -> IssuedToken {
        try await accounts.registerDevice(phoneNumber: number, code: code, isGiven: { _ in true })
            .token
    }

    private func code(for device: String = "0199-d1") async throws -> String {
        try await accounts.makeDeviceCode(
            phoneNumber: number,
            person: "p1",
            org: "centre",
            device: device
        )
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
        await #expect(throws: AccountError.deviceCodeRefused) { try await register(code) }
    }

    @Test func `of two at once lets one through`() async throws {
        let code = try await code()
        let successes = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    do {
                        _ = try await register(code)
                        return 1
                    } catch { return 0 }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(successes == 1)
    }

    @Test func `takes five tries from an address, and no others' for them`() async throws {
        let code = try await code()
        func guess(from address: String) async throws {
            _ = try await accounts.registerDevice(
                phoneNumber: number,
                code: "UUUUUU",
                address: address,
                isGiven: { _ in true }
            )
        }
        for host in 1...20 {
            for _ in 0..<5 {
                await #expect(throws: AccountError.deviceCodeRefused) {
                    try await guess(from: "192.0.2.\(host)")
                }
            }
            let over = await #expect(throws: AccountError.self) {
                try await guess(from: "192.0.2.\(host)")
            }
            guard case .codesThrottled = over else {
                Issue.record("\(host) was not slowed down")
                return
            }
        }
        _ = try await register(code)
    }

    @Test func `ends with a number of wrong tries, and after fifteen minutes`() async throws {
        let test = try TestDoor { $0.accounts.deviceCodeTries = 3 }
        let first = try await test.accounts.makeDeviceCode(
            phoneNumber: number,
            person: "p1",
            org: "centre"
        )
        for code in ["UUUUUU", "UUUUUU", "UUUUUU", first] {
            await #expect(throws: AccountError.deviceCodeRefused) {
                try await test.accounts.registerDevice(
                    phoneNumber: number,
                    code: code,
                    isGiven: { _ in true }
                )
            }
        }
        let second = try await code()
        clock.move(by: .seconds(900))
        await #expect(throws: AccountError.deviceCodeRefused) { try await register(second) }
    }

    @Test func `is refused with the same work where there is no code`() async throws {
        // scrypt takes the time; what is measured is that it ran, not how long it took.
        let test = try TestDoor { $0.accounts.waitingPasswords = 0 }
        await #expect(throws: AccountError.tooManySignIns) {
            try await test.accounts.registerDevice(
                phoneNumber: number,
                code: "UUUUUU",
                isGiven: { _ in true }
            )
        }
    }

    @Test func `takes one derivation for all codes of a number, whose count no time tells`()
        async throws
    {
        var codes: [String] = []
        for org in ["centre", "other"] {
            codes.append(
                try await accounts.makeDeviceCode(
                    phoneNumber: number,
                    person: "p-\(org)",
                    org: org,
                    device: "0199-\(org)"
                )
            )
        }
        let hashes = try await accounts.read { database in
            try String.fetchAll(database, sql: "SELECT hash FROM device_codes")
        }
        let salts = Set(hashes.compactMap { PasswordHash($0)?.salt })
        #expect(hashes.count == 2 && salts.count == 1)
        for code in codes { _ = try await register(code) }
    }

    @Test func `by a code that was given at another cost goes on`() async throws {
        let code = try await code()
        let old = try PasswordHash(
            of: code,
            cost: PasswordCost(logRounds: 5, blockSize: 8, parallelism: 1)
        )
        try await accounts.durably { database in
            try database.execute(
                sql: "UPDATE main.device_codes SET hash = ?",
                arguments: [old.text]
            )
        }
        _ = try await register(code)
    }

    private func ask(_ code: String, _ request: String? = "key-1") async throws -> Registration {
        clock.move(by: .seconds(1))
        return try await accounts.registerDevice(
            phoneNumber: number,
            code: code,
            request: request,
            isGiven: { _ in true }
        )
    }

    private func expectEnded(_ ended: Registration...) async {
        for registration in ended {
            await #expect(throws: AccountError.tokenRevoked) {
                try await accounts.authenticate(registration.token.token)
            }
        }
    }

    @Test func `repeated under its key gives the same phone and another token, for a while`()
        async throws
    {
        let code = try await code()
        let first = try await ask(code)
        #expect(!first.isAgain)
        let second = try await ask(code)
        #expect(second.isAgain && second.device == first.device)
        let third = try await ask(code)
        #expect(
            try await accounts.authenticate(third.token.token).actor == "device/\(first.device.id)"
        )
        await expectEnded(first, second)
        for request in ["key-2", nil] {
            await #expect(throws: AccountError.deviceCodeRefused) { try await ask(code, request) }
        }
        #expect(try await accounts.authenticate(third.token.token).role == .caller)
        clock.move(by: accounts.limits.registrationMemory)
        await #expect(throws: AccountError.deviceCodeRefused) { try await ask(code) }
    }

    /// The first request arrives behind its repetition, as often as a network brings it again.
    @Test func `repeated too late takes nothing from the phone`() async throws {
        let code = try await code()
        let own = try await ask(code)
        _ = try await accounts.authenticate(own.token.token)
        var late: [Registration] = []
        for _ in 0..<4 { late.append(try await ask(code)) }
        #expect(try await accounts.authenticate(own.token.token).deviceID == own.device.id)
        await expectEnded(late[0], late[1], late[2], late[3])
        let again = try await ask(code)
        #expect(try await accounts.authenticate(own.token.token).deviceID == own.device.id)
        await expectEnded(again)
    }

    /// Whoever else has code and key throws the owner out, or is thrown out.
    @Test func `repeated by somebody else leaves one of the two`() async throws {
        let code = try await code()
        let own = try await ask(code)
        _ = try await accounts.authenticate(own.token.token)
        let other = try await ask(code)
        _ = try await accounts.authenticate(other.token.token)
        await expectEnded(own)
        _ = try await accounts.authenticate(other.token.token)
    }

    @Test func `repeated more often leaves the newest, of which the one in use ends the others`()
        async throws
    {
        let code = try await code()
        var told: [Registration] = []
        for _ in 0..<5 { told.append(try await ask(code)) }
        await expectEnded(told[1], told[2])
        // The answer before the last is the one that arrived.
        #expect(try await accounts.authenticate(told[3].token.token).role == .caller)
        await expectEnded(told[0], told[4])
    }

    @Test func `repeated is settled by one use, and costs nothing from then on`() async throws {
        let code = try await code()
        _ = try await ask(code)
        let own = try await ask(code)
        let inDoubt = "SELECT count(*) FROM main.tokens NOT INDEXED WHERE used <= 0"
        func doubted() async throws -> Int? {
            try await accounts.read { try Int.fetchOne($0, sql: inDoubt) }
        }
        #expect(try await doubted() == 2)
        _ = try await accounts.authenticate(own.token.token)
        let good = "SELECT count(*) FROM main.tokens NOT INDEXED WHERE used > 0 AND revoked IS NULL"
        #expect(try await accounts.read { try Int.fetchOne($0, sql: good) } == 1)
        let log = folder.appending(path: "accounts.db-wal").path
        func written() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
        }
        let before = try #require(try written())
        _ = try await accounts.authenticate(own.token.token)
        #expect(try written() == before)
    }

    @Test func `repeated under its key gives nothing for a phone that was ended`() async throws {
        let code = try await code()
        try await accounts.revokeDevice(id: try await ask(code).device.id)
        await #expect(throws: AccountError.deviceCodeRefused) { try await ask(code) }
    }

    @Test func `is undone by revoking it, and by erasing its owner`() async throws {
        let revoked = try await register(try await code())
        try await accounts.revokeDevice(id: "0199-d1")
        await #expect(throws: AccountError.accountDisabled) {
            try await accounts.authenticate(revoked.token)
        }
        let erased = try await register(try await code(for: "0199-d2"))
        try await accounts.erase(person: "p1")
        await #expect(throws: AccountError.tokenUnknown) {
            try await accounts.authenticate(erased.token)
        }
    }
}

@Suite(.tags(.promise3)) struct `An idempotency key` {
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

    @Test func `is kept with nothing by which the request could be tried out`() async throws {
        try await claim(first)
        let kept = try await accounts.pool.read { database in
            try Data.fetchAll(database, sql: "SELECT digest FROM fingerprints")
        }
        #expect(kept.count == 1)
        #expect(!kept.contains(first.digest))
    }

    @Test func `pushes out the actor's own oldest ones, and nobody else's`() async throws {
        let test = try TestDoor { $0.accounts.fingerprintsOfActor = 5 }
        try await test.accounts.claim(key: "k", of: "operator/2", for: first)
        for number in 0..<20 {
            test.clock.move(by: .milliseconds(1))
            try await test.accounts.claim(key: "k\(number)", of: "device/1", for: first)
        }
        let kept = try await test.accounts.pool.read { database in
            try String.fetchAll(database, sql: "SELECT key FROM fingerprints ORDER BY created")
        }
        #expect(kept == ["k", "k15", "k16", "k17", "k18", "k19"])
    }

    @Test(arguments: ["", "a b", "ä", String(repeating: "x", count: 129)])
    func `is refused when it is none`(key: String) async {
        await #expect(throws: AccountError.idempotencyKeyInvalid) {
            try await claim(first, key: key)
        }
    }
}
