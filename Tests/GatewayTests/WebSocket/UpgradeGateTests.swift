// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Testing

@testable import Gateway

@Suite struct `What follows a request with Upgrade` {
    /// With a body behind its head the parser does not stop, and finds the next request of the connection.
    @Test(arguments: [HTTPRequest.Method.get, .post], [true, false])
    func `is nobody's request, whether it comes before the answer or behind it`(
        method: HTTPRequest.Method,
        isEarly: Bool
    ) throws {
        let channel = EmbeddedChannel()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([HTTP1ToHTTPServerCodec(secure: false), UpgradeGate()])
        try Self.write(method, "/me", ["host": "a", "upgrade": "x"], to: channel)
        if isEarly { try Self.write(.post, "/next", ["host": "a"], to: channel) }
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .unauthorized)))
        if !isEarly { try Self.write(.post, "/next", ["host": "a"], to: channel) }

        var seen: [String] = []
        while let part = try channel.readInbound(as: HTTPRequestPart.self) {
            switch part {
            case .head(let head): seen.append(head.path ?? "")
            case .body(let bytes): seen.append(String(buffer: bytes))
            case .end: seen.append("end")
            }
        }
        #expect(seen == ["/me", "body of /me", "end"])
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        #expect(!channel.isActive)
        _ = try? channel.finish()
    }

    /// As the parser gives a request with a body.
    private static func write(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headers: HTTPHeaders,
        to channel: EmbeddedChannel
    ) throws {
        let method = HTTPMethod(rawValue: method.rawValue)
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: "body of \(path)")))
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
    }
}
