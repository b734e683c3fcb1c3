// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Bytes of an open tunnel as parts of an HTTP body, and back.
///
/// The head of the answer, which opened the tunnel, is printed as RFC 9112 §4 says; the end of
/// the answer closes the connection.
final class TunnelCodec: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(wrapInboundOut(.body(unwrapInboundIn(data))))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let answer):
            var bytes = context.channel.allocator.buffer(capacity: 256)
            bytes.writeString(Self.text(of: answer))
            context.write(wrapOutboundOut(bytes), promise: promise)
        case .body(let bytes):
            context.write(wrapOutboundOut(bytes), promise: promise)
        case .end:
            context.flush()
            context.close(promise: promise)
        }
    }

    private static func text(of answer: HTTPResponse) -> String {
        var text = "HTTP/1.1 \(answer.status.code) \(answer.status.reasonPhrase)\r\n"
        for field in answer.headerFields {
            text += "\(field.name.rawName): \(field.value)\r\n"
        }
        return text + "\r\n"
    }
}
