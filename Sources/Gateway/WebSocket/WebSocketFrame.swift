// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOWebSocket

/// One frame as RFC 6455 §5.2 lays it out, unmasked.
struct SocketFrame: Sendable, Hashable {
    /// What the frame carries.
    var opcode: WebSocketOpcode
    /// Whether the message ends with this frame.
    var isFinal = true
    /// The bytes, without the mask.
    var payload: ByteBuffer

    /// The frame as a server sends it: whole and without a mask.
    var encoded: ByteBuffer {
        var bytes = ByteBufferAllocator().buffer(capacity: payload.readableBytes + 10)
        bytes.writeInteger((isFinal ? 0x80 : 0) | UInt8(webSocketOpcode: opcode))
        switch payload.readableBytes {
        case ..<126:
            bytes.writeInteger(UInt8(payload.readableBytes))
        case ..<65_536:
            bytes.writeMultipleIntegers(UInt8(126), UInt16(payload.readableBytes))
        default:
            bytes.writeMultipleIntegers(UInt8(127), UInt64(payload.readableBytes))
        }
        bytes.writeImmutableBuffer(payload)
        return bytes
    }
}

/// What a peer did against RFC 6455, and the code that the connection is closed with.
struct WebSocketViolation: Error, Sendable, Hashable {
    /// The code of RFC 6455 §7.4.1 that names the fault.
    let code: WebSocketCloseCode
    /// What was wrong, in words that the peer may read.
    let reason: String
}

/// Reads the frames that a client sends out of bytes that arrive in pieces of any size.
///
/// Pure: bytes in, frames out. Refuses a frame by its head alone, so that no peer makes the
/// server hold more than one message of the permitted size.
struct SocketFrameParser: Sendable {
    private var pending = ByteBuffer()
    private let payloadBytesMax: Int

    /// - Parameter payloadBytesMax: The longest payload of one frame.
    init(payloadBytesMax: Int) {
        self.payloadBytesMax = payloadBytesMax
    }

    /// Takes bytes as they came.
    mutating func append(_ bytes: ByteBuffer) {
        if pending.readableBytes == 0 {
            pending = bytes
        } else {
            pending.discardReadBytes()
            pending.writeImmutableBuffer(bytes)
        }
    }

    /// The next whole frame, or `nil` when more bytes are needed.
    mutating func next() throws(WebSocketViolation) -> SocketFrame? {
        var reader = pending
        guard let head = try Self.readHead(from: &reader) else { return nil }
        guard head.length <= payloadBytesMax else {
            throw WebSocketViolation(
                code: .messageTooBig,
                reason: "a frame of \(head.length) bytes; at most \(payloadBytesMax) are taken"
            )
        }
        guard var payload = reader.readSlice(length: head.length) else { return nil }
        payload.webSocketUnmask(head.mask)
        pending = reader
        return SocketFrame(opcode: head.opcode, isFinal: head.isFinal, payload: payload)
    }

    private struct Head {
        var opcode: WebSocketOpcode
        var isFinal: Bool
        var length: Int
        var mask: WebSocketMaskingKey
    }

    private static func readHead(
        from reader: inout ByteBuffer
    ) throws(WebSocketViolation) -> Head? {
        guard let (first, second) = reader.readMultipleIntegers(as: (UInt8, UInt8).self) else {
            return nil
        }
        let opcode = try opcode(of: first)
        guard second & 0x80 != 0 else { throw .protocolError("a frame without a mask") }
        let isFinal = first & 0x80 != 0
        if opcode.isControlOpcode, !isFinal || second & 0x7F > 125 {
            throw .protocolError("a control frame in fragments or longer than 125 bytes")
        }
        guard let length = try readLength(short: second & 0x7F, from: &reader),
            let mask = reader.readBytes(length: 4).flatMap(WebSocketMaskingKey.init)
        else { return nil }
        return Head(opcode: opcode, isFinal: isFinal, length: length, mask: mask)
    }

    private static func opcode(of first: UInt8) throws(WebSocketViolation) -> WebSocketOpcode {
        guard first & 0x70 == 0 else {
            throw .protocolError("reserved bits set, but no extension was agreed")
        }
        let known: [WebSocketOpcode] = [
            .continuation, .text, .binary, .connectionClose, .ping, .pong,
        ]
        guard let opcode = known.first(where: { UInt8(webSocketOpcode: $0) == first & 0x0F })
        else { throw .protocolError("a frame of an unknown kind") }
        return opcode
    }

    private static func readLength(
        short: UInt8,
        from reader: inout ByteBuffer
    ) throws(WebSocketViolation) -> Int? {
        switch short {
        case 126:
            guard let length = reader.readInteger(as: UInt16.self) else { return nil }
            guard length >= 126 else { throw .protocolError("a length longer than it need be") }
            return Int(length)
        case 127:
            guard let length = reader.readInteger(as: UInt64.self) else { return nil }
            guard length >= 65_536 else { throw .protocolError("a length longer than it need be") }
            return Int(clamping: length)
        default:
            return Int(short)
        }
    }
}

extension WebSocketViolation {
    /// The peer broke the framing rules.
    static func protocolError(_ reason: String) -> Self {
        Self(code: .protocolError, reason: reason)
    }
}
