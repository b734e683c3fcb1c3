// SPDX-License-Identifier: Apache-2.0
import AsyncAlgorithms
import Foundation
import Logging
import NIOCore
import NIOWebSocket
import Synchronization
import Threads

/// An open WebSocket, as its handler sees it: whole messages in, whole messages out.
///
/// Pings, pongs, fragments, limits and the closing handshake are dealt with beneath it. Safe to
/// use from several tasks; what one task sends stays in order.
///
/// ```swift
/// for await message in connection.messages {
///     guard case .text(let json) = message else { continue }
///     try await connection.send(text: answer(to: json))
/// }
/// ```
final class WebSocketConnection: Sendable {
    /// The id of the request that opened it.
    let id: String
    /// Writes with the id of the connection.
    let logger: Logger
    /// The messages of the peer, in order, for one reader.
    ///
    /// Ends when the connection does, however it does; ``closure`` then says why.
    ///
    /// While the handler does not take a message, nothing more is read from the peer. A handler
    /// that mostly sends must therefore read too, in a task of its own.
    let messages = WebSocketMessages()

    let outbox = AsyncChannel<SocketFrame>()
    let closed = Latch()
    let pongs = PongWaiters()
    private let state = Mutex(State())

    private struct State {
        var closeSent: WebSocketClosure?
        var closure: WebSocketClosure?
    }

    init(id: String, logger: Logger) {
        self.id = id
        self.logger = logger
    }

    /// How the connection ended; `nil` while it is open.
    var closure: WebSocketClosure? { state.withLock { $0.closure } }

    /// Sends a text message.
    ///
    /// Returns once the connection has taken it, which is when the peer took what was sent
    /// before: a slow peer slows its sender.
    ///
    /// - Throws: ``WebSocketClosed`` when the connection is closing or closed.
    func send(text: String) async throws {
        try await send(SocketFrame(opcode: .text, payload: ByteBuffer(string: text)))
    }

    /// Sends a binary message; otherwise like ``send(text:)``.
    func send(binary: ByteBuffer) async throws {
        try await send(SocketFrame(opcode: .binary, payload: binary))
    }

    /// Sends a value as JSON in a text message; otherwise like ``send(text:)``.
    func send(json value: some Encodable) async throws {
        let data = try JSONBody.encoder.encode(value)
        try await send(SocketFrame(opcode: .text, payload: ByteBuffer(bytes: data)))
    }

    /// Returns once the peer has received everything that was sent before: it answered a ping.
    ///
    /// - Throws: ``WebSocketClosed`` when the connection ended first; then nobody knows.
    func confirmReceipt() async throws {
        try refuseWhenClosed()
        let number = pongs.number()
        let answered = await pongs.wait(for: number) { [outbox] in
            var payload = ByteBuffer()
            payload.writeInteger(number)
            await outbox.send(SocketFrame(opcode: .ping, payload: payload))
        }
        if !answered { throw WebSocketClosed(closure: closure ?? .lost) }
    }

    /// Begins to close.
    ///
    /// The handler may return at once; what was sent before still goes out.
    func close(_ code: WebSocketCloseCode, reason: String = "") async {
        let closure = WebSocketClosure(code: code, reason: reason)
        let isFirst = state.withLock { state in
            guard state.closeSent == nil, state.closure == nil else { return false }
            state.closeSent = closure
            return true
        }
        if isFirst { await outbox.send(Self.frame(closing: closure)) }
    }

    // Not typed: what sends last in an async function crashed the optimiser of Swift 6.3.1.
    private func send(_ frame: SocketFrame) async throws {
        try refuseWhenClosed()
        await outbox.send(frame)
        try refuseWhenClosed()
    }

    private func refuseWhenClosed() throws {
        let closure = state.withLock { $0.closure ?? $0.closeSent }
        if let closure { throw WebSocketClosed(closure: closure) }
    }

    /// Notes the end, the first one that is told; answers a close frame of the peer.
    func ended(_ closure: WebSocketClosure, answering: Bool = false) async {
        let answers = state.withLock { state in
            if state.closure == nil { state.closure = state.closeSent ?? closure }
            defer { if answering { state.closeSent = state.closeSent ?? closure } }
            return answering && state.closeSent == nil
        }
        messages.finish()
        pongs.end()
        if answers { await outbox.send(Self.frame(closing: closure)) }
        closed.raise()
    }

    private static func frame(closing closure: WebSocketClosure) -> SocketFrame {
        var payload = ByteBuffer()
        if closure.code.isSendable {
            payload.writeInteger(closure.code.rawValue)
            // A control frame has at most 125 bytes; a cut character would not be UTF-8.
            let cut = closure.reason.utf8.prefix(123)
            payload.writeString(String(validating: cut, as: UTF8.self) ?? "")
        }
        return SocketFrame(opcode: .connectionClose, payload: payload)
    }
}

/// A message could not be sent, for the connection has ended.
struct WebSocketClosed: Error, Sendable, Hashable, CustomStringConvertible {
    let closure: WebSocketClosure

    var description: String {
        "send refused: the WebSocket is closed with \(closure.code.rawValue) \(closure.reason)"
    }
}

/// The messages of one connection, handed over one by one: the reader of the socket waits until
/// the handler takes what it read.
struct WebSocketMessages: AsyncSequence, Sendable {
    typealias Element = WebSocketMessage
    typealias Failure = Never

    private let channel = AsyncChannel<WebSocketMessage>()

    struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let channel: AsyncChannel<WebSocketMessage>

        mutating func next() async -> WebSocketMessage? {
            // The channel holds the state; its iterators have none.
            var iterator = channel.makeAsyncIterator()
            return await iterator.next()
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(channel: channel) }

    /// Returns once the handler has taken the message, or will take no more.
    func send(_ message: WebSocketMessage) async { await channel.send(message) }

    /// Ends the sequence.
    ///
    /// Repeating it does nothing.
    func finish() { channel.finish() }
}
