// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Speaks SIP over UDP, TCP and TLS: gives each new request to one handler, once, and sends requests.
///
/// Everything runs on one event loop, which is the actor's executor; handlers run beside it. Copies of a request are answered from
/// memory. What is malformed is reported and answered with 400 where that is possible. Every ``start(_:handler:)`` wants its
/// ``close()``.
public actor SIPEndpoint {
    /// Answers a request, anything but ACK and CANCEL.
    ///
    /// Its answer is final, 200 or more; ``SIPEndpoint/progress(_:of:)`` sends others before. It must end soon after its task is cancelled: by CANCEL, by ``close()``, or because the sender waits no more.
    public typealias Handler = @Sendable @concurrent (SIPRequestContext) async -> SIPResponse

    struct Socket {
        let channel: any Channel
        let peer: SIPPeer
        /// Whether it is a connection, not a socket for datagrams.
        let isConnection: Bool
        /// Whom we connected to, by the name that was asked for.
        var dialled: SIPPeer?
    }

    struct Waiting {
        let continuation: CheckedContinuation<SIPResponse, any Error>
        let deadline: Scheduled<Void>
        let socket: UInt64?
    }

    let configuration: Configuration
    private let handler: Handler
    nonisolated let loop: any EventLoop
    private var table: TransactionTable
    var peers: PeerTable
    var statisticsSoFar = Statistics()
    var listeners: [any Channel] = []
    var sockets: [UInt64: Socket] = [:]
    var lastSocket: UInt64 = 0
    /// Connections of strangers, and bytes of messages that have begun on any.
    var strangers = 0
    private var begunBytes = 0
    private var handling: [TransactionKey: Task<Void, Never>] = [:]
    var waiting: [TransactionKey: Waiting] = [:]
    private var alarm: (at: ContinuousClock.Instant, task: Scheduled<Void>)?
    var isClosed = false

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    private init(_ configuration: Configuration, _ handler: @escaping Handler) {
        self.configuration = configuration
        self.handler = handler
        loop = configuration.eventLoop
        table = TransactionTable(
            capacity: configuration.transactionsMax,
            timers: configuration.timers
        )
        peers = PeerTable(configuration.limits)
    }

    /// Listens on all sockets of the configuration, or on none.
    ///
    /// - Throws: What kept one from being bound.
    public static func start(
        _ configuration: Configuration,
        handler: @escaping Handler
    ) async throws -> SIPEndpoint {
        let endpoint = SIPEndpoint(configuration, handler)
        do {
            for listener in configuration.listeners { try await endpoint.listen(listener) }
        } catch {
            await endpoint.close()
            throw error
        }
        return endpoint
    }

    /// Waits until the endpoint is closed; cancelling the task closes it.
    ///
    /// - Throws: ``ListenerClosed`` when a socket that listens has closed by itself; the others are closed then, too.
    public func run() async throws {
        let ended = loop.makePromise(of: Void.self)
        for listener in listeners { listener.closeFuture.whenComplete { _ in ended.succeed() } }
        if listeners.isEmpty { ended.succeed() }
        try await withTaskCancellationHandler {
            try await ended.futureResult.get()
        } onCancel: {
            // Ends with the endpoint; what follows waits for the same.
            Task { await self.close() }
        }
        let isAsked = isClosed
        await close()
        if !isAsked { throw ListenerClosed() }
    }

    /// Stops listening, cancels what is handled and waits for its end, fails what waits for answers, and closes all connections.
    public func close() async {
        isClosed = true
        for listener in listeners { listener.close(promise: nil) }
        for task in handling.values { task.cancel() }
        while let (_, task) = handling.first { await task.value }
        for key in waiting.keys { finish(key, .failure(.closed)) }
        alarm?.task.cancel()
        let channels = listeners + sockets.values.map(\.channel)
        for channel in channels { channel.close(promise: nil) }
        for channel in channels { try? await channel.closeFuture.get() }
    }

    /// The ports that are listened on, in the order of the configuration.
    public var ports: [Int] { listeners.map { $0.localAddress?.port ?? 0 } }

    public var statistics: Statistics {
        var now = statisticsSoFar
        now.transactions = table.count
        now.open = handling.count
        now.connections = sockets.values.count { $0.isConnection }
        now.counts = table.counts
        return now
    }

    /// Sends a request and waits for the final answer.
    ///
    /// - Parameters:
    ///   - request: With From, To, Call-ID and CSeq; Via, and `Max-Forwards` if it lacks, are put in.
    ///   - peer: Where a request came from, or an address for UDP, or an address or name for a connection of ours, which is used again
    ///     as long as it lasts.
    ///   - patience: How long to wait. A datagram is repeated for 32 s even so; an answer that comes late is dropped.
    /// - Returns: An answer of 200 or more.
    /// - Throws: ``SendError``.
    public func send(
        _ request: SIPRequest,
        to peer: SIPPeer,
        within patience: Duration = .milliseconds(4000)
    ) async throws -> SIPResponse {
        guard !isClosed else { throw SendError.closed }
        let end = ContinuousClock.now + patience
        let (peer, channel) = try await reach(peer)
        let ready = stamped(request, peer, channel)
        if peer.transport == .udp, ready.bytes.count > SIPLimits.sentDatagramBytesMax {
            throw SendError.tooLongForDatagram(bytes: ready.bytes.count)
        }
        do { _ = try ready.envelope() } catch { throw SendError.malformed(error) }
        guard let (key, actions) = try? table.send(ready, to: peer, at: .now) else {
            throw SendError.full
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let left = TimeAmount(max(.zero, ContinuousClock.now.duration(to: end)))
                let deadline = loop.scheduleTask(in: left) { [weak self] in
                    guard let self else { return }
                    assumeIsolated { $0.finish(key, .failure(.noAnswer(within: patience))) }
                }
                waiting[key] = Waiting(
                    continuation: continuation,
                    deadline: deadline,
                    socket: peer.connection
                )
                perform(actions)
            }
        } onCancel: {
            // Ends as soon as the actor has run it; the continuation above is there by then.
            Task { await self.giveUp(key) }
        }
    }

    /// Sends a provisional answer, 100 to 199, to a request that is being handled.
    public func progress(_ response: SIPResponse, of context: SIPRequestContext) {
        precondition(!response.isFinal, "a final answer is what the handler returns")
        perform(table.answer(context.key, with: response, at: .now))
    }

    private func giveUp(_ key: TransactionKey) {
        waiting[key]?.deadline.cancel()
        waiting.removeValue(forKey: key)?.continuation.resume(throwing: CancellationError())
    }

    func finish(_ key: TransactionKey, _ result: Result<SIPResponse, SendError>) {
        guard let waiter = waiting.removeValue(forKey: key) else { return }
        waiter.deadline.cancel()
        waiter.continuation.resume(with: result.mapError { $0 })
    }

    private func stamped(
        _ request: SIPRequest,
        _ peer: SIPPeer,
        _ channel: any Channel
    ) -> SIPRequest {
        let own = channel.localAddress
        let address = own?.ipAddress ?? "0.0.0.0"
        let via = Via(
            transport: peer.transport.rawValue,
            host: configuration.name ?? (address.utf8.contains(.colon) ? "[\(address)]" : address),
            port: own?.port,
            parameters: [SIPParameter("branch", "z9hG4bK\(Self.random())"), SIPParameter("rport")]
        )
        var request = request
        request.fields.prepend(HeaderField("Via", via.description))
        if request.fields["Max-Forwards"] == nil {
            request.fields.append(HeaderField("Max-Forwards", "70"))
        }
        return request
    }

    /// 128 bits of chance as letters and digits.
    private static func random() -> String {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    }
}

