// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10)) struct `The table of connections` {
    private static let limits = {
        var limits = ConnectionLimits()
        (limits.inAll, limits.ofAddress, limits.strangersOfAddress) = (4, 3, 2)
        return limits
    }()

    @Test func `lets so many of an address in, and fewer that have asked for nothing`() throws {
        let table = ConnectionTable(Self.limits)
        let first = try #require(table.enter("a") {})
        let second = try #require(table.enter("a") {})
        #expect(table.enter("a") {} == nil, "two strangers of one address are enough")
        table.asked(first)
        let third = try #require(table.enter("a") {})
        table.asked(second)
        table.asked(third)
        #expect(table.enter("a") {} == nil, "three connections of one address are enough")
        #expect(table.enter("b") {} != nil)
        table.leave(first)
        #expect(table.enter("a") {} != nil)
        #expect(table.closed == ["strangers_of_address": 1, "address": 1])
    }

    @Test func `sends away the stranger that waited longest, and nobody who has asked`() throws {
        let table = ConnectionTable(Self.limits)
        let ended = Mutex<[String]>([])
        func enter(_ name: String) -> ConnectionTable.Place? {
            table.enter(name) { ended.withLock { $0.append(name) } }
        }
        let known = try #require(enter("a"))
        table.asked(known)
        for name in ["b", "c", "d"] { _ = try #require(enter(name)) }
        for name in ["e", "f"] { #expect(enter(name) != nil) }
        #expect(ended.withLock { $0 } == ["b", "c"])
        #expect(table.closed == ["made_room": 2])
    }

    @Test func `takes nobody in where all who are there have asked`() throws {
        let table = ConnectionTable(Self.limits)
        for name in ["a", "b", "c", "d"] { table.asked(try #require(table.enter(name) {})) }
        #expect(table.enter("e") {} == nil)
        #expect(table.closed == ["full": 1])
    }

    @Test func `forgets who has left`() throws {
        let table = ConnectionTable(Self.limits)
        for _ in 0..<5_000 {
            let place = try #require(table.enter("a") {})
            table.leave(place)
        }
        #expect(table.counts.all == 0)
        #expect(table.counts.strangers == 0)
    }
}

extension ConnectionTable {
    /// Closings that happened, by their names.
    fileprivate var closed: [String: Int] {
        Dictionary(uniqueKeysWithValues: closings.map { ($0.rawValue, $1) }).filter { $1 > 0 }
    }
}

@Suite(.tags(.promise10)) struct `The quota of sockets` {
    @Test func `gives so many seats to each, and takes back what nobody holds`() throws {
        let quota = SocketQuota(ofPrincipal: 1, ofStranger: 2)
        var seats = try (0..<2).map { _ in try quota.seat(of: nil, at: "192.0.2.7") }
        let refusal = #expect(throws: Problem.self) { _ = try quota.seat(of: nil, at: "192.0.2.7") }
        #expect(refusal?.type == .tooManyRequests)
        seats.append(try quota.seat(of: nil, at: "192.0.2.8"))
        seats.removeFirst()
        seats.append(try quota.seat(of: nil, at: "192.0.2.7"))
        #expect(seats.count == 3)
    }
}

@Suite struct `The limit of descriptors` {
    @Test func `refuses to start where too few may be open, and says how many`() throws {
        try DescriptorLimit.raise(toAtLeast: 64)
        let refusal = #expect(throws: StartError.self) {
            try DescriptorLimit.raise(toAtLeast: .max)
        }
        guard case .tooFewDescriptors(let allowed, .max) = refusal else {
            Issue.record("expected too few descriptors, got \(String(describing: refusal))")
            return
        }
        #expect(allowed >= 64)
    }
}

@Suite struct `The progress of a body` {
    private static let limits = {
        var limits = ConnectionLimits()
        (limits.bodyGrace, limits.bodyBytesPerSecond) = (.seconds(20), 1_000)
        return limits
    }()

    private func time(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    @Test func `is too slow once we waited longer than the bytes are worth`() {
        var body = BodyProgress(Self.limits)
        body.waits(since: time(0))
        #expect(!body.isTooSlow(at: time(20)))
        #expect(body.isTooSlow(at: time(21)))
        body.came(10_000, at: time(15))
        body.waits(since: time(15))
        #expect(!body.isTooSlow(at: time(30)))
        #expect(body.isTooSlow(at: time(31)))
    }

    @Test func `costs the sender nothing while we are not ready`() {
        var body = BodyProgress(Self.limits)
        body.waits(since: time(0))
        body.came(1, at: time(1))
        #expect(!body.isTooSlow(at: time(3_600)))
    }
}

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A connection that does nothing good` {
    /// Short, so that a test need not wait for what a person would.
    private static func door() throws -> TestDoor {
        try TestDoor { limits in
            limits.connections.headWithin = .milliseconds(200)
            limits.connections.bodyGrace = .milliseconds(200)
            limits.connections.strangersOfAddress = 8
        }
    }

    @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "])
    func `is ended where no whole head comes`(sent: String) async throws {
        try await withServer(Self.door()) { port, _ in try await Self.untilClosed(port, sent) }
    }

    @Test func `is ended where the body does not come`() async throws {
        let door = try TestDoor { $0.connections.bodyGrace = .milliseconds(200) }
        door.door.router.post("/body") { request, _ in
            try await ByteBuffer(buffer: request.body.collect(upTo: 1_000))
        }
        let table = ConnectionTable(door.door.limits.connections)
        try await withServer(door, connections: table) { port, _ in
            try await Self.untilClosed(
                port,
                "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{"
            )
        }
        #expect(table.closed == ["body": 1])
    }

    @Test func `is ended where nobody reads the answer`() async throws {
        let door = try TestDoor { $0.connections.answerUnread = .milliseconds(200) }
        door.door.router.get("/large") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    let piece = ByteBuffer(repeating: 65, count: 1 << 20)
                    while true { try await writer.write(piece) }
                }
            )
        }
        let table = ConnectionTable(door.door.limits.connections)
        try await withServer(door, connections: table) { port, _ in
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(.autoRead, value: false)
                .connect(host: "127.0.0.1", port: port).get()
            let request = ByteBuffer(string: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            try await channel.writeAndFlush(request)
            try await eventually("the connection is closed") {
                !table.closed.isEmpty && table.counts.all == 0
            }
            try await channel.close()
        }
        #expect(table.closed == ["unread": 1])
    }

    @Test(
        arguments: [
            "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\nGET /met",
            "POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcG",
            "POST /metrics HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\nGET",
        ]
    )
    func `is ended where a head hangs behind a whole request`(sent: String) async throws {
        let door = try Self.door()
        let table = ConnectionTable(door.door.limits.connections)
        try await withServer(door, connections: table) { port, _ in
            try await Self.untilClosed(port, sent)
        }
        #expect(table.closed == ["head": 1])
    }

    @Test func `is ended by the handshake that does not come, too`() async throws {
        let folder = try TemporaryFolder()
        let files = try await selfSignedCertificate(in: folder.url)
        try await withServer(Self.door(), tls: files) { port, _ in
            try await Self.untilClosed(port, "")
            try await Self.untilClosed(port, "\u{16}\u{03}\u{01}")
        }
    }

    @Test func `is not let in beside too many of its kind`() async throws {
        try await withServer(Self.door()) { port, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<40 { group.addTask { try await Self.untilClosed(port, "") } }
                try await group.waitForAll()
            }
        }
    }

    /// Connects, sends something, and returns once the other side has closed.
    private static func untilClosed(_ port: Int, _ text: String) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel
                    )
                }
            }
        do {
            try await channel.executeThenClose { inbound, outbound in
                if !text.isEmpty { try await outbound.write(ByteBuffer(string: text)) }
                for try await _ in inbound {}
            }
        } catch {
            // Closed without a word, as it should be.
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `The certificate of the gateway` {
    @Test func `is read again when its files change, and kept where the new ones are broken`()
        async throws
    {
        let folder = try TemporaryFolder()
        let files = try await selfSignedCertificate(in: folder.url)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let certificates = try Certificates(files)
        try await withServer(TestDoor(), tls: certificates) { port, _ in
            let first = try await Self.served(at: port)
            #expect(try await Self.served(at: port) == first)
            _ = try await selfSignedCertificate(in: folder.url)
            try certificates.reload(logger, evenUnchanged: false)
            let second = try await Self.served(at: port)
            #expect(second != first)
            try Data("no certificate".utf8).write(
                to: URL(filePath: files.certificateChain)
            )
            #expect(throws: CertificateFault.self) {
                try certificates.reload(logger, evenUnchanged: false)
            }
            #expect(try await Self.served(at: port) == second)
        }
    }

    /// The certificate that a client is shown, as text.
    private static func served(at port: Int) async throws -> String {
        try await run(
            "bash",
            [
                "-c",
                "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null | openssl x509 -noout -serial",
            ]
        )
    }
}
