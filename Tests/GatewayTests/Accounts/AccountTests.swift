// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Testing

@testable import Gateway

private let password = "correct horse battery"

@Suite struct `Signing in` {
    private let clock: HandClock
    private let folder: URL
    private let accounts: AccountStore

    init() throws {
        let test = try TestDoor()
        clock = test.clock
        folder = test.folder
        accounts = test.accounts
    }

    private func create(_ login: String = "amina", role: Role = .operator) async throws
        -> UserAccount
    {
        try await accounts.createUser(login: login, password: password, role: role, org: "centre")
    }

    private func signIn(
        _ word: String = password,
        login: String = "amina",
        address: String = "192.0.2.1",
        at instant: ContinuousClock.Instant = .now
    ) async throws -> (user: UserAccount, token: IssuedToken) {
        try await accounts.signIn(
            login: login,
            password: word,
            from: SignInOrigin(address: address),
            at: instant
        )
    }

    @Test func `gives a token that names its user`() async throws {
        let user = try await create()
        let token = try await signIn(login: "AMINA").token
        let principal = try await accounts.authenticate(token.token)
        #expect(principal.actor == "operator/\(user.id)")
        #expect(user.id.count == 9)
        #expect(principal.mustChangePassword)
        #expect(principal.org == "centre")
    }

    @Test func `refuses a wrong password and an unknown login alike`() async throws {
        _ = try await create()
        await #expect(throws: AccountError.signInRefused) { try await signIn("wrong password!") }
        await #expect(throws: AccountError.signInRefused) { try await signIn(login: "nobody") }
    }

