// SPDX-License-Identifier: Apache-2.0
internal import Crypto
import Foundation

/// A key for one purpose, made of the master key; it says nothing of that one, nor of another purpose's.
public struct DerivedKey: Sendable {
    private let key: SIMD4<UInt64>

    /// Derives it by HKDF-SHA-256 (RFC 5869).
    public init(of masterKey: MasterKey, for purpose: String) {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: masterKey.symmetricKey,
            info: Data(purpose.utf8),
            outputByteCount: 32
        )
        var key = SIMD4<UInt64>.zero
        derived.withUnsafeBytes { bytes in
            withUnsafeMutableBytes(of: &key) { $0.copyMemory(from: bytes) }
        }
        self.key = key
    }

    /// The HMAC-SHA-256 of a message under it: 32 bytes.
    public func code(of message: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: HMACSHA256.code(of: message, key: key)) { Array($0) }
    }
}
