// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Hummingbird
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import Gateway

/// A door with the sockets that the Python peer speaks to.
private func socketDoor(
    isTLS: Bool = false,
    adjust: (inout GatewayLimits) -> Void = { _ in }
) throws -> TestDoor {
    let test = try TestDoor(isTLS: isTLS, adjust: adjust)
    let router = test.door.router
    router.get("/plain") { _, _ in "plain" }
    router.post("/body") { request, _ in
        String(buffer: try await request.body.collect(upTo: 100))
    }
    router.socket("/echo", limits: \.camera) { _, _ in
    } handler: { connection, _ in
        for await message in connection.messages {
            switch message {
            case .text("problem"): throw Problem(.forbidden, detail: "not this one")
            case .text("crash"): throw CocoaError(.fileNoSuchFile)
            case .text("done"): return
            case .text(let text): try await connection.send(text: text)
            case .binary(let bytes): try await connection.send(binary: bytes)
            }
        }
    }
    router.socket("/private") { _, context in
        let principal = try context.signedIn()
        try principal.require([.operator])
        return principal
    } handler: { connection, principal in
        try await connection.send(text: principal.org)
    }
    router.socket("/feed") { _, _ in
    } handler: { connection, _ in
        for number in 0..<2000 {
            try await connection.send(text: "\(number) " + String(repeating: "x", count: 1000))
        }
        for await _ in connection.messages {}
    }
    return test
}

private func peer(_ scenario: String, _ port: Int, ca: String? = nil) async throws -> String {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "peer.py")
    return try await run(
        "python3",
        [script.path, scenario, String(port)] + (ca.map { [$0] } ?? [])
    )
    .trimmingCharacters(in: .newlines)
}