    @Test func `keeps a password at the present cost once its owner signs in`() async throws {
        let (user, other) = (try await create(), try await create("ben"))
        let new = PasswordCost(logRounds: 5, blockSize: 8, parallelism: 1)
        var limits = accounts.limits
        limits.passwordCost = new
        let raised = try AccountStore(
            path: folder.appending(path: "accounts.db").path,
            fingerprintKey: accounts.fingerprintKey,
            rowKey: accounts.rowKey,
            limits: limits
        )
        func cost(of id: String) async throws -> PasswordCost? {
            let text = try await raised.read { database in
                try String.fetchOne(
                    database,
                    sql: "SELECT password FROM users WHERE id = ?",
                    arguments: [id]
                )
            }
            return text.flatMap(PasswordHash.init)?.cost
        }
        let origin = SignInOrigin(address: "192.0.2.1")
        // A proof of before the change of the cost holds behind it: the password is the same.
        let proof = try await raised.provePassword(login: "amina", password: password, from: origin)
        await #expect(throws: AccountError.signInRefused) {
            try await raised.signIn(login: "amina", password: "wrong password!", from: origin)
        }
        #expect(try await cost(of: user.id) == accounts.limits.passwordCost)
        for _ in 0..<2 {
            _ = try await raised.signIn(login: "amina", password: password, from: origin)
            #expect(try await cost(of: user.id) == new)
        }
        #expect(try await raised.read { try proof.holds(in: $0) })
        #expect(try await cost(of: other.id) == accounts.limits.passwordCost)
        await #expect(throws: AccountError.signInRefused) {
            try await raised.signIn(login: "amina", password: "wrong password!", from: origin)
        }
    }

    @Test func `refuses an unknown login at what one of the known ones costs, the same each time`()
        throws
    {
        let costs = (4...7).map { PasswordCost(logRounds: $0, blockSize: 8, parallelism: 1) }
        var drawn: [PasswordCost: Int] = [:]
        for number in 0..<200 {
            let cost = accounts.cost(ofUnknown: "nobody\(number)", among: costs)
            #expect(accounts.cost(ofUnknown: "Nobody\(number)", among: costs.reversed()) == cost)
            drawn[cost, default: 0] += 1
        }
        #expect(Set(drawn.keys) == Set(costs), "\(drawn)")
        #expect(
            accounts.cost(ofUnknown: "nobody", among: []) == accounts.limits.passwordCost
        )
    }

    @Test func `slows guessing down, twice as long each time, and forgives a right one`()
        async throws
    {
        _ = try await create()
        var instant = ContinuousClock.now
        for _ in 0..<5 {
            await #expect(throws: AccountError.signInRefused) {
                try await signIn("wrong password!", at: instant)
            }
        }
        for seconds in [1, 2, 4, 8] {
            await #expect(throws: AccountError.signInThrottled(wait: .seconds(seconds))) {
                try await signIn(at: instant)
            }
            instant += .seconds(seconds)
            await #expect(throws: AccountError.signInRefused) {
                try await signIn("wrong password!", at: instant)
            }
        }
        instant += .seconds(16)
        _ = try await signIn(at: instant)
        await #expect(throws: AccountError.signInRefused) {
            try await signIn("wrong password!", at: instant)
        }
    }

    @Test func `slows an address down that tries many logins`() async throws {
        let instant = ContinuousClock.now
        for number in 0..<50 {
            await #expect(throws: AccountError.signInRefused) {
                try await signIn(login: "user\(number)", at: instant)
            }
        }
        await #expect(throws: AccountError.signInThrottled(wait: .seconds(1))) {
            try await signIn(login: "another", at: instant)
        }
        await #expect(throws: AccountError.signInRefused) {
            try await signIn(login: "another", address: "192.0.2.2", at: instant)
        }
    }

    @Test func `counts parallel guesses too`() async throws {
        _ = try await create()
        let instant = ContinuousClock.now
        let refused = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        _ = try await signIn("wrong password!", at: instant)
                        return false
                    } catch {
                        return error as? AccountError == .signInRefused
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(refused == 5)
    }

    @Test func `with a changed password ends the other tokens and the temporary state`()
        async throws
    {
        _ = try await create()
        let old = try await signIn().token
        let current = try await signIn().token
        let principal = try await accounts.authenticate(current.token)
        let new = "a much better phrase"
        await #expect(throws: AccountError.passwordUnchanged) {
            try await accounts.changePassword(
                of: principal,
                from: password,
                to: password,
                from: SignInOrigin(address: "a")
            )
        }
        await #expect(throws: AccountError.passwordTooShort(min: 12)) {
            try await accounts.changePassword(
                of: principal,
                from: password,
                to: "short",
                from: SignInOrigin(address: "a")
            )
        }
        try await accounts.changePassword(
            of: principal,
            from: password,
            to: new,
            from: SignInOrigin(address: "a")
        )
        #expect(try await accounts.authenticate(current.token).mustChangePassword == false)
        await #expect(throws: AccountError.tokenRevoked) {
            try await accounts.authenticate(old.token)
        }
        await #expect(throws: AccountError.signInRefused) { try await signIn() }
        _ = try await signIn(new)
    }

    @Test func `gives no token for a password that was changed while it was checked`() async throws
    {
        let user = try await create()
        let proof = try await accounts.provePassword(
            login: "amina",
            password: password,
            from: SignInOrigin(address: "a")
        )
        try await accounts.resetPassword(ofUser: user.id, to: "a much better phrase")
        await #expect(throws: AccountError.signInRefused) {
            try await accounts.issueToken(forUser: user.id, provedBy: proof)
        }
        #expect(try await accounts.tokens(ofUser: user.id).isEmpty)
    }

    @Test func `ends for operators after 300 s of silence, not before`() async throws {
        _ = try await create()
        let token = try await signIn().token
        for _ in 0..<3 {
            clock.move(by: .seconds(299))
            _ = try await accounts.authenticate(token.token)
        }
        #expect(try await accounts.idleTokens().isEmpty)
        clock.move(by: .seconds(301))
        await #expect(throws: AccountError.tokenIdle(limit: .seconds(300))) {
            try await accounts.authenticate(token.token)
        }
        let idle = try await accounts.idleTokens()
        #expect(idle.map(\.tokenID) == [token.id])
        #expect(try await accounts.idleTokens() == idle, "told until it is ended")
        try await accounts.revoke(tokenID: token.id)
        #expect(try await accounts.idleTokens().isEmpty)
    }

    @Test func `ends alone where its user is busy with another`() async throws {
        _ = try await create()
        let left = try await signIn().token
        clock.move(by: .seconds(200))
        let busy = try await signIn().token
        clock.move(by: .seconds(200))
        let idle = try await accounts.idleTokens()
        #expect(idle.map(\.tokenID) == [left.id])
        let user = try #require(idle.first?.userID)
        #expect(try await accounts.goodTokens(ofUser: user).map(\.id) == [busy.id])
        let principal = try await accounts.authenticate(busy.token)
        clock.move(by: .seconds(299))
        try await accounts.stillSignedIn(principal)
        clock.move(by: .seconds(2))
        // Being checked is no activity.
        await #expect(throws: AccountError.tokenIdle(limit: .seconds(300))) {
            try await accounts.stillSignedIn(principal)
        }
        #expect(try await accounts.goodTokens(ofUser: user).isEmpty)
    }

    @Test func `ends by age, by revoking and by disabling the user`() async throws {
        let user = try await create(role: .analyst)
        let aged = try await signIn().token
        clock.move(by: .seconds(12 * 3600))
        await #expect(throws: AccountError.tokenExpired) {
            try await accounts.authenticate(aged.token)
        }
        let revoked = try await signIn().token
        try await accounts.revoke(tokenID: revoked.id)
        await #expect(throws: AccountError.tokenRevoked) {
            try await accounts.authenticate(revoked.token)
        }
        let open = try await signIn().token
        let principal = try await accounts.authenticate(open.token)
        try await accounts.confirm(principal)
        try await accounts.setDisabled(true, user: user.id)
        await #expect(throws: AccountError.tokenRevoked) { try await accounts.confirm(principal) }
        await #expect(throws: AccountError.tokenRevoked) {
            try await accounts.authenticate(open.token)
        }
        await #expect(throws: AccountError.signInRefused) { try await signIn() }
        #expect(try await accounts.tokens(ofUser: user.id).count == 3)
    }

    @Test func `needs a login, an id and a password that are usable and free`() async throws {
        _ = try await create()
        await #expect(throws: AccountError.loginTaken("Amina")) { try await create("Amina") }
        await #expect(throws: AccountError.loginInvalid("a b")) { try await create("a b") }
        // What a terminal would do, and not show.
        for login in ["x\u{1b}[31m", "a\u{202e}b", "a\u{200b}b", "a\u{2028}b", "a\u{7f}"] {
            await #expect(throws: AccountError.loginInvalid(login)) { try await create(login) }
        }
        #expect("\(AccountError.loginTaken("Amina"))" == "the login Amina is taken; choose another")
        await #expect(throws: AccountError.userIDInvalid("../x")) {
            try await accounts.createUser(
                login: "x",
                password: password,
                role: .guard,
                org: "o",
                id: "../x"
            )
        }
        await #expect(throws: AccountError.passwordIsLogin) {
            try await accounts.createUser(
                login: "battery",
                password: password,
                role: .guard,
                org: "o"
            )
        }
    }

    @Test func `leaves nothing in the file that signs in`() async throws {
        _ = try await create()
        let token = try await signIn().token.token
        for name in ["accounts.db", "accounts.db-wal"] {
            let bytes = try Data(contentsOf: folder.appending(path: name))
            #expect(bytes.range(of: Data(password.utf8)) == nil)
            #expect(bytes.range(of: Data(token.utf8)) == nil)
        }
    }

    @Test func `goes on over a restart`() async throws {
        _ = try await create()
        let token = try await signIn().token
        let again = try AccountStore(
            path: accounts.pool.path,
            fingerprintKey: DerivedKey(of: .random(), for: "test"),
            rowKey: DerivedKey(of: TestDoor.masterKey, for: "rows"),
            now: { [clock] in clock.now }
        )
        #expect(try await again.authenticate(token.token).tokenID == token.id)
    }
}

