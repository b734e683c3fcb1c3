// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10)) struct `The throttle of sign-ins` {
    private let throttle = SignInThrottle(limits: AccountLimits())
    private let begin = ContinuousClock.now

    private func place(_ address: String, known: Bool = false) -> SignInThrottle.Place {
        SignInThrottle.Place(name: address, holder: address, isKnown: known)
    }

    @Test func `locks nobody out who is known, whatever strangers try`() throws {
        for host in 0..<500 {
            // Some of these are themselves too early: that is what is wanted.
            do {
                try throttle.begin(login: "admin", from: place("10.0.\(host).1"), at: begin)
            } catch {
                guard case .signInThrottled = error else { throw error }
            }
        }
        #expect(throws: AccountError.self) {
            try throttle.begin(login: "admin", from: place("192.0.2.1"), at: begin)
        }
        try throttle.begin(login: "admin", from: place("192.0.2.9", known: true), at: begin)
    }

    @Test func `is free again elsewhere once somebody was right`() throws {
        for host in 0..<30 {
            try throttle.begin(login: "amina", from: place("10.0.0.\(host)"), at: begin)
        }
        #expect(throws: AccountError.self) {
            try throttle.begin(login: "amina", from: place("192.0.2.1"), at: begin)
        }
        let desk = place("192.0.2.9", known: true)
        try throttle.begin(login: "Amina", from: desk, at: begin)
        throttle.succeeded(login: "Amina", from: desk, at: begin)
        try throttle.begin(login: "amina", from: place("192.0.2.1"), at: begin)
    }

    @Test func `forgives with time`() throws {
        let place = place("192.0.2.1")
        for _ in 0..<5 { try throttle.begin(login: "amina", from: place, at: begin) }
        #expect(throws: AccountError.signInThrottled(wait: .seconds(1))) {
            try throttle.begin(login: "amina", from: place, at: begin)
        }
        let later = begin + .seconds(1 + 5 * 60)
        for _ in 0..<5 { try throttle.begin(login: "amina", from: place, at: later) }
    }

    /// Whoever is told to wait may have the right password.
    @Test func `says how long to wait, and not that a password was wrong`() throws {
        let told = try #require(
            AccountError.signInThrottled(wait: .milliseconds(1_500)).problem.detail
        )
        #expect(told.contains("wait 2 s") && !told.contains("wrong"), "\(told)")
    }

    @Test func `slows everybody down who is not known, all together`() throws {
        var taken = 0
        for number in 0..<1_000 {
            do {
                try throttle.begin(
                    login: "user\(number)",
                    from: place("10.1.\(number).1"),
                    at: begin
                )
                taken += 1
            } catch {
                guard case .signInThrottled = error else { throw error }
            }
        }
        #expect((300...301).contains(taken))
    }
}

@Suite struct `A place where somebody signed in` {
    @Test func `is known by its browser, or by its address, for that login alone`() async throws {
        let test = try TestDoor()
        for login in ["amina", "john"] {
            try await test.accounts.createUser(
                login: login,
                password: "correct horse battery",
                role: .operator,
                org: "centre",
                isTemporary: false
            )
        }
        let browser = IssuedToken.fresh()
        _ = try await test.accounts.signIn(
            login: "amina",
            password: "correct horse battery",
            from: SignInOrigin(address: "2001:db8:1:2::3", browser: browser)
        )
        let users = try await test.accounts.users()
        let amina = users.first { $0.login == "amina" }
        let john = users.first { $0.login == "john" }
        func isKnown(_ address: String, _ browser: String?, _ user: UserAccount?) async throws
            -> Bool
        {
            let origin = SignInOrigin(address: address, browser: browser)
            return try await test.accounts.place(of: origin, for: user).isKnown
        }
        #expect(try await isKnown("2001:db8:1:2:ffff::1", nil, amina))
        #expect(try await isKnown("192.0.2.1", browser, amina))
        #expect(try await !isKnown("192.0.2.1", IssuedToken.fresh(), amina))
        #expect(try await !isKnown("2001:db8:1:3::3", nil, amina))
        #expect(try await !isKnown("2001:db8:1:2::3", browser, john))
    }

    @Test func `is not the name of a login that nobody can have`() async throws {
        let test = try TestDoor()
        await #expect(throws: AccountError.signInRefused) {
            try await test.accounts.signIn(
                login: String(repeating: "a", count: 257),
                password: "correct horse battery",
                from: SignInOrigin(address: "192.0.2.1")
            )
        }
        #expect(test.accounts.counts.all == [.refused: 1])
    }
}

