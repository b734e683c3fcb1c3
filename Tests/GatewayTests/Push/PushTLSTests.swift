// SPDX-License-Identifier: Apache-2.0
import Crypto
import Events
import Foundation
import HTTPTypes
import Hummingbird
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A push service by HTTPS` {
    @Test func `is trusted by its certificate, for the name that the subscription has`()
        async throws
    {
        let folder = try TemporaryFolder()
        let files = try await selfSignedCertificate(in: folder.url)
        let server = try TestDoor()
        server.door.router.post("/push") { request, _ in
            _ = try await request.body.collect(upTo: 8_192)
            return Response(status: .created)
        }
        try await withServer(server, tls: files) { port, _ in
            // The name is looked up and contacted by its address; the certificate is still asked for the name.
            let name = "https://localhost:\(port)/push"
            let known = try await send(to: name, trusting: files.certificateChain)
            #expect(known == .taken(receipt: "201"))
            let unknown = try await send(to: name, trusting: nil)
            #expect(isNotConnected(unknown), "\(unknown)")
        }
    }

    @Test func `is not trusted by a certificate for another name`() async throws {
        let folder = try TemporaryFolder()
        let files = Certificates.Files(
            certificateChain: folder.url.appending(path: "cert.pem").path,
            privateKey: folder.url.appending(path: "key.pem").path
        )
        try await run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "2", "-subj", "/CN=push.example.net", "-addext",
                "subjectAltName=DNS:push.example.net", "-keyout", files.privateKey, "-out",
                files.certificateChain,
            ]
        )
        try await withServer(TestDoor(), tls: files) { port, _ in
            let answer = try await send(
                to: "https://localhost:\(port)/push",
                trusting: files.certificateChain
            )
            #expect(isNotConnected(answer), "\(answer)")
        }
    }

    private func isNotConnected(_ answer: PushSender.Answer) -> Bool {
        if case .busy(let why, _) = answer { why.hasPrefix("no connection") } else { false }
    }

    private func send(
        to endpoint: String,
        trusting roots: String?
    ) async throws -> PushSender.Answer {
        let keys = BrowserKeys()
        let id = "0199e0c0-0000-7000-8000-000000000000"
        let sender = PushSender(
            identity: PushIdentity(key: P256.Signing.PrivateKey(), contact: "mailto:a@example.org"),
            reach: .machine,
            timeLimit: .testDeadline,
            trustRoots: roots,
            now: { 1_800_000_000 }
        )
        let subscription = PushSubscription(
            id: try #require(PushSubscriptionID(id)),
            device: try #require(DeviceID(id)),
            endpoint: endpoint,
            receiver: try PushReceiver(p256dh: keys.p256dh, auth: keys.auth)
        )
        return try await sender.send(
            Data("x".utf8),
            to: subscription,
            secondsToLive: 60,
            topic: "t"
        )
    }
}
