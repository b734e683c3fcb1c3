// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import NIOCore
import TestSupport
import Testing

@testable import Gateway

@Suite struct `An upload gate` {
    @Test func `lets a few in at once, refuses one more, and lets the next in when one is out`()
        async throws
    {
        let gate = UploadGate(most: 2, ofSender: 2)
        let answer = try await gate.pass(of: "a") {
            try await gate.pass(of: "b") {
                let refused = await #expect(throws: Problem.self) {
                    try await gate.pass(of: "c") {}
                }
                #expect(refused?.type == .unavailable)
                return 1
            } + gate.pass(of: "c") { 2 }
        }
        #expect(answer == 3)
    }

    @Test func `lets in fewer of one sender, whoever else sends`() async throws {
        let gate = UploadGate(most: 8, ofSender: 2)
        let answer = try await gate.pass(of: "slow") {
            try await gate.pass(of: "slow") {
                let refused = await #expect(throws: Problem.self) {
                    try await gate.pass(of: "slow") {}
                }
                #expect(refused?.type == .tooManyRequests)
                return try await gate.pass(of: "other") { 1 }
            } + gate.pass(of: "slow") { 2 }
        }
        #expect(answer == 3)
    }

    @Test func `counts work that failed as over`() async throws {
        struct Broken: Error {}
        let gate = UploadGate(most: 1, ofSender: 1)
        await #expect(throws: Broken.self) { try await gate.pass(of: "a") { throw Broken() } }
        #expect(try await gate.pass(of: "a") { true })
    }
}

@Suite struct `A body that has a time` {
    @Test func `is refused when it does not come whole`() async throws {
        let (parts, sender) = AsyncStream.makeStream(of: ByteBuffer.self)
        sender.yield(ByteBuffer(string: "beginning"))
        let body = RequestBody(asyncSequence: parts)
        let refused = await #expect(throws: Problem.self) {
            _ = try await body.collect(upTo: 100, within: .milliseconds(10))
        }
        #expect(refused?.type.status == .requestTimeout)
    }

    @Test func `is answered while the rest is still to come, and its connection ends`() async throws
    {
        let server = try TestDoor()
        server.door.router.post("/slow") { request, _ in
            _ = try await request.body.collect(upTo: 100, within: .milliseconds(20))
            return Response(status: .ok)
        }
        try await withServer(server) { port, _ in
            let answer = try await run(
                "python3",
                [
                    "-c",
                    """
                    import socket
                    door = socket.create_connection(("127.0.0.1", \(port)), \(Duration.testDeadline.components.seconds))
                    door.sendall(b"POST /slow HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 9\\r\\n\\r\\nbody")
                    print(b"".join(iter(lambda: door.recv(4096), b"")).decode())
                    """,
                ]
            )
            #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
            #expect(answer.contains("urn:daybook:problem:body-too-slow"))
        }
    }

    @Test func `is whole when it comes in time, and refused when it is too large`() async throws {
        let body = RequestBody(buffer: ByteBuffer(string: "whole"))
        let read = try await body.collect(upTo: 5, within: .testDeadline)
        #expect(read == ByteBuffer(string: "whole"))
        await #expect(throws: NIOTooManyBytesError.self) {
            _ = try await body.collect(upTo: 4, within: .testDeadline)
        }
    }
}