@Suite(.tags(.promise10)) struct `Who is behind a proxy` {
    private let ranges = ["10.0.0.0/8", "2001:db8::/32"].compactMap(NetworkRange.init)

    private func client(
        peer: String,
        _ headers: HTTPFields,
        by header: ProxyHeader = .forwardedFor
    ) -> String {
        let proxies = TrustedProxies(ranges: ranges, header: header)
        return ClientAddressMiddleware.client(of: headers, peer: peer, proxies: proxies)
    }

    private func fields(_ name: String, _ values: String...) throws -> HTTPFields {
        var fields = HTTPFields()
        let name = try #require(HTTPField.Name(name))
        for value in values { fields.append(HTTPField(name: name, value: value)) }
        return fields
    }

    @Test func `is the right-most address that is no trusted proxy`() throws {
        let one = try fields("X-Forwarded-For", "203.0.113.9, 198.51.100.7", "10.1.1.1")
        #expect(client(peer: "10.0.0.1", one) == "198.51.100.7")
        let six = try fields("Forwarded", "for=\"[2001:db9::5]:4711\";proto=https, for=10.2.0.1")
        #expect(client(peer: "2001:db8::1", six, by: .forwarded) == "2001:db9::5")
        let port = try fields("X-Forwarded-For", "198.51.100.7:9999")
        #expect(client(peer: "10.0.0.1", port) == "198.51.100.7")
    }

    @Test func `is not who the client says in the header that the proxy does not write`() throws {
        var both = try fields("X-Forwarded-For", "198.51.100.7")
        both.append(contentsOf: try fields("Forwarded", "for=203.0.113.1"))
        #expect(client(peer: "10.0.0.1", both) == "198.51.100.7")
        #expect(client(peer: "10.0.0.1", both, by: .forwarded) == "203.0.113.1")
    }

    @Test func `is the peer, where the peer is not trusted or says nothing readable`() throws {
        let forged = try fields("X-Forwarded-For", "198.51.100.7")
        #expect(client(peer: "192.0.2.1", forged) == "192.0.2.1")
        #expect(client(peer: "10.0.0.1", HTTPFields()) == "10.0.0.1")
        let hidden = try fields("Forwarded", "for=198.51.100.7, for=_hidden")
        #expect(client(peer: "10.0.0.1", hidden, by: .forwarded) == "10.0.0.1")
        let port = String(repeating: "9", count: 90)
        let long = try fields("X-Forwarded-For", "198.51.100.7:\(port)")
        #expect(client(peer: "10.0.0.1", long) == "10.0.0.1")
    }
    @Test(
        arguments: [
            // Commas and semicolons in what a proxy quoted part nothing.
            (#"for=1.2.3.4;host="x, for=6.6.6.6;y""#, "1.2.3.4", "x, for=6.6.6.6;y"),
            (#"host="x;for=6.6.6.6";for=1.2.3.4"#, "1.2.3.4", "x;for=6.6.6.6"),
            (#"host="x, for=6.6.6.6";for=1.2.3.4"#, "1.2.3.4", "x, for=6.6.6.6"),
            (#"For = 1.2.3.4"#, "10.0.0.1", nil), (#"For=1.2.3.4 ; Host=a,"#, "1.2.3.4", "a"),
            (#"for=1.2.3.4;host="a\", for=6.6.6.6;b=\"""#, "1.2.3.4", #"a", for=6.6.6.6;b=""#),
            // A proxy that does not quote lets its client write elements.
            ("for=1.2.3.4;host=a,for=6.6.6.6", "6.6.6.6", "a"),
            // What keeps to no grammar says nothing.
            ("for=1.2.3.4;host=a;for=6.6.6.6", "10.0.0.1", nil),
            (#"for=6.6.6.6, for=1.2.3.4;host="a"#, "10.0.0.1", nil),
            (#"for=6.6.6.6;a=", for=1.2.3.4;host="b;for=6.6.6.6""#, "10.0.0.1", nil),
            (#"for="1.2.3.4"6.6.6.6"#, "10.0.0.1", nil), ("for=6.6.6.6, for", "10.0.0.1", nil),
            (#"for=1.2.3.4;host="a\"#, "10.0.0.1", nil), ("", "10.0.0.1", nil),
        ] as [(String, String, String?)]
    )
    func `is read with its quotes, and is the peer where that cannot be`(
        line: String,
        address: String,
        host: String?
    ) throws {
        let fields = try fields("Forwarded", line)
        #expect(client(peer: "10.0.0.1", fields, by: .forwarded) == address)
        let proxies = TrustedProxies(ranges: ranges, header: .forwarded)
        let told = ClientAddressMiddleware.host(in: fields, peer: "10.0.0.1", proxies: proxies)
        #expect(told == host)
    }
}
