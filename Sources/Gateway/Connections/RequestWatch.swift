// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import Threads

/// Watches the requests of a connection, or of one stream of HTTP/2: bodies that hardly come and answers that nobody reads end it.
///
/// Only the time counts in which we wait for the peer: a body that we are not ready to take costs its sender nothing. An open
/// socket has signs of life of its own.
final class RequestWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionLimits
    private var guardian: ConnectionGuard?
    /// Only where HTTP/1.1 is spoken.
    private var bounds: RequestBounds?
    private var isStream = false
    /// Whether the connection may have this stream, too; `nil` until it was asked.
    private var isLetIn: Bool?
    /// Whether more was asked than may be, so that nothing is heard any more.
    private var isRefused = false
    /// The body that is coming.
    private var body: BodyProgress?
    private var bodyCheck: RepeatedTask?
    private var unread: Scheduled<Void>?
    /// Raised when nobody is there any more who could read an answer.
    let hasLeft = Latch()

    init(_ limits: ConnectionLimits) {
        self.limits = limits
    }

    func handlerAdded(context: ChannelHandlerContext) {
        guardian = Self.guardian(in: context.pipeline)
        bounds = Self.bounds(in: context.pipeline)
        HeadRules.add(to: context.pipeline)
        guard guardian == nil, let connection = context.channel.parent else { return }
        // A stream of HTTP/2: the guard stands in the pipeline of its connection, which is on the same loop.
        isStream = true
        guardian = Self.guardian(in: connection.pipeline)
    }

    /// Puts bounds in front of the decoder; `nil` where there is none: on HTTP/2.
    private static func bounds(in pipeline: ChannelPipeline) -> RequestBounds? {
        do {
            let decoder = try pipeline.syncOperations.handler(
                type: ByteToMessageHandler<HTTPRequestDecoder>.self
            )
            let bounds = RequestBounds()
            try pipeline.syncOperations.addHandler(bounds, position: .before(decoder))
            return bounds
        } catch {
            return nil
        }
    }

    /// What tells that the client of a connection, or of a stream, has left; `nil` on one without a watch.
    static func departure(from channel: any Channel) async throws -> Latch? {
        try await channel.eventLoop.submit {
            do {
                return try channel.pipeline.syncOperations.handler(type: RequestWatch.self).hasLeft
            } catch ChannelPipelineError.notFound {
                return nil
            }
        }.get()
    }

    private static func guardian(in pipeline: ChannelPipeline) -> ConnectionGuard? {
        do {
            return try pipeline.syncOperations.handler(type: ConnectionGuard.self)
        } catch {
            // It stands in another pipeline.
            return nil
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        hasLeft.raise()
        end()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Whoever leaves only ends its own side first: that the other one is gone, too, shows when we write. On a stream of
        // HTTP/2 it is how a request ends.
        if case ChannelEvent.inputClosed = event, !isStream { hasLeft.raise() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        hasLeft.raise()
        end()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // With TLS it takes a while until a connection is closed.
        guard !isRefused else { return }
        switch unwrapInboundIn(data) {
        case .head(let request):
            guard isWelcome() else {
                isRefused = true
                bounds?.stop()
                return context.close(promise: nil)
            }
            bounds?.headCame(request)
            body = BodyProgress(limits)
            watchBody(context)
        case .body(let bytes): body?.came(bytes.readableBytes, at: .now())
        case .end:
            bounds?.requestEnded()
            endBody()
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        body?.waits(since: .now())
        context.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let answer) where answer.status == .switchingProtocols:
            bounds?.becomeTunnel()
            endBody()
        case .end: guardian?.answerEnded(isNextBegun: bounds?.hasBegunHead ?? false)
        default: break
        }
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        unread?.cancel()
        unread = nil
        if !context.channel.isWritable {
            let bound = NIOLoopBound((watch: self, context: context), eventLoop: context.eventLoop)
            unread = context.eventLoop.scheduleTask(in: TimeAmount(limits.answerUnread)) {
                bound.value.watch.guardian?.closes(for: .unread)
                bound.value.context.close(promise: nil)
            }
        }
        context.fireChannelWritabilityChanged()
    }

    /// Whether the request may come in: of a connection only so many at once.
    private func isWelcome() -> Bool {
        guard let guardian, guardian.headCame(onStream: isStream) else { return guardian == nil }
        guard isStream else { return true }
        let isLetIn = self.isLetIn ?? guardian.streamBegan()
        self.isLetIn = isLetIn
        return isLetIn
    }

    private func watchBody(_ context: ChannelHandlerContext) {
        guard bodyCheck == nil else { return }
        let bound = NIOLoopBound((watch: self, context: context), eventLoop: context.eventLoop)
        let pause = TimeAmount(limits.bodyGrace / 4)
        bodyCheck = context.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in
            let (watch, context) = bound.value
            guard watch.body?.isTooSlow(at: .now()) ?? false else { return }
            watch.guardian?.closes(for: .body)
            context.close(promise: nil)
        }
    }

    private func endBody() {
        body = nil
        bodyCheck?.cancel()
        bodyCheck = nil
    }

    private func end() {
        endBody()
        unread?.cancel()
        unread = nil
        if isLetIn == true { guardian?.streamEnded() }
        isLetIn = false
        guardian = nil
        bounds = nil
    }
}

/// How a body comes: a value without a clock.
struct BodyProgress: Sendable {
    private let grace: TimeAmount
    private let bytesPerSecond: Int
    private var bytes = 0
    /// Time in which we were ready for bytes and none came.
    private var waited = TimeAmount.zero
    private var waitingSince: NIODeadline?

    init(_ limits: ConnectionLimits) {
        grace = TimeAmount(limits.bodyGrace)
        bytesPerSecond = limits.bodyBytesPerSecond
    }

    /// We are ready for more.
    mutating func waits(since now: NIODeadline) {
        waitingSince = waitingSince ?? now
    }

    /// Bytes are there.
    mutating func came(_ count: Int, at now: NIODeadline) {
        bytes += count
        if let since = waitingSince { waited = waited + (now - since) }
        waitingSince = nil
    }

    /// Whether the peer let us wait for longer than its bytes are worth.
    func isTooSlow(at now: NIODeadline) -> Bool {
        let all = waited + (waitingSince.map { now - $0 } ?? .zero)
        return all > grace + .seconds(Int64(bytes / bytesPerSecond))
    }
}
