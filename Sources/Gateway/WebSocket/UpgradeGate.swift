// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Turns one HTTP/1.1 connection into a tunnel of bytes when a route answers `101`.
///
/// It stands between the HTTP codec and the router, so that a WebSocket is an ordinary route:
/// authorised, limited, logged and refused like any other. While such a request is undecided the
/// end of its body is held back. The answer `101` swaps the codec for ``TunnelCodec``; from then
/// on the body of the request is what the peer sends, the body of the answer what the peer
/// receives, both with the back-pressure that they always had. Any other answer closes the
/// connection after it, because the HTTP parser stops for good at a request with `Upgrade`, unless
/// that has a body: whatever it finds behind the body asks nobody for anything.
final class UpgradeGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private typealias Write = (part: HTTPResponsePart, promise: EventLoopPromise<Void>?)

    private enum State {
        /// Requests and answers pass; none asked for an upgrade yet.
        case http
        /// The last request of this connection asks for an upgrade; its end waits here.
        case undecided(heldEnd: HTTPRequestPart?)
        /// The answer to that request was ordinary; the connection closes after it.
        case refusing
        /// The answer was `101`; the codec is being removed and what is written waits.
        case switching([Write])
        /// Bytes go both ways.
        case tunnel
    }

    private var state = State.http
    /// Answers that go out before the one to the request with `Upgrade`.
    private var answersOutstanding = 0
    private var holdsEnd = false
    /// Whether the request that asks for an upgrade is here as a whole.
    private var isWhole = false
    private var speaksHTTP1 = false

    func handlerAdded(context: ChannelHandlerContext) {
        do {
            _ = try context.pipeline.syncOperations.context(
                handlerType: HTTP1ToHTTPServerCodec.self
            )
            speaksHTTP1 = true
        } catch {
            // A stream of HTTP/2, which knows no upgrade.
            speaksHTTP1 = false
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        switch (state, part) {
        case (.http, .head(let request))
        where speaksHTTP1 && request.headerFields.contains(.upgrade):
            // Only a GET can open a WebSocket (RFC 6455 §4.1); the body of others ends as ever.
            holdsEnd = request.method == .get
            state = .undecided(heldEnd: nil)
            context.fireChannelRead(data)
        case (.http, .head):
            answersOutstanding += 1
            context.fireChannelRead(data)
        case (.undecided, _) where isWhole, (.refusing, _) where isWhole:
            break
        case (.undecided, .end):
            isWhole = true
            if holdsEnd { state = .undecided(heldEnd: part) } else { context.fireChannelRead(data) }
        case (.refusing, .end):
            isWhole = true
            context.fireChannelRead(data)
        default:
            context.fireChannelRead(data)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        switch (state, part) {
        case (.http, .head(var answer)) where !speaksHTTP1:
            // Fields of a connection have no place in HTTP/2 (RFC 9113 §8.2.2).
            answer.headerFields[.upgrade] = nil
            answer.headerFields[.connection] = nil
            context.write(wrapOutboundOut(.head(answer)), promise: promise)
        case (.undecided, _) where answersOutstanding > 0, (.http, _):
            if case .end = part { answersOutstanding -= 1 }
            context.write(data, promise: promise)
        case (.undecided, .head(let answer)) where answer.status == .switchingProtocols:
            state = .switching([(part, promise)])
            removeCodec(context: context)
        case (.undecided(let heldEnd), .head(let answer)) where answer.status.code >= 200:
            refuse(context: context, answer: answer, heldEnd: heldEnd, promise: promise)
        case (.refusing, .end):
            context.writeAndFlush(data, promise: promise)
            context.close(promise: nil)
        case (.switching(let waiting), _):
            state = .switching(waiting + [(part, promise)])
        default:
            context.write(data, promise: promise)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if case .switching(let waiting) = state {
            for write in waiting { write.promise?.fail(ChannelError.ioOnClosedChannel) }
            state = .tunnel
        }
        context.fireChannelInactive()
    }

    private func refuse(
        context: ChannelHandlerContext,
        answer: HTTPResponse,
        heldEnd: HTTPRequestPart?,
        promise: EventLoopPromise<Void>?
    ) {
        state = .refusing
        var answer = answer
        answer.headerFields[.connection] = "close"
        context.write(wrapOutboundOut(.head(answer)), promise: promise)
        if let heldEnd { context.fireChannelRead(wrapInboundOut(heldEnd)) }
    }

    /// Removes decoder first: it leaves in a later turn of the loop, and nothing may come
    /// between its leaving and the tunnel's arrival.
    private func removeCodec(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        let loopBound = NIOLoopBound((gate: self, context: context), eventLoop: context.eventLoop)
        do {
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            pipeline.removeHandler(decoder).whenComplete { result in
                let (gate, context) = loopBound.value
                do {
                    try result.get()
                    try gate.openTunnel(context: context)
                } catch {
                    context.close(promise: nil)
                }
            }
        } catch {
            // Only when somebody took the codec away before us: nothing can be said any more.
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }

    private func openTunnel(context: ChannelHandlerContext) throws {
        guard case .switching(let waiting) = state else { return }
        let pipeline = context.pipeline.syncOperations
        pipeline.removeHandler(try pipeline.handler(type: HTTPResponseEncoder.self), promise: nil)
        pipeline.removeHandler(
            try pipeline.handler(type: HTTP1ToHTTPServerCodec.self),
            promise: nil
        )
        try pipeline.addHandler(TunnelCodec(), position: .before(self))
        state = .tunnel
        for write in waiting {
            context.write(wrapOutboundOut(write.part), promise: write.promise)
        }
        context.flush()
    }
}
