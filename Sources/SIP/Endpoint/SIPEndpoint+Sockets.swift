// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import NIOSSL

extension SIPEndpoint {
    func listen(_ listener: Listener) async throws {
        let channel =
            switch listener.transport {
            case .udp: try await bindDatagrams(listener)
            case .tcp, .tls: try await bindStreams(listener)
            }
        listeners.append(channel)
    }

    private func bindDatagrams(_ listener: Listener) async throws -> any Channel {
        lastSocket += 1
        let id = lastSocket
        let channel = try await DatagramBootstrap(group: loop)
            .channelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(capacity: Self.datagramBytesMax)
            )
            .channelOption(.socketOption(.so_rcvbuf), value: Self.receivedBytesMax)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(DatagramHandler(self, id))
                }
            }
            .bind(host: listener.host, port: listener.port).get()
        let peer = SIPPeer(.udp, host: "", port: 0, connection: id)
        sockets[id] = Socket(channel: channel, peer: peer, isConnection: false)
        return channel
    }

    private func bindStreams(_ listener: Listener) async throws -> any Channel {
        let isSecure = listener.transport == .tls
        precondition(!isSecure || listener.tls != nil, "a listener of TLS needs a certificate")
        return try await ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let id = self.assumeIsolated {
                        $0.take(channel, listener.transport, counted: true)
                    }
                    guard let id else { throw SendError.full }
                    if isSecure, let tls = listener.tls {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLServerHandler(context: tls)
                        )
                    }
                    try self.addStreamHandler(channel, id)
                }
            }
            .bind(host: listener.host, port: listener.port).get()
    }

    private nonisolated func addStreamHandler(_ channel: any Channel, _ id: UInt64) throws {
        let handler = StreamHandler(
            self,
            id,
            messageWithin: TimeAmount(configuration.messageWithin),
            idleMax: TimeAmount(configuration.idleMax)
        )
        try channel.syncOptions?.setOption(
            .writeBufferWaterMark,
            value: .init(low: configuration.unreadBytesMax / 2, high: configuration.unreadBytesMax)
        )
        try channel.pipeline.syncOperations.addHandler(handler)
    }

    /// Gives a connection its number, or `nil` when it is one too many; those that the other end made are counted.
    private func take(
        _ channel: any Channel,
        _ transport: SIPTransport,
        counted isCounted: Bool,
        dialled: SIPPeer? = nil
    ) -> UInt64? {
        guard !isClosed, let address = channel.remoteAddress, let host = address.plainHost,
            !isCounted || admits(host)
        else {
            statisticsSoFar.connectionsRefused += 1
            return nil
        }
        // Who is named later, or no more, is counted as it came.
        let isStranger = isCounted && !configuration.limits(host).isNamed
        if isStranger { strangers += 1 }
        lastSocket += 1
        let id = lastSocket
        let peer = SIPPeer(transport, host: host, port: address.port ?? 0, connection: id)
        sockets[id] = Socket(channel: channel, peer: peer, isConnection: true, dialled: dialled)
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.assumeIsolated { $0.ended(id, counted: isCounted, isStranger: isStranger) }
        }
        return id
    }

    private func admits(_ host: String) -> Bool {
        let isNamed = configuration.limits(host).isNamed
        return (isNamed || strangers < configuration.connectionsMax)
            && peers.connects(host, at: .now)
    }

    private func ended(_ id: UInt64, counted isCounted: Bool, isStranger: Bool) {
        guard let socket = sockets.removeValue(forKey: id) else { return }
        if isStranger { strangers -= 1 }
        if isCounted { peers.disconnects(socket.peer.host, at: .now) }
        for (key, waiter) in waiting where waiter.socket == id {
            finish(key, .failure(.connectionEnded))
        }
    }

    /// The socket that a request to this peer leaves by.
    func reach(_ peer: SIPPeer) async throws -> (SIPPeer, any Channel) {
        if let id = peer.connection, let socket = sockets[id] { return (peer, socket.channel) }
        // A connection of the other end's is gone for good: its port is none that listens.
        guard peer.connection == nil || peer.transport == .udp else {
            throw SendError.connectionEnded
        }
        let known = sockets.filter { _, socket in
            guard socket.peer.transport == .udp, peer.transport == .udp else {
                // One that the other end made is reached by the address and port that it came from, while it lasts.
                return socket.dialled == peer
                    || (peer.transport, peer.host, peer.port)
                        == (socket.peer.transport, socket.peer.host, socket.peer.port)
            }
            return socket.channel.address(of: peer) != nil
        }.min { $0.key < $1.key }
        var reached = peer
        if let (id, socket) = known {
            reached.connection = id
            return (reached, socket.channel)
        }
        let (id, channel) = try await connect(peer)
        reached.connection = id
        return (reached, channel)
    }

    private func connect(_ peer: SIPPeer) async throws -> (UInt64, any Channel) {
        func failed(_ reason: String) -> SendError {
            .unreachable(peer.host, port: peer.port, reason: reason)
        }
        guard peer.transport != .udp else { throw failed("no socket of UDP reaches it") }
        let tls = peer.transport == .tls ? configuration.clientTLS : nil
        guard peer.transport == .tcp || tls != nil else { throw failed("TLS is not set up") }
        let name = (try? SocketAddress(ipAddress: peer.host, port: 0)) == nil ? peer.host : nil
        do {
            let bootstrap = ClientBootstrap(group: loop)
                .connectTimeout(TimeAmount(configuration.connectWithin))
            let channel: any Channel
            if let tls {
                let within = TimeAmount(configuration.connectWithin)
                let ready = loop.makePromise(of: Void.self)
                let connected = bootstrap.channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = try NIOSSLClientHandler(context: tls, serverHostname: name)
                        try channel.pipeline.syncOperations.addHandlers([
                            handler, HandshakeHandler(ready, within: within),
                        ])
                    }
                }.connect(host: peer.host, port: peer.port)
                connected.cascadeFailure(to: ready)
                try await ready.futureResult.get()
                channel = try await connected.get()
            } else {
                channel = try await bootstrap.connect(host: peer.host, port: peer.port).get()
            }
            guard let id = take(channel, peer.transport, counted: false, dialled: peer) else {
                channel.close(promise: nil)
                throw SendError.full
            }
            try addStreamHandler(channel, id)
            return (id, channel)
        } catch let error as SendError {
            throw error
        } catch {
            throw failed("\(error)")
        }
    }

    /// Bytes that one datagram can have.
    private static let datagramBytesMax = 65_536
    /// Bytes of datagrams that the system holds while the loop is busy; it may grant less.
    private static let receivedBytesMax: SocketOptionValue = 4 << 20
}

extension SocketAddress {
    /// The address as text; one of IPv4 without what a socket of both kinds puts before it.
    var plainHost: String? {
        guard let host = ipAddress else { return nil }
        let isMapped = host.hasPrefix("::ffff:") && host.utf8.contains(UInt8(ascii: "."))
        return isMapped ? String(host.dropFirst(7)) : host
    }
}

extension Channel {
    /// A peer's address as this socket for datagrams wants it; `nil` where it does not reach the peer.
    func address(of peer: SIPPeer) -> SocketAddress? {
        guard let local = localAddress,
            let address = try? SocketAddress(ipAddress: peer.host, port: peer.port)
        else { return nil }
        if local.protocol == address.protocol { return address }
        guard local.ipAddress == "::" else { return nil }
        return try? SocketAddress(ipAddress: "::ffff:" + peer.host, port: peer.port)
    }
}
