// SPDX-License-Identifier: Apache-2.0
public import NIOCore
import NIOPosix
public import NIOSSL

extension SIPEndpoint {
    /// A socket to listen on.
    public struct Listener: Sendable {
        public var transport: SIPTransport
        public var host: String
        /// 0 for any free one.
        public var port: Int
        /// Certificate and key; needed for TLS.
        public var tls: NIOSSLContext?

        public init(
            _ transport: SIPTransport,
            host: String,
            port: Int,
            tls: NIOSSLContext? = nil
        ) {
            self.transport = transport
            self.host = host
            self.port = port
            self.tls = tls
        }
    }

    /// How an endpoint behaves, with all of its limits.
    public struct Configuration: Sendable {
        public var listeners: [Listener]
        /// The host that requests of ours name in their Via; `nil` for the address of the listener.
        public var name: String?
        /// What each address may ask; asked at each message, and so quick: it may change at any time.
        public var limits: @Sendable (_ host: String) -> PeerLimits = { _ in .stranger }
        /// Transactions at once; beyond it a request is answered with 503.
        public var transactionsMax = 32_768
        /// Connections of strangers at once; beyond it a new one is closed.
        public var connectionsMax = 1024
        /// Bytes of messages of strangers that have begun on all connections together; beyond it the connection that brings more is closed.
        public var begunBytesMax = 64 << 20
        /// From a message's first byte to its last on a stream, and from the connection to its first message; then it is closed.
        public var messageWithin = Duration.seconds(30)
        /// How long a connection may say nothing; then it is closed.
        public var idleMax = Duration.seconds(900)
        /// How long making a connection may take.
        public var connectWithin = Duration.seconds(3)
        /// Bytes that wait to be read by the other end of a connection; beyond it the connection is closed.
        public var unreadBytesMax = 2 * SIPLimits.bodyBytesMax
        /// Who is trusted when we connect by TLS; without it no connection is made.
        public var clientTLS: NIOSSLContext?
        public var timers = SIPTimers()
        /// Where everything of the endpoint runs.
        public var eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()
        /// Called for each message that cannot be read, with at most 64 KiB of it, on the event loop: it must not block.
        public var onMalformed: @Sendable ([UInt8], SIPPeer, SIPFault) -> Void = { _, _, _ in }
        /// Called when an accepted INVITE was acknowledged, or was not in 32 s, on the event loop: it must not block.
        public var onAcknowledgement: @Sendable (TransactionKey, ReceivedRequest?) -> Void = {
            _,
            _ in
        }

        public init(listeners: [Listener]) {
            self.listeners = listeners
        }
    }

    /// What an endpoint has and had to do.
    public struct Statistics: Hashable, Sendable {
        /// Transactions that have not ended.
        public var transactions = 0
        /// Requests that are being handled.
        public var open = 0
        public var connections = 0
        /// What the transactions counted.
        public var counts = TransactionTable.Counts()
        /// Messages that could not be read.
        public var malformed = 0
        /// Requests beyond the limits of their address, answered with 503.
        public var overLimit = 0
        /// Messages beyond the limits of their address, dropped.
        public var dropped = 0
        /// Connections that were not taken.
        public var connectionsRefused = 0
    }

    /// A socket that listens has closed by itself: the system took it; start the endpoint again.
    public struct ListenerClosed: Error, Hashable, Sendable {}

    /// Why a request got no final answer.
    public enum SendError: Error, Hashable, Sendable {
        /// None came in time.
        case noAnswer(within: Duration)
        /// The request has more bytes than a datagram of ours may have; send it over TCP or TLS.
        case tooLongForDatagram(bytes: Int)
        /// No connection could be made.
        case unreachable(String, port: Int, reason: String)
        /// The connection ended before the answer.
        case connectionEnded
        /// The request lacks From, To, Call-ID or CSeq.
        case malformed(SIPFault)
        /// As many transactions are open as may be; try again later.
        case full
        /// The endpoint is closed.
        case closed
    }
}

/// A request to be answered.
public struct SIPRequestContext: Sendable {
    public let request: SIPRequest
    public let envelope: SIPEnvelope
    /// Where it came from; a request to its sender goes there, too.
    public let peer: SIPPeer
    /// Names the request as long as it is open.
    public let key: TransactionKey
    /// Our tag in the answers.
    public let tag: String

    /// An answer to the request.
    public func response(
        _ status: Int,
        reason: String? = nil,
        fields: HeaderFields = [],
        body: [UInt8] = []
    ) -> SIPResponse {
        SIPResponse(status, reason: reason, to: request, tag: tag, fields: fields, body: body)
    }
}