// MARK: What came

extension SIPEndpoint {
    func datagramCame(_ bytes: [UInt8], from address: SocketAddress, on socket: UInt64) {
        guard !isClosed, let host = address.plainHost, let port = address.port else { return }
        let peer = SIPPeer(.udp, host: host, port: port, connection: socket)
        // Empty lines and zeros keep a way through a NAT open.
        let isEmpty = bytes.allSatisfy { $0 == 0 || $0 == .carriageReturn || $0 == .lineFeed }
        guard takesMessage(from: peer), !isEmpty else { return }
        do {
            messageCame(try SIPMessage.parse(bytes), bytes, from: peer)
        } catch {
            malformedCame(bytes, from: peer, error)
        }
    }

    /// - Returns: Whether the connection stays.
    func frameCame(_ frame: SIPStreamFramer.Frame, on socket: UInt64) -> Bool {
        guard !isClosed, let peer = sockets[socket]?.peer, takesMessage(from: peer) else {
            return false
        }
        switch frame {
        case .ping: transmit([.carriageReturn, .lineFeed], to: peer)
        case .message(let message, let bytes): messageCame(message, bytes, from: peer)
        case .malformed(let bytes, let fault): malformedCame(bytes, from: peer, fault)
        }
        return true
    }

    /// Counts bytes that a connection holds more, or less.
    ///
    /// - Returns: Whether there is room for them.
    func holds(_ more: Int, on socket: UInt64) -> Bool {
        begunBytes += more
        guard more > 0, begunBytes > configuration.begunBytesMax, let peer = sockets[socket]?.peer
        else { return true }
        let isNamed = configuration.limits(peer.host).isNamed
        if !isNamed { statisticsSoFar.dropped += 1 }
        return isNamed
    }

