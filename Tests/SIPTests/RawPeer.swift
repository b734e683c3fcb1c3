// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import Testing

@testable import SIP

/// A socket that knows no transactions: it sends bytes, and hears what comes.
final class RawPeer {
    private let channel: any Channel
    private let target: Int
    private let transport: SIPTransport
    private let heard: AsyncStream<[UInt8]>
    private var framer = SIPStreamFramer()

    private init(
        _ channel: any Channel,
        _ transport: SIPTransport,
        _ target: Int,
        _ heard: AsyncStream<[UInt8]>
    ) {
        self.channel = channel
        self.transport = transport
        self.target = target
        self.heard = heard
    }

    /// A socket for datagrams to that port.
    static func udp(to port: Int) async throws -> RawPeer {
        let (stream, sink) = AsyncStream.makeStream(of: [UInt8].self)
        let channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(DatagramEar(sink))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return RawPeer(channel, .udp, port, stream)
    }

    /// A connection to that port.
    static func tcp(to port: Int) async throws -> RawPeer {
        let (stream, sink) = AsyncStream.makeStream(of: [UInt8].self)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(StreamEar(sink))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return RawPeer(channel, .tcp, port, stream)
    }

    var port: Int { channel.localAddress?.port ?? 0 }

    func send(_ bytes: [UInt8]) async throws {
        let buffer = channel.allocator.buffer(bytes: bytes)
        guard transport == .udp else { return try await channel.writeAndFlush(buffer) }
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: target)
        try await channel.writeAndFlush(AddressedEnvelope(remoteAddress: address, data: buffer))
    }

    /// The bytes that come next; `nil` when the other end has closed the connection.
    func bytes() async -> [UInt8]? {
        for await bytes in heard { return bytes }
        return nil
    }

    /// The message that comes next.
    func message() async throws -> SIPMessage {
        while true {
            if transport != .udp, case .message(let message, _) = try framer.next() {
                return message
            }
            let bytes = try #require(await bytes(), "the connection was closed")
            if transport == .udp { return try SIPMessage.parse(bytes) }
            framer.append(bytes)
        }
    }

    /// The status of the response that comes next; a 100 comes only where the machine is slow.
    func status() async throws -> Int {
        while case .response(let response) = try await message() {
            if response.status > 100 { return response.status }
        }
        throw SIPFault(.unsupported, at: "request")
    }

    func close() async throws {
        try await channel.close()
    }
}

private final class DatagramEar: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let sink: AsyncStream<[UInt8]>.Continuation

    init(_ sink: AsyncStream<[UInt8]>.Continuation) {
        self.sink = sink
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        sink.yield(Array(unwrapInboundIn(data).data.readableBytesView))
    }
}

private final class StreamEar: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let sink: AsyncStream<[UInt8]>.Continuation

    init(_ sink: AsyncStream<[UInt8]>.Continuation) {
        self.sink = sink
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        sink.yield(Array(unwrapInboundIn(data).readableBytesView))
    }

    func channelInactive(context: ChannelHandlerContext) {
        sink.finish()
    }
}
