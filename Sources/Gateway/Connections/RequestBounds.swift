// SPDX-License-Identifier: Apache-2.0
import Events
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Stands in front of the decoder of HTTP/1.1 and knows whether a head has begun that is not whole.
///
/// The decoder keeps such bytes to itself, and they may hang behind a whole request in one packet. So bytes go on to it in
/// pieces, each of which ends where a request may end; ``RequestWatch`` behind it says what came of them.
final class RequestBounds: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum Place: Equatable {
        case head
        case body(left: Int)
        /// Until the decoder says that it ends.
        case chunks
        /// No requests come any more: the bytes of a socket.
        case tunnel
        /// The connection is being closed: nothing more is decoded.
        case closing
    }

    /// Whether bytes of a head have come whose end has not.
    private(set) var hasBegunHead = false
    private var place = Place.head
    /// Whether nothing stands in the line that is coming.
    private var lineIsEmpty = true
    /// Whether the piece that the decoder has is of chunks, and of what hangs behind them.
    private var isInChunks = false
    /// The last three bytes of chunks.
    private var lastBytes: [UInt8] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        while let piece = nextPiece(of: &bytes) {
            isInChunks = place == .chunks
            if isInChunks { lastBytes = (lastBytes + piece.readableBytesView.suffix(3)).suffix(3) }
            context.fireChannelRead(wrapInboundOut(piece))
            // A request in chunks ends in an empty line; so does whatever is whole behind it.
            if isInChunks, place == .head { hasBegunHead = !lastBytes.elementsEqual("\n\r\n".utf8) }
        }
    }

    /// The decoder has shown the head of a request.
    func headCame(_ request: HTTPRequest) {
        guard place != .closing else { return }
        hasBegunHead = false
        lineIsEmpty = true
        if isInChunks || request.headerFields[.transferEncoding] != nil {
            place = .chunks
        } else {
            let length = request.headerFields[.contentLength].flatMap {
                NumberText.whole($0, in: 1...Int.max)
            }
            place = length.map { .body(left: $0) } ?? .head
        }
    }

    /// The decoder has shown the end of a request.
    func requestEnded() {
        guard case .chunks = place else { return }
        place = .head
    }

    /// The connection is being closed, which takes a while with TLS: what still comes is dropped.
    func stop() {
        place = .closing
        hasBegunHead = false
    }

    /// The connection is a socket's from now on.
    func becomeTunnel() {
        place = .tunnel
        hasBegunHead = false
    }

    private func nextPiece(of bytes: inout ByteBuffer) -> ByteBuffer? {
        guard bytes.readableBytes > 0 else { return nil }
        switch place {
        case .head: return bytes.readSlice(length: headBytes(in: bytes.readableBytesView))
        case .body(let left):
            let count = min(left, bytes.readableBytes)
            place = count == left ? .head : .body(left: left - count)
            return bytes.readSlice(length: count)
        case .chunks, .tunnel: return bytes.readSlice(length: bytes.readableBytes)
        case .closing: return nil
        }
    }

    /// Bytes up to the end of the head, the empty line with it; all if it does not end here.
    private func headBytes(in bytes: ByteBufferView) -> Int {
        for (count, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "\n"):
                if lineIsEmpty, hasBegunHead { return count + 1 }
                lineIsEmpty = true
            case UInt8(ascii: "\r"): break
            default:
                lineIsEmpty = false
                hasBegunHead = true
            }
        }
        return bytes.count
    }
}
