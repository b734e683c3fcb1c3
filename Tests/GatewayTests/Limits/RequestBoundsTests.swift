// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import TestSupport
import Testing

@testable import Gateway

/// A connection without a socket, whose time is moved by hand.
@Suite(.tags(.promise10)) struct `The deadline of a head` {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab\r\n"
    private static let chunked =
        "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\na\n\r\n0\r\n\r\n"

    private final class Connection {
        let channel = EmbeddedChannel()
        let table = ConnectionTable(ConnectionLimits())

        init() throws {
            let limits = ConnectionLimits()
            let place = try #require(table.enter("a") {})
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(ConnectionGuard(limits, table, place))
            try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false)
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandler(RequestWatch(limits))
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        /// Sends bytes as one packet.
        func send(_ text: some StringProtocol) throws {
            try channel.writeInbound(ByteBuffer(string: String(text)))
        }

        /// Answers every request that came whole; how many they were.
        func answer() throws -> Int {
            var count = 0
            while let part = try channel.readInbound(as: HTTPRequestPart.self) {
                guard case .end = part else { continue }
                count += 1
                try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .noContent)))
                try channel.writeOutbound(HTTPResponsePart.end(nil))
            }
            return count
        }

        /// Whether it is open after so many seconds.
        func isOpen(after seconds: Int64) -> Bool {
            channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
            return channel.isActive
        }
    }

    @Test(arguments: [get, post, chunked], ["G", "GET / HTTP/1.1\r\nHost: a\r\n"])
    func `holds for one that hangs behind a whole request in one packet`(
        whole: String,
        hanging: String
    ) throws {
        let connection = try Connection()
        try connection.send(whole + hanging)
        #expect(try connection.answer() == 1)
        #expect(connection.isOpen(after: 9))
        #expect(!connection.isOpen(after: 2))
    }

    @Test(arguments: [get, post, chunked, get + post, post + get, get + chunked, "\r\n" + get])
    func `does not hold between requests that came whole`(whole: String) throws {
        let connection = try Connection()
        for _ in 0..<3 {
            try connection.send(whole)
            #expect(try connection.answer() > 0)
            #expect(connection.isOpen(after: 60))
        }
    }

    @Test func `is of no use to whoever sends many requests and reads nothing`() throws {
        let limits = ConnectionLimits()
        let connection = try Connection()
        try connection.send(String(repeating: Self.get, count: limits.requestsWaiting))
        #expect(connection.isOpen(after: 1))
        #expect(try connection.answer() == limits.requestsWaiting)
        try connection.send(String(repeating: Self.get, count: 10 * limits.requestsWaiting))
        #expect(!connection.isOpen(after: 1))
        let closed = connection.table.closings.filter { $1 > 0 }
        #expect(closed.map(\.0) == [.waiting] && closed.map(\.1) == [1])
    }

    @Test func `finds the same requests however the bytes are cut`() throws {
        var chance = SeededGenerator.fromEnvironment(salt: 1_100)
        let known = [Self.get, Self.post, Self.chunked]
        for _ in 0..<200 {
            let requests = (0..<5).map { _ in known[Int.random(in: 0..<3, using: &chance)] }
            let connection = try Connection()
            var rest = Substring(requests.joined())
            var answered = 0
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...40, using: &chance))
                rest = rest.dropFirst(piece.count)
                try connection.send(piece)
                answered += try connection.answer()
            }
            let words = "DAYBOOK_SEED=\(SeededGenerator.environmentSeed): \(requests)"
            #expect(answered == requests.count, "\(words)")
            #expect(connection.isOpen(after: 60), "\(words)")
        }
    }
}
