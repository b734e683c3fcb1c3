// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOWebSocket

/// One whole message, its fragments joined.
enum WebSocketMessage: Sendable, Hashable {
    /// Valid UTF-8, checked.
    case text(String)
    /// Bytes as they came.
    case binary(ByteBuffer)
}

/// Why a connection closes: the codes of RFC 6455 §7.4 that we send or understand.
struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    let rawValue: UInt16

    static let normal = Self(rawValue: 1000)
    /// The server is being stopped, or the page is left.
    static let goingAway = Self(rawValue: 1001)
    static let protocolError = Self(rawValue: 1002)
    /// A kind of message that this socket does not take.
    static let unsupportedData = Self(rawValue: 1003)
    /// No code came; never on the wire.
    static let noneReceived = Self(rawValue: 1005)
    /// The connection was lost; never on the wire.
    static let lost = Self(rawValue: 1006)
    /// Text that is not UTF-8.
    static let invalidText = Self(rawValue: 1007)
    /// Not allowed: rights, rates.
    static let policyViolation = Self(rawValue: 1008)
    static let messageTooBig = Self(rawValue: 1009)
    static let internalError = Self(rawValue: 1011)
    static let tryAgainLater = Self(rawValue: 1013)

    /// Whether a peer may send this code (RFC 6455 §7.4.2, and the registry of IANA).
    var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// How a connection ended.
struct WebSocketClosure: Sendable, Hashable {
    let code: WebSocketCloseCode
    let reason: String
}

/// Joins frames to messages and judges their order (RFC 6455 §5.4).
///
/// Pure.
struct WebSocketAssembler: Sendable {
    /// What the frames amount to.
    enum Event: Sendable, Hashable {
        case message(WebSocketMessage)
        case ping(ByteBuffer)
        case pong(ByteBuffer)
        case close(WebSocketClosure)
    }

    private let messageBytesMax: Int
    private var fragments: (opcode: WebSocketOpcode, bytes: ByteBuffer)?

    /// - Parameter messageBytesMax: The longest message, fragments joined.
    init(messageBytesMax: Int) {
        self.messageBytesMax = messageBytesMax
    }

    /// Takes one frame.
    ///
    /// - Returns: What it completes, or `nil` while a message is still in parts.
    mutating func take(_ frame: SocketFrame) throws(WebSocketViolation) -> Event? {
        switch frame.opcode {
        case .ping: return .ping(frame.payload)
        case .pong: return .pong(frame.payload)
        case .connectionClose: return .close(try Self.closure(in: frame.payload))
        case .continuation:
            guard let begun = fragments else {
                throw .protocolError("a continuation without a beginning")
            }
            return try take(frame, as: begun.opcode, after: begun.bytes)
        default:
            guard fragments == nil else {
                throw .protocolError("a new message inside a fragmented one")
            }
            return try take(frame, as: frame.opcode, after: nil)
        }
    }

    private mutating func take(
        _ frame: SocketFrame,
        as opcode: WebSocketOpcode,
        after begun: ByteBuffer?
    ) throws(WebSocketViolation) -> Event? {
        fragments = nil
        var bytes = begun ?? frame.payload
        if begun != nil { bytes.writeImmutableBuffer(frame.payload) }
        guard bytes.readableBytes <= messageBytesMax else {
            throw WebSocketViolation(
                code: .messageTooBig,
                reason: "a message longer than \(messageBytesMax) bytes"
            )
        }
        guard frame.isFinal else {
            fragments = (opcode, bytes)
            return nil
        }
        guard opcode == .text else { return .message(.binary(bytes)) }
        return .message(.text(try Self.text(of: bytes)))
    }

    private static func text(of bytes: ByteBuffer) throws(WebSocketViolation) -> String {
        guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else {
            throw WebSocketViolation(code: .invalidText, reason: "text that is not UTF-8")
        }
        return text
    }

    private static func closure(
        in payload: ByteBuffer
    ) throws(WebSocketViolation) -> WebSocketClosure {
        var payload = payload
        guard payload.readableBytes > 0 else {
            return WebSocketClosure(code: .noneReceived, reason: "")
        }
        let code = payload.readInteger(as: UInt16.self).map(WebSocketCloseCode.init(rawValue:))
        guard let code, code.isSendable else {
            throw .protocolError("a close frame with a code that may not be sent")
        }
        return WebSocketClosure(code: code, reason: try text(of: payload))
    }
}
