// SPDX-License-Identifier: Apache-2.0
import Crypto
import Events
import Foundation
import Testing

@testable import Gateway

@Suite struct `The address of a push service` {
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
        _ = try PushEndpoint("http://localhost:1/1", within: .machine)
    }

    @Test func `is spelt one way, so that what was judged is what is contacted`() throws {
        let endpoint = try PushEndpoint("HTTPS://Push.Example.NET:8443/A?b=C", within: .internet)
        #expect(endpoint.text == "https://push.example.net:8443/A?b=C")
        #expect(endpoint.origin == "https://push.example.net:8443")
    }

    /// Names and unusual spellings of addresses are judged by what they are looked up to.
    @Test(.timeLimit(.minutes(1)), arguments: ["https://127.1:9/1", "https://0x7f000001:9/1"])
    func `is judged again when it is looked up`(endpoint: String) async throws {
        let keys = BrowserKeys()
        let sender = PushSender(
            identity: PushIdentity(key: P256.Signing.PrivateKey(), contact: "mailto:a@example.org"),
            reach: .internet,
            timeLimit: .seconds(5),
            now: { 1_800_000_000 }
        )
        let subscription = PushSubscription(
            id: try #require(.init("0199e0c0-0000-7000-8000-000000000000")),
            device: try #require(.init("0199e0c0-0000-7000-8000-000000000000")),
            endpoint: endpoint,
            receiver: try PushReceiver(p256dh: keys.p256dh, auth: keys.auth)
        )
        let answer = try await sender.send(
            Data("x".utf8),
            to: subscription,
            secondsToLive: 1,
            topic: "t"
        )
        #expect(answer == .refused("the address of the push service is not public"))
    }
}
