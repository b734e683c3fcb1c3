// SPDX-License-Identifier: Apache-2.0
import Crypto
import Events
import Foundation
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10)) struct `The address of a push service` {
    @Test(
        arguments: [
            ("8.8.8.8", .internet), ("2606:4700::1111", .internet), ("10.1.2.3", .site),
            ("172.31.0.1", .site), ("172.32.0.1", .internet), ("192.168.7.7", .site),
            ("100.64.0.1", .site), ("fd00::1", .site), ("127.0.0.1", .machine),
            ("127.9.9.9", .machine),
            ("::1", .machine), ("::ffff:127.0.0.1", .machine), ("::ffff:10.0.0.1", .site),
            ("64:ff9b::7f00:1", .machine), ("2002:a00:1::1", .site),
            ("169.254.169.254", .forbidden),
            ("fe80::1", .forbidden), ("0.0.0.0", .forbidden), ("::", .forbidden),
            ("224.0.0.1", .forbidden), ("255.255.255.255", .forbidden), ("ff02::1", .forbidden),
            ("192.0.2.1", .forbidden), ("2001:db8::1", .forbidden),
            ("64:ff9b:1:a00:1:0:808:808", .forbidden), ("64:ff9b::808:808", .internet),
            ("2001:0:a00:1::1", .forbidden), ("2001:200::1", .internet), ("3fff::1", .forbidden),
            ("3fff:1000::1", .internet), ("192.88.99.1", .forbidden), ("100::1", .forbidden),
            ("5f00::1", .forbidden), ("fec0::1", .forbidden), ("198.19.255.255", .forbidden),
            ("198.20.0.0", .internet), ("::8.8.8.8", .internet), ("::10.0.0.1", .site),
        ] as [(String, PushAddress.Distance)]
    )
    func `is as far away as its range says`(text: String, distance: PushAddress.Distance) {
        #expect(PushAddress(text)?.distance == distance)
    }

    @Test(arguments: [
        "http://push.example.net/1", "https://127.0.0.1/1", "https://[::1]/1",
        "https://localhost/1", "https://10.0.0.7:8443/1", "https://169.254.169.254/latest",
        "https://me:secret@push.example.net/1", "https://push.example.net/1#x",
        "ftp://example.net/",
        "push.example.net", "", "https://", "https://%31%30.0.0.7/1", "https://ex ample.net/",
        "https://push.example.net/" + String(repeating: "x", count: 2_100),
    ])
    func `is refused where anybody may not knock`(text: String) {
        #expect(throws: Problem.self) { try PushEndpoint(text, within: .internet) }
    }

    @Test func `may be private where a site says so, and this machine only for trying out`() throws
    {
        _ = try PushEndpoint("https://10.0.0.7:8443/1", within: .site)
        #expect(throws: Problem.self) { try PushEndpoint("https://localhost/1", within: .site) }
        #expect(throws: Problem.self) { try PushEndpoint("http://10.0.0.7/1", within: .machine) }
        _ = try PushEndpoint("http://localhost:9009/1", within: .machine)
    }

    @Test func `is spelt one way, so that what was judged is what is contacted`() throws {
        let endpoint = try PushEndpoint("HTTPS://Push.Example.NET:8443/A?b=C", within: .internet)
        #expect(endpoint.text == "https://push.example.net:8443/A?b=C")
        #expect(endpoint.origin == "https://push.example.net:8443")
    }

    /// What programs read in different ways, and what no push service listens at.
    static let unreadable = [
        "https://127.1/x", "https://0x7f000001/x", "https://0x7f.0.0.1/x", "https://0177.0.0.1/x",
        "https://2130706433/x", "https://017700000001/x", "https://127.0.1/x", "https://8.8.8/x",
        "https://134744072/x", "https://08.8.8.8/x", "https://8.8.8.8./x", "https://8.8.8.8.8/x",
        "https://256.8.8.8/x", "https://push.example.0x8/x", "https://push.example.8/x",
        "https://localhost./x", "https://push.example.net./x", "https://.example.net/x",
        "https://push..example.net/x", "https://-push.example.net/x", "https://push_.example.net/",
        "https://[8.8.8.8]/x", "https://[::127.1]/x", "https://[2606:4700::1111/x",
        "https://[fe80::1%25eth0]/x", "https://[v1.a]/x", "https://[]/x",
        "https://push.example.net:22/x", "https://push.example.net:0/x",
        "https://push.example.net:80/x", "https://push.example.net:1023/x",
        "https://push.example.net:00022/x", "https://push.example.net:6667/x",
        "https://push.example.net:65536/x", "https://8.8.8.8:99999/x",
        "https://push.example.net:-1/x", "https://push.example.net:18446744073709551616/x",
        "http://localhost:443/x", "https://\(String(repeating: "a", count: 64)).example.net/x",
    ]

    /// Addresses and names of this machine and of the site, however they are written.
    static let unreachable = [
        "https://127.0.0.1/x", "https://１２７.0.0.1/x", "https://ⓛocalhost/x", "https://LOCALHOST/x",
        "https://push.localhost/x", "https://push/x", "https://push.local/x",
        "https://metadata.google.internal/x", "https://router.home.arpa/x", "https://[::]/x",
        "https://[::1]/x", "https://[::ffff:127.0.0.1]/x", "https://[::ffff:7f00:1]/x",
        "https://[::ffff:10.0.0.1]/x", "https://[::7f00:1]/x", "https://[64:ff9b::a00:1]/x",
        "https://[2002:7f00:1::1]/x", "https://[fe80::1]/x", "https://[fd00::1]/x",
        "https://0.0.0.0/x", "https://169.254.169.254/x", "https://100.64.0.1/x",
    ]

    @Test(arguments: unreadable)
    func `is none in another spelling or at another service's port`(text: String) {
        for reach in PushReach.allCases {
            #expect(throws: Problem.self) { try PushEndpoint(text, within: reach) }
        }
    }

    @Test(arguments: unreachable)
    func `is not public by any spelling`(text: String) {
        #expect(throws: Problem.self) { try PushEndpoint(text, within: .internet) }
    }

    @Test(arguments: [
        "https://push.example.net/x", "https://push.example.net:443/x",
        "https://push.example.net:8443/x", "https://push.example.net:65535/x", "https://8.8.8.8/x",
        "https://[2606:4700::1111]:8443/x", "https://[::ffff:8.8.8.8]/x",
        "https://xn--bcher-kva.example/x",
        "https://notlocalhost.net/x", "https://3com.example/x",
    ])
    func `may be any other`(text: String) throws {
        #expect(try PushEndpoint(text, within: .internet).text == text)
    }

    /// A row that an earlier program kept, or a hand put there, is judged as one that comes now.
    @Test(.timeLimit(.minutes(10)), arguments: unreadable + unreachable)
    func `is judged again before anything is sent`(text: String) async throws {
        let answer = try await send(to: text) { _ in
            Issue.record("\(text) was looked up")
            return []
        }
        guard case .refused(let why) = answer else {
            Issue.record("\(text): \(answer)")
            return
        }
        #expect(why.hasPrefix("the endpoint cannot be used"))
    }

    @Test(.timeLimit(.minutes(10)), arguments: [[], ["8.8.8.8"], ["fe80::1"]])
    func `is judged again when it is looked up, by all that the name has`(others: [String])
        async throws
    {
        try await LoopbackPushService.run { service, origin in
            let port = try #require(URL(string: origin)?.port)
            let answer = try await send(to: "https://push.example.net:\(port)/x") { _ in
                (["127.0.0.1"] + others).compactMap { PushAddress($0) }
            }
            #expect(answer == .refused("the address of the push service is not public"))
            #expect(service.count == 0)
        }
    }

    private func send(
        to endpoint: String,
        lookUp: @escaping @Sendable (String) throws -> [PushAddress]
    ) async throws -> PushSender.Answer {
        let keys = BrowserKeys()
        let sender = PushSender(
            identity: PushIdentity(key: P256.Signing.PrivateKey(), contact: "mailto:a@example.org"),
            reach: .internet,
            timeLimit: .testDeadline,
            now: { 1_800_000_000 },
            lookUp: lookUp
        )
        let subscription = PushSubscription(
            id: try #require(.init("0199e0c0-0000-7000-8000-000000000000")),
            device: try #require(.init("0199e0c0-0000-7000-8000-000000000000")),
            endpoint: endpoint,
            receiver: try PushReceiver(p256dh: keys.p256dh, auth: keys.auth)
        )
        return try await sender.send(
            Data("x".utf8),
            to: subscription,
            secondsToLive: 1,
            topic: "t"
        )
    }
}
