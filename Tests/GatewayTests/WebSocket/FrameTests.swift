// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOWebSocket
import Testing

@testable import Gateway

/// A frame as a client sends it.
private func masked(_ frame: SocketFrame, key: WebSocketMaskingKey) -> ByteBuffer {
    let bytes = frame.encoded
    let headLength = bytes.readableBytes - frame.payload.readableBytes
    var masked = ByteBuffer()
    var head = Array(bytes.readableBytesView.prefix(headLength))
    head[1] |= 0x80
    masked.writeBytes(head)
    masked.writeBytes(key)
    var payload = frame.payload
    payload.webSocketMask(key)
    masked.writeImmutableBuffer(payload)
    return masked
}

private func frames(
    in pieces: [ByteBuffer],
    payloadBytesMax: Int = 1 << 20
) throws -> [SocketFrame] {
    var parser = SocketFrameParser(payloadBytesMax: payloadBytesMax)
    var frames: [SocketFrame] = []
    for piece in pieces {
        parser.append(piece)
        while let frame = try parser.next() { frames.append(frame) }
    }
    return frames
}

@Suite struct `WebSocket frames` {
    @Test(arguments: 0..<50 as Range<UInt64>)
    func `are read alike whatever pieces they come in`(seed: UInt64) throws {
        var chance = SplitMix(state: seed)
        let sent = (0..<8).map { _ in
            let length = [0, 1, 125, 126, 127, 65_535, 65_536].randomElement(using: &chance) ?? 0
            return SocketFrame(
                opcode: .binary,
                isFinal: Bool.random(using: &chance),
                payload: ByteBuffer(
                    bytes: (0..<length).map { _ in UInt8.random(in: 0...255, using: &chance) }
                )
            )
        }
        var wire = ByteBuffer()
        for frame in sent { wire.writeImmutableBuffer(masked(frame, key: .random(using: &chance))) }
        var pieces: [ByteBuffer] = []
        while wire.readableBytes > 0 {
            let length = min(Int.random(in: 1...70_000, using: &chance), wire.readableBytes)
            if let piece = wire.readSlice(length: length) { pieces.append(piece) }
        }
        #expect(try frames(in: pieces) == sent, "seed \(seed)")
    }

    @Test func `are refused by their head, before the payload comes`() {
        let head = ByteBuffer(bytes: [0x82, 0xFF] + [0x7F] + Array(repeating: 0xFF, count: 7))
        #expect(throws: Never.self) { try frames(in: [head]) }
        let mask = ByteBuffer(bytes: [1, 2, 3, 4])
        let refusal = #expect(throws: WebSocketViolation.self) { try frames(in: [head, mask]) }
        #expect(refusal?.code == .messageTooBig)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `never crash the parser, whatever the bytes`(seed: UInt64) {
        var chance = SplitMix(state: seed)
        let bytes = (0..<64).map { _ in UInt8.random(in: 0...255, using: &chance) }
        do {
            var assembler = WebSocketAssembler(messageBytesMax: 40)
            for frame in try frames(in: [ByteBuffer(bytes: bytes)], payloadBytesMax: 32) {
                _ = try assembler.take(frame)
            }
        } catch {
            #expect(error is WebSocketViolation, "seed \(seed)")
        }
    }

    @Test func `answer the key of RFC 6455 as it says`() {
        #expect(
            WebSocketHandshake.accept(for: "dGhlIHNhbXBsZSBub25jZQ==")
                == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        )
    }
}

/// A generator that repeats itself from a seed.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
