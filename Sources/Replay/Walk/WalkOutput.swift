// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Where the walking process writes its messages.
///
/// Buffers, so that a message costs no system call. A reader who went away ends the process.
final class WalkOutput {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private static let bufferBytes = 256 << 10

    init(descriptor: Int32) {
        self.descriptor = descriptor
        buffer.reserveCapacity(Self.bufferBytes + 65_536)
    }

    func send(_ message: WalkMessage, _ number: UInt64, _ bytes: UnsafeRawBufferPointer) {
        var head = (
            UInt32(message.rawValue).littleEndian,
            UInt32(truncatingIfNeeded: bytes.count).littleEndian,
            number.littleEndian
        )
        withUnsafeBytes(of: &head) { buffer.append(contentsOf: $0) }
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferBytes { flush() }
    }

    func send(_ message: WalkMessage, _ number: UInt64 = 0, _ text: String = "") {
        var text = text
        text.withUTF8 { send(message, number, UnsafeRawBufferPointer($0)) }
    }

    func flush() {
        buffer.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = write(
                    descriptor,
                    UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                    rest.count
                )
                if written < 0 && errno == EINTR { continue }
                guard written > 0 else { exit(0) }
                rest = rest.dropFirst(written)
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
