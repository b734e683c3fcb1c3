// SPDX-License-Identifier: Apache-2.0
internal import Crypto

/// What opens one sealed field and no other: a bundle can disclose it without giving the person's key away.
public struct FieldSecret: Hashable, Sendable {
    private let bytes: [UInt8]

    init(_ code: HMAC<SHA256>.MAC) {
        bytes = Array(code)
    }

    var encryptionKey: SymmetricKey {
        SymmetricKey(data: derive("enc"))
    }

    /// What stands before the ciphertext and ties it to this one secret.
    var commitment: [UInt8] {
        Array(derive("commit"))
    }

    private func derive(_ purpose: String) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(
            for: Array(purpose.utf8),
            using: SymmetricKey(data: bytes)
        )
    }
}

extension FieldSecret: LosslessStringConvertible {
    /// Reads the base64url of 32 bytes.
    public init?(_ description: String) {
        guard let bytes = Base64URL.bytes(description), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The base64url of the 32 bytes; whoever has it can read the field.
    public var description: String { Base64URL.text(bytes) }
}