@Suite(.timeLimit(.minutes(10))) struct `A WebSocket` {
    @Test(arguments: [("echo", "same"), ("fragments", "joined"), ("feed", "in order")])
    func `carries messages of every size and shape`(scenario: String, seen: String) async throws {
        let answer = try await withServer(try socketDoor()) { port, _ in
            try await peer(scenario, port)
        }
        #expect(answer == "\"\(seen)\"")
    }

    @Test(arguments: [
        ("big", 1009), ("bigfragments", 1009), ("utf8", 1007), ("unmasked", 1002),
        ("reserved", 1002), ("opcode", 1002), ("continuation", 1002), ("interleaved", 1002),
        ("longping", 1002), ("closecode", 1002), ("problem", 1008), ("crash", 1011), ("done", 1000),
    ])
    func `closes with the code that names the fault`(fault: String, code: Int) async throws {
        let answer = try await withServer(try socketDoor()) { port, _ in
            try await peer(fault, port)
        }
        #expect(answer.hasPrefix("[\(code), "), "\(answer)")
    }

    @Test func `that is refused answers with a problem and closes`() async throws {
        let answer = try await withServer(try socketDoor()) { port, _ in
            try await peer("refused", port)
        }
        let type = "urn:daybook:problem:"
        #expect(
            answer == """
                [[401, "\(type)unauthorized", "close"], [404, "\(type)unknown-route", "close"], \
                [426, "\(type)upgrade-required", "websocket"]]
                """
        )
    }

    @Test func `opens on a connection that served requests before`() async throws {
        let answer = try await withServer(try socketDoor()) { port, _ in
            try await peer("reused", port)
        }
        #expect(answer == "[200]")
    }

    @Test func `does not come of a request with a body`() async throws {
        let answer = try await withServer(try socketDoor()) { port, _ in
            try await peer("posted", port)
        }
        #expect(answer == "[200, \"hello\"]")
    }

    @Test func `is kept while its peer answers pings, and given up when it is silent`() async throws
    {
        let test = try socketDoor()
        let clock = Mutex(ContinuousClock.now)
        let wait = { @Sendable (time: Duration) in clock.withLock { $0 += time } }
        var limits = GatewayLimits().socket
        limits.pingInterval = .milliseconds(20)
        limits.now = { clock.withLock { $0 } }
        let nearly = limits.silence - .seconds(5)
        let pinged: @Sendable (WebSocketLimits) -> WebSocketLimits = { [limits] _ in limits }
        let rounds = Mutex(0)
        test.door.router.socket("/pinged", limits: pinged) { _, _ in
        } handler: { connection, _ in
            for _ in 0..<3 {
                wait(nearly)
                try await connection.confirmReceipt()
                rounds.withLock { $0 += 1 }
            }
            try await connection.send(text: "enough")
            // Answers that are on their way may still come.
            try await eventually("the silent peer is given up") {
                wait(nearly)
                return connection.closure != nil
            }
        }
        let answer = try await withServer(test) { port, _ in try await peer("pings", port) }
        #expect(answer == "\"given up\"")
        #expect(rounds.withLock { $0 } == 3)
    }

    @Test func `tells its peer when the gateway stops`() async throws {
        let test = try socketDoor()
        let (opened, didOpen) = AsyncStream.makeStream(of: Void.self)
        test.door.router.socket("/told") { _, _ in
        } handler: { connection, _ in
            didOpen.yield()
            for await _ in connection.messages {}
        }
        let answer = try await withServer(test) { port, stop in
            async let answer = peer("stopping", port)
            for await _ in opened { break }
            await stop()
            return try await answer
        }
        #expect(answer == "[1001, \"the gateway is stopping\"]")
    }

    @Test func `takes a token in any of four places, but no cookie from another site`()
        async throws
    {
        let test = try socketDoor()
        let token = try await test.token()
        let answer = try await withServer(test) { port, _ in
            let script = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "peer.py").path
            return try await run(
                "sh",
                ["-c", "echo \(token) | python3 \(script) tokens \(port)"]
            )
        }
        #expect(
            answer == """
                ["centre", "centre", "centre", "centre", 403, \
                "urn:daybook:problem:cross-origin"]\n
                """
        )
    }

    @Test func `lets a handler go when its peer takes nothing more`() async throws {
        let test = try socketDoor()
        let (ends, end) = AsyncStream.makeStream(of: WebSocketClosure?.self)
        var limits = GatewayLimits().socket
        limits.pingInterval = .milliseconds(20)
        limits.silence = .milliseconds(300)
        let flooded: @Sendable (WebSocketLimits) -> WebSocketLimits = { [limits] _ in limits }
        test.door.router.socket("/flood", limits: flooded) { _, _ in
        } handler: { connection, _ in
            let mebibyte = ByteBuffer(repeating: 0, count: 1 << 20)
            do {
                while true { try await connection.send(binary: mebibyte) }
            } catch {
                end.yield(connection.closure)
            }
        }
        let closure = try await withServer(test) { port, _ in
            let script = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "peer.py").path
            let peer = Process()
            peer.executableURL = URL(filePath: "/usr/bin/env")
            peer.arguments = ["python3", script, "deaf", String(port)]
            let input = Pipe()
            peer.standardInput = input
            peer.standardOutput = FileHandle.nullDevice
            try peer.run()
            var iterator = ends.makeAsyncIterator()
            let closure = await iterator.next()
            input.fileHandleForWriting.write(Data("ended\n".utf8))
            return closure
        }
        #expect(closure??.code == .lost)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A server with TLS` {
    @Test(arguments: [
        ("echo", "same"), ("fragments", "joined"),
        ("http2", "urn:daybook:problem:upgrade-required"),
    ])
    func `carries WebSockets, and offers HTTP/2`(scenario: String, seen: String) async throws {
        let test = try socketDoor(isTLS: true)
        let files = try await selfSignedCertificate(in: test.folder)
        let answer = try await withServer(test, tls: files) { port, _ in
            try await peer(scenario, port, ca: files.certificateChain)
        }
        #expect(answer == "\"\(seen)\"")
    }
}
