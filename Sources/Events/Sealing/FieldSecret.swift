// SPDX-License-Identifier: Apache-2.0
internal import Crypto

/// What opens one sealed field and no other: a bundle can disclose it without giving the person's key away.
public struct FieldSecret: Hashable, Sendable {
    private let words: SIMD4<UInt64>

    init(words: SIMD4<UInt64>) {
        self.words = words
    }

    var encryptionKey: SymmetricKey {
        withUnsafeBytes(of: HMACSHA256.code(of: Self.encryption, key: words)) {
            SymmetricKey(data: $0)
        }
    }

    /// What stands before the ciphertext and ties it to this one secret.
    var commitment: [UInt8] {
        withUnsafeBytes(of: HMACSHA256.code(of: Self.commitment, key: words), Array.init)
    }

    private static let encryption = Array("enc".utf8)
    private static let commitment = Array("commit".utf8)
}

extension FieldSecret: LosslessStringConvertible {
    /// Reads the base64url of 32 bytes.
    public init?(_ description: String) {
        guard let bytes = Base64URL.bytes(description), bytes.count == 32 else { return nil }
        var words = SIMD4<UInt64>.zero
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
        self.words = words
    }

    /// The base64url of the 32 bytes; whoever has it can read the field.
    public var description: String {
        Base64URL.text(withUnsafeBytes(of: words, Array.init))
    }
}
