// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

/// SHA-256 as the archive writes it.
enum SHA256Hex {
    static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        let done: Void? = bytes.withContiguousStorageIfAvailable {
            hash.update(bufferPointer: UnsafeRawBufferPointer($0))
        }
        if done == nil { hash.update(data: Array(bytes)) }
        return Array(hash.finalize())
    }

    /// The digest in lower-case hexadecimal.
    static func text(_ bytes: some Sequence<UInt8>) -> String { hexadecimal(digest(bytes)) }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}