    func streamBroke(_ begun: [UInt8], on socket: UInt64, _ fault: SIPFault) {
        guard !isClosed, let peer = sockets[socket]?.peer else { return }
        malformedCame(begun, from: peer, fault)
    }

    private func takesMessage(from peer: SIPPeer) -> Bool {
        let takes = peers.takesMessage(from: peer.host, at: .now)
        if !takes { statisticsSoFar.dropped += 1 }
        return takes
    }

    private func messageCame(_ message: SIPMessage, _ bytes: [UInt8], from peer: SIPPeer) {
        switch message {
        case .response(let response): perform(table.receive(response, at: .now))
        case .request(let request):
            do {
                requestCame(try ReceivedRequest(request, from: peer))
            } catch {
                malformedCame(bytes, from: peer, error)
            }
        }
    }

    private func requestCame(_ came: ReceivedRequest) {
        let now = ContinuousClock.now
        let tag = Self.random()
        if table.isNew(came), came.request.method != .cancel,
            !peers.begins(came.peer.host, at: now)
        {
            statisticsSoFar.overLimit += 1
            let fields: HeaderFields = [HeaderField("Retry-After", "5")]
            let response = SIPResponse(503, to: came.request, tag: tag, fields: fields)
            return transmit(response.bytes, to: came.peer.answering(came.envelope.via))
        }
        let before = table.counts.refused
        perform(table.receive(came, tag: tag, at: now))
        if table.counts.refused > before, came.request.method != .cancel {
            peers.ended(came.peer.host, at: now)
        }
    }

    private func malformedCame(_ bytes: [UInt8], from peer: SIPPeer, _ fault: SIPFault) {
        statisticsSoFar.malformed += 1
        configuration.onMalformed(Array(bytes.prefix(SIPLimits.headBytesMax)), peer, fault)
        guard var request = SIPRequest.salvage(bytes),
            let text = request.fields.values("Via").first,
            let via = Via.salvage(text)
        else { return }
        if let whole = try? Via.parse(text) {
            request.fields.replaceFirstValue("Via", with: whole.received(from: peer).description)
        }
        let response = SIPResponse(fault.status, to: request, tag: Self.random())
        transmit(response.bytes, to: peer.answering(via))
    }
}

// MARK: What is to be done

extension SIPEndpoint {
    private func perform(_ actions: [TransactionAction]) {
        for action in actions {
            switch action {
            case .send(let bytes, let peer): transmit(bytes, to: peer)
            case .handle(let key, let came, let tag): handle(key, came, tag)
            case .cancelled(let key), .abandoned(let key): handling[key]?.cancel()
            case .acknowledged(let key, let came): configuration.onAcknowledgement(key, came)
            case .unacknowledged(let key): configuration.onAcknowledgement(key, nil)
            case .answered(let key, let response):
                if response.isFinal { finish(key, .success(response)) }
            case .timedOut(let key):
                finish(key, .failure(.noAnswer(within: configuration.timers.patience)))
            }
        }
        setAlarm()
    }

    private func handle(_ key: TransactionKey, _ came: ReceivedRequest, _ tag: String) {
        let context = SIPRequestContext(
            request: came.request,
            envelope: came.envelope,
            peer: came.peer,
            key: key,
            tag: tag
        )
        // Cancelled by CANCEL, by the table, and by close(), which waits for it.
        handling[key] = Task {
            var response = await handler(context)
            if !response.isFinal { response = context.response(500) }
            handling[key] = nil
            peers.ended(came.peer.host, at: .now)
            perform(table.answer(key, with: response, at: .now))
        }
    }

    private func transmit(_ bytes: [UInt8], to peer: SIPPeer) {
        guard let id = peer.connection, let socket = sockets[id] else { return }
        let buffer = socket.channel.allocator.buffer(bytes: bytes)
        if peer.transport == .udp {
            guard let address = socket.channel.address(of: peer) else { return }
            let envelope = AddressedEnvelope(remoteAddress: address, data: buffer)
            socket.channel.writeAndFlush(envelope, promise: nil)
        } else if socket.channel.isWritable {
            socket.channel.writeAndFlush(buffer, promise: nil)
        } else {
            // More than unreadBytesMax waits: the other end does not read.
            socket.channel.close(promise: nil)
        }
    }

    private func setAlarm() {
        guard let next = table.nextDeadline, alarm.map({ next < $0.at }) ?? true else { return }
        alarm?.task.cancel()
        let delay = TimeAmount(max(.zero, ContinuousClock.now.duration(to: next)))
        let task = loop.scheduleTask(in: delay) { [weak self] in
            guard let self else { return }
            assumeIsolated { $0.ring() }
        }
        alarm = (next, task)
    }

    private func ring() {
        alarm = nil
        guard !isClosed else { return }
        perform(table.tick(at: .now))
    }
}
