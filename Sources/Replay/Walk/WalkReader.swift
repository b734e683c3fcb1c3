// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Reads the messages of a walking process, one after the other, and believes none of their sizes.
struct WalkReader {
    private let process: WalkProcess
    private var buffer: [UInt8]
    private var start = 0
    private var end = 0
    private var content = 0..<0
    private var isGreeted = false
    private var isOver = false
    private let silence: Duration

    init(_ process: WalkProcess, silence: Duration = ReplayLimits.walkSilenceMax) {
        self.process = process
        self.silence = silence
        buffer = [UInt8](
            repeating: 0,
            count: ReplayLimits.readBytes + ReplayLimits.walkMessageBytesMax
        )
    }

    /// The content of the last message; valid until the next one is asked for.
    var bytes: UnsafeRawBufferPointer {
        buffer.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[content]) }
    }

    /// The next message and its number; `nil` behind the last one.
    ///
    /// - Throws: ``WalkError`` when the process dies, hangs, or says what it may not.
    mutating func next() throws -> (WalkMessage, UInt64)? {
        guard !isOver else { return nil }
        try fill(WalkMessage.headBytes)
        let (tag, length, number) = buffer.withUnsafeBytes { bytes in
            (
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)),
                Int(
                    UInt32(
                        littleEndian: bytes.loadUnaligned(
                            fromByteOffset: start + 4,
                            as: UInt32.self
                        )
                    )
                ),
                UInt64(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)
                )
            )
        }
        guard tag < 256, let message = WalkMessage(rawValue: UInt8(tag)),
            length <= message.bytesMax
        else { throw WalkError.nonsense("a message of kind \(tag) with \(length) bytes") }
        guard isGreeted || (message == .hello && number == WalkMessage.version) else {
            throw WalkError.nonsense("it did not begin with this program's greeting")
        }
        isGreeted = true
        try fill(WalkMessage.headBytes + length)
        content = (start + WalkMessage.headBytes)..<(start + WalkMessage.headBytes + length)
        start = content.upperBound
        isOver = message == .end
        return (message, number)
    }

    /// Makes sure that so many unread bytes are in the buffer.
    private mutating func fill(_ count: Int) throws {
        guard end - start < count else { return }
        if buffer.count - start < count || start > ReplayLimits.walkMessageBytesMax {
            buffer.withUnsafeMutableBytes { bytes in
                bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            }
            (start, end) = (0, end - start)
        }
        while end - start < count {
            let (process, silence, end) = (process, silence, end)
            let read = try buffer.withUnsafeMutableBytes { bytes in
                try process.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: bytes[end...]),
                    silence: silence
                )
            }
            guard read > 0 else { throw WalkError.died(process.ending()) }
            self.end += read
        }
    }
}
