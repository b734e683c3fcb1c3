// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOTLS

/// Hands the datagrams of a socket to the endpoint.
final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let endpoint: SIPEndpoint
    private let socket: UInt64

    init(_ endpoint: SIPEndpoint, _ socket: UInt64) {
        self.endpoint = endpoint
        self.socket = socket
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let datagram = unwrapInboundIn(data)
        let bytes = Array(datagram.data.readableBytesView)
        endpoint.assumeIsolated { [socket] in
            $0.datagramCame(bytes, from: datagram.remoteAddress, on: socket)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An ICMP answer to one peer's datagram; the socket serves the others.
    }
}

/// Cuts what a connection sends into messages for the endpoint, and closes the connection that is broken, slow or idle.
final class StreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let endpoint: SIPEndpoint
    private let socket: UInt64
    private let messageWithin: TimeAmount
    private let idleMax: TimeAmount
    private var framer = SIPStreamFramer()
    private var deadline: Scheduled<Void>?
    /// Whether the deadline is that of a message that has begun.
    private var isInMessage = false
    /// Bytes of the framer that the endpoint counts.
    private var counted = 0

    init(_ endpoint: SIPEndpoint, _ socket: UInt64, messageWithin: TimeAmount, idleMax: TimeAmount)
    {
        self.endpoint = endpoint
        self.socket = socket
        self.messageWithin = messageWithin
        self.idleMax = idleMax
    }

    func handlerAdded(context: ChannelHandlerContext) {
        setDeadline(messageWithin, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        endpoint.assumeIsolated { [socket, counted] in _ = $0.holds(-counted, on: socket) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        framer.append(unwrapInboundIn(data).readableBytesView)
        do {
            var hasFrame = false
            while let frame = try framer.next() {
                hasFrame = true
                let stays = endpoint.assumeIsolated { [socket] in
                    $0.frameCame(frame, on: socket)
                }
                guard stays else { return context.close(promise: nil) }
            }
            let more = framer.count - counted
            counted += more
            let fits = endpoint.assumeIsolated { [socket] in $0.holds(more, on: socket) }
            guard fits else { return context.close(promise: nil) }
            watch(hasFrame: hasFrame, context)
        } catch {
            let begun = framer.begun
            endpoint.assumeIsolated { [socket] in $0.streamBroke(begun, on: socket, error) }
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// A message that has begun has one deadline, however its bytes trickle.
    private func watch(hasFrame: Bool, _ context: ChannelHandlerContext) {
        guard hasFrame || framer.isInMessage != isInMessage else { return }
        isInMessage = framer.isInMessage
        setDeadline(isInMessage ? messageWithin : idleMax, context)
    }

    private func setDeadline(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: time) {
            bound.value.close(promise: nil)
        }
    }
}

/// Tells when a connection of ours has agreed on its keys, or why it has not.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let ready: EventLoopPromise<Void>
    private let within: TimeAmount
    private var deadline: Scheduled<Void>?

    init(_ ready: EventLoopPromise<Void>, within: TimeAmount) {
        self.ready = ready
        self.within = within
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: within) { bound.value.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        ready.fail(ChannelError.eof)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent {
            ready.succeed()
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        ready.fail(error)
        context.close(promise: nil)
    }
}
