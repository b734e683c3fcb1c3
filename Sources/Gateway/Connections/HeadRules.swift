// SPDX-License-Identifier: Apache-2.0
import Events
import NIOCore
import NIOHTTP1

/// Stands behind the decoder of HTTP/1.1 and holds heads to what can mean one thing only; tells whoever asks first whether a body
/// is wanted.
///
/// A head without one `Host` of a known form is answered with 400 and ends the connection (RFC 9112 §3.2), and so is one in which the
/// fields that lead a connection are not words of ASCII: they are compared before ``HeadGate`` sees them. The sender of
/// `Expect: 100-continue` hears 100 when somebody begins to read the body, or else the final status, after which the connection
/// ends, for nobody knows whether a body follows (RFC 9110 §10.1.1).
final class HeadRules: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Asks, from the answering side, for the body of the request that is being answered.
    struct BodyIsWanted: Sendable {}

    private enum State {
        case requests
        /// A head was refused: nothing more is heard.
        case refused
        /// After a request with `Upgrade` the decoder is silent for good, and bytes may pass.
        case bytes
    }

    private var state = State.requests
    /// Of each request that is not answered whole, the oldest first: whether its sender waits with the body.
    private var waiting: [Bool] = []
    private var isClosing = false

    /// Puts rules behind the decoder of a connection; there is none on a stream of HTTP/2.
    static func add(to pipeline: ChannelPipeline) {
        do {
            let operations = pipeline.syncOperations
            let decoder = try operations.handler(
                type: ByteToMessageHandler<HTTPRequestDecoder>.self
            )
            try operations.addHandler(HeadRules(), position: .after(decoder))
        } catch {
            // HTTP/2, whose heads its own decoder judges.
            return
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .bytes: return context.fireChannelRead(data)
        case .refused: return
        case .requests: break
        }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard HostField.isSound(head), head.leadsInASCII else {
                state = .refused
                // The connection answers with 400 behind the answers that are due, and closes.
                return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
            }
            waiting.append(head.waitsWithBody)
            if head.headers.contains(name: "upgrade") { state = .bytes }
        case .body, .end:
            // The body comes unasked.
            if !waiting.isEmpty { waiting[waiting.count - 1] = false }
        }
        context.fireChannelRead(data)
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext,
        event: Any,
        promise: EventLoopPromise<Void>?
    ) {
        guard event is BodyIsWanted else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed(())
        guard waiting.first == true else { return }
        waiting[0] = false
        do {
            // In front of the encoder, which knows final answers only.
            let encoder = try context.pipeline.syncOperations.context(
                handlerType: HTTPResponseEncoder.self
            )
            let line = ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")
            encoder.writeAndFlush(NIOAny(line), promise: nil)
        } catch {
            // Without it the sender waits no longer than it likes, then sends.
            return
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .bytes = state { return context.write(data, promise: promise) }
        switch unwrapOutboundIn(data) {
        case .head(var head) where waiting.first == true:
            isClosing = true
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end where isClosing:
            context.writeAndFlush(data, promise: promise)
            context.close(promise: nil)
        case .end:
            if !waiting.isEmpty { waiting.removeFirst() }
            context.write(data, promise: promise)
        default:
            context.write(data, promise: promise)
        }
    }
}

extension HTTPRequestHead {
    /// Whether it is of HTTP/1.0, or older, which know neither host nor expectation.
    fileprivate var isOld: Bool { version.major < 1 || version.major == 1 && version.minor < 1 }

    /// Whether what decides on body and connection is made of visible ASCII, blanks and tabs, as it is defined (RFC 9110 §5.5).
    fileprivate var leadsInASCII: Bool {
        ["connection", "content-length", "expect", "transfer-encoding", "upgrade"].allSatisfy {
            headers[$0].allSatisfy { value in
                value.utf8.allSatisfy { 0x20..<0x7F ~= $0 || $0 == 0x09 }
            }
        }
    }

    /// Whether a body is announced that is sent only when it is wanted.
    fileprivate var waitsWithBody: Bool {
        guard !isOld, headers.first(name: "expect")?.lowercased() == "100-continue"
        else { return false }
        return headers.contains(name: "transfer-encoding")
            || headers.first(name: "content-length").map { $0 != "0" } ?? false
    }
}

/// The field that says which host a request is for.
enum HostField {
    /// Whether a head says it once, and in a form that has one meaning; HTTP/1.0 may leave it out.
    static func isSound(_ head: HTTPRequestHead) -> Bool {
        let hosts = head.headers["host"]
        guard let host = hosts.first else { return head.isOld }
        return hosts.count == 1 && isHost(host)
    }

    /// Whether a text is a name or an address, with a port or without (RFC 3986 §3.2.2), in the letters that such have.
    static func isHost(_ text: String) -> Bool {
        guard text.utf8.count <= 261, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return false
        }
        let end: String.Index
        if text.hasPrefix("[") {
            guard let bracket = text.firstIndex(of: "]") else { return false }
            let address = text[text.index(after: text.startIndex)..<bracket]
            guard !address.isEmpty,
                address.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
            else { return false }
            end = text.index(after: bracket)
        } else {
            end = text.firstIndex(of: ":") ?? text.endIndex
            let name = text[..<end]
            guard !name.isEmpty,
                name.allSatisfy({ $0.isLetter || $0.isNumber || "-._~".contains($0) })
            else { return false }
        }
        guard end < text.endIndex else { return true }
        let port = text[text.index(after: end)...]
        return text[end] == ":" && (port.isEmpty || NumberText.whole(port, in: 0...65_535) != nil)
    }
}