@Suite struct `A password hash` {
    @Test func `prints, reads back and matches its password alone`() throws {
        let cost = PasswordCost(logRounds: 4, blockSize: 8, parallelism: 2)
        let hash = try PasswordHash(of: password, cost: cost)
        let read = try #require(PasswordHash(hash.text))
        #expect(read == hash)
        #expect(try read.matches(password))
        #expect(try !read.matches(password + "x"))
        #expect(try !read.matches(" " + password))
        #expect(try PasswordHash(of: password, cost: cost).text != hash.text)
    }

    @Test func `takes composed and decomposed letters alike`() throws {
        let cost = PasswordCost(logRounds: 4, blockSize: 8, parallelism: 1)
        #expect(
            try PasswordHash(of: "Stra\u{DF}enb\u{E4}r", cost: cost).matches("Straßenba\u{308}r")
        )
    }

    /// A blank that a phone put behind it, full-width digits, a ligature, a no-break space.
    @Test(arguments: [
        ("correct horse 7", "correct horse 7 "), ("correct horse 7", "correct horse \u{FF17}"),
        ("office chair", "o\u{FB03}ce chair"), ("office chair\u{A0}", "office\u{A0}chair"),
        ("   ", "   "),
    ])
    func `takes what another keyboard makes of it`(first: String, second: String) throws {
        let cost = PasswordCost(logRounds: 4, blockSize: 8, parallelism: 1)
        #expect(try PasswordHash(of: first, cost: cost).matches(second))
        #expect(try PasswordHash(of: second, cost: cost).matches(first))
    }

    /// The hash of `o\u{FB03}ce chair ` as it was made while normal form C was all that was done to a password.
    @Test func `opens for a password that was set before blanks and ligatures were taken alike`()
        throws
    {
        let former = try #require(
            PasswordHash(
                "$scrypt$ln=4,r=8,p=1$AAECAwQFBgcICQoLDA0ODw==$QQJTVlv4T7TBWFzY0j8Gw4KCeluyvUaJH9dUYtJsFTk="
            )
        )
        #expect(try former.matches("o\u{FB03}ce chair "))
        #expect(try !former.matches("office chair"))
    }

    @Test(arguments: ["", "$scrypt$", "$scrypt$ln=99,r=8,p=1$AA==$AA==", "$argon$a$b$c", "x$y$z"])
    func `is not read out of other text`(text: String) {
        #expect(PasswordHash(text) == nil)
    }
}
