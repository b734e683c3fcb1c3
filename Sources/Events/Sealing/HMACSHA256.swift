// SPDX-License-Identifier: Apache-2.0
internal import Crypto

/// HMAC-SHA-256 (RFC 2104) under a key of 32 bytes, the one size that sealing uses.
///
/// Each field takes three of these; put together from two plain hashes they take a third of the time of the general
/// one, which unwraps its key and boxes its state anew each time. Tests hold it against that one.
enum HMACSHA256 {
    private static let blockSize = 64

    /// The code of a message.
    static func code(of message: [UInt8], key: SIMD4<UInt64>) -> SIMD4<UInt64> {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: blockSize + max(message.count, 32))
        { block in
            guard let base = block.baseAddress else { preconditionFailure("no room for one block") }
            pad(base, 0x36, key)
            message.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return }
                (base + blockSize).initialize(from: start, count: bytes.count)
            }
            let inner = hash(base, blockSize + message.count)
            pad(base, 0x5C, key)
            withUnsafeBytes(of: inner) { digest in
                for (index, byte) in digest.enumerated() { base[blockSize + index] = byte }
            }
            return hash(base, blockSize + 32)
        }
    }

    private static func pad(
        _ base: UnsafeMutablePointer<UInt8>,
        _ byte: UInt8,
        _ key: SIMD4<UInt64>
    ) {
        base.initialize(repeating: byte, count: blockSize)
        withUnsafeBytes(of: key) { key in
            for (index, part) in key.enumerated() { base[index] ^= part }
        }
    }

    private static func hash(_ base: UnsafeMutablePointer<UInt8>, _ count: Int) -> SIMD4<UInt64> {
        var hasher = SHA256()
        hasher.update(bufferPointer: UnsafeRawBufferPointer(start: base, count: count))
        var words = SIMD4<UInt64>.zero
        hasher.finalize().withUnsafeBytes { digest in
            withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: digest) }
        }
        return words
    }
}
