// SPDX-License-Identifier: Apache-2.0
import AsyncAlgorithms
import Hummingbird
import Logging
import NIOCore
import NIOWebSocket
import ServiceLifecycle
import Threads

/// Runs one WebSocket from the handshake to the closed connection.
///
/// Four tasks: one reads, one serves the handler, one pings, one watches for a dead peer; the
/// task that answers the request writes. All have ended when `run` returns.
struct WebSocketSession: Sendable {
    let connection: WebSocketConnection
    let limits: WebSocketLimits
    /// Closed by force when the peer is dead; that unblocks whoever waits on it.
    let channel: any Channel
    let handler: @Sendable (WebSocketConnection) async throws -> Void
    private let signs: SignsOfLife
    private let served = Latch()

    init(
        connection: WebSocketConnection,
        limits: WebSocketLimits,
        channel: any Channel,
        handler: @escaping @Sendable (WebSocketConnection) async throws -> Void
    ) {
        self.connection = connection
        self.limits = limits
        self.channel = channel
        self.handler = handler
        signs = SignsOfLife(now: limits.now)
    }

    /// Returns once the connection is closed and the handler has returned.
    @concurrent
    func run(inbound: RequestBody, writer: consuming any ResponseBodyWriter) async throws {
        var writer = writer
        await withTaskGroup { group in
            group.addTask { await read(inbound) }
            group.addTask { await ping() }
            group.addTask { await watch() }
            group.addTask {
                await serve()
                served.raise()
                connection.outbox.finish()
            }
            await write(to: &writer)
            await served.wait()
            group.cancelAll()
            await connection.ended(.lost)
        }
        try await writer.finish(nil)
    }

    // MARK: - Writing

    @concurrent
    private func write(to writer: inout any ResponseBodyWriter) async {
        do {
            for await frame in connection.outbox {
                signs.writing(true)
                try await writer.write(frame.encoded)
                signs.writing(false)
            }
        } catch {
            connection.logger.debug("WebSocket lost while writing", metadata: ["error": "\(error)"])
            connection.outbox.finish()
            await connection.ended(.lost)
            channel.close(promise: nil)
        }
    }

    // MARK: - Reading

    @concurrent
    private func read(_ inbound: RequestBody) async {
        var parser = SocketFrameParser(payloadBytesMax: limits.messageBytes)
        var assembler = WebSocketAssembler(messageBytesMax: limits.messageBytes)
        var bucket = RateLimiter(limits.messages, at: ContinuousClock.now)
        var chunks = inbound.makeAsyncIterator()
        do {
            while let bytes = try await chunks.next() {
                signs.heard()
                parser.append(bytes)
                while let frame = try parser.next() {
                    guard let event = try assembler.take(frame) else { continue }
                    guard await handle(event, bucket: &bucket) else { return }
                }
            }
            await connection.ended(.lost)
        } catch let violation as WebSocketViolation {
            await connection.close(violation.code, reason: violation.reason)
            connection.messages.finish()
            await discard(&chunks)
            await connection.ended(
                WebSocketClosure(code: violation.code, reason: violation.reason)
            )
        } catch {
            await connection.ended(.lost)
        }
    }

    /// Reads on for a moment without looking.
    ///
    /// Closing while bytes of the peer lie unread resets the connection, and the peer would
    /// never read why.
    @concurrent
    private func discard(_ chunks: inout RequestBody.AsyncIterator) async {
        let end = channel.eventLoop.scheduleTask(in: TimeAmount(limits.violationDrain)) {
            channel.close(promise: nil)
        }
        do {
            while try await chunks.next() != nil {}
        } catch {
            connection.logger.debug(
                "WebSocket lost after a violation",
                metadata: ["error": "\(error)"]
            )
        }
        end.cancel()
    }

    /// - Returns: Whether reading goes on.
    private func handle(
        _ event: WebSocketAssembler.Event,
        bucket: inout RateLimiter<ContinuousClock.Instant>
    ) async -> Bool {
        switch event {
        case .ping(let payload):
            await connection.outbox.send(SocketFrame(opcode: .pong, payload: payload))
        case .pong(var payload):
            if let number = payload.readInteger(as: UInt64.self) {
                connection.pongs.answered(number)
            }
        case .close(let closure):
            await connection.ended(closure, answering: true)
            return false
        case .message(let message):
            guard bucket.takeOne(at: .now) == nil else {
                await connection.close(.policyViolation, reason: "too many messages a second")
                connection.messages.finish()
                return true
            }
            signs.handlerBusy(true)
            await connection.messages.send(message)
            signs.handlerBusy(false)
        }
        return true
    }

    // MARK: - Serving

    private func serve() async {
        await withGracefulShutdownHandler {
            await runHandler()
            // The peer may still be sending: its answer to our close comes behind that.
            connection.messages.finish()
            await first(of: limits.closeAnswer) { await connection.closed.wait() }
        } onGracefulShutdown: {
            // Not awaited: it ends with the connection, whose tasks `run` awaits.
            Task {
                await connection.close(.goingAway, reason: "the gateway is stopping")
                // A peer that does not answer must not keep the gateway from stopping.
                await first(of: limits.closeAnswer) { await connection.closed.wait() }
                await connection.ended(.lost)
            }
        }
    }

    private func runHandler() async {
        await withTaskGroup { group in
            group.addTask { await close(after: handler) }
            group.addTask {
                await connection.closed.wait()
                // Cancelled at once when the handler has returned by itself.
                await first(of: limits.handlerGrace) { await Latch().wait() }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func close(
        after handler: @Sendable (WebSocketConnection) async throws -> Void
    ) async {
        do {
            try await handler(connection)
            await connection.close(.normal)
        } catch is WebSocketClosed {
            // The handler learnt of the end by sending: nothing to tell.
        } catch is CancellationError {
            await connection.close(.goingAway)
        } catch {
            let problem = ProblemTable.problem(for: error)
            if problem.isFault {
                connection.logger.error("WebSocket handler failed", metadata: ["error": "\(error)"])
            }
            await connection.close(problem.closeCode, reason: problem.type.slug)
        }
    }

    // MARK: - Signs of life

    private func ping() async {
        while await pause(limits.pingInterval) {
            await connection.outbox.send(SocketFrame(opcode: .ping, payload: ByteBuffer()))
        }
    }

    /// Apart from `ping`, which waits in the queue of a peer that takes nothing.
    private func watch() async {
        while await pause(limits.pingInterval) {
            guard signs.silence > limits.silence else { continue }
            connection.logger.info("WebSocket peer is silent; closing")
            channel.close(promise: nil)
            return
        }
    }

    /// - Returns: `false` when the task was cancelled.
    private func pause(_ duration: Duration) async -> Bool {
        do {
            try await Task.sleep(for: duration)
            return true
        } catch {
            return false
        }
    }

    /// Waits for an end, but no longer than a time.
    private func first(
        of limit: Duration,
        or end: @escaping @Sendable () async -> Void
    ) async {
        await withTaskGroup { group in
            group.addTask { await end() }
            group.addTask { _ = await pause(limit) }
            await group.next()
            group.cancelAll()
        }
    }
}

extension WebSocketClosure {
    /// The connection was lost without a closing handshake.
    static let lost = Self(code: .lost, reason: "the connection was lost")
}
