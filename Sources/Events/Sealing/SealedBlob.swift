// SPDX-License-Identifier: Apache-2.0
internal import Crypto

/// A file sealed for one person: what is too large for an event, such as a picture.
///
/// On disk: `daybook1` ‖ salt (32) ‖ commitment (32) ‖ nonce (12) ‖ ciphertext ‖ tag (16). With the secret
/// s = HMAC-SHA-256(person key, `blob` ‖ 0x00 ‖ salt) the file is encrypted by AES-256-GCM under HMAC(s, "enc");
/// the commitment is HMAC(s, "commit"), as for fields. Each file has a salt of its own.
public enum SealedBlob {
    private static let magic = Array("daybook1".utf8)
    private static let saltBytes = 32

    /// How much longer a sealed file is than what is in it, in bytes.
    public static let overhead = magic.count + saltBytes + SealedBoxLayout.overhead

    /// Seals bytes; the same bytes give another file each time.
    public static func seal(_ plain: [UInt8], with key: PersonKey) -> [UInt8] {
        var chance = SystemRandomNumberGenerator()
        let salt = (0..<saltBytes).map { _ in UInt8.random(in: 0...255, using: &chance) }
        let secret = key.blobSecret(salt: salt)
        let head = magic + salt
        do {
            let box = try AES.GCM.seal(plain, using: secret.encryptionKey, authenticating: head)
            guard let combined = box.combined else {
                preconditionFailure("AES-GCM with a nonce of 12 bytes has one combined form")
            }
            return head + secret.commitment + combined
        } catch {
            preconditionFailure("AES-256-GCM takes any bytes under a key of 32: \(error)")
        }
    }

    /// Opens a sealed file.
    ///
    /// - Throws: ``SealedBlobError`` if it is none, or was sealed with another key, or was changed.
    public static func open(
        _ sealed: [UInt8],
        with key: PersonKey
    ) throws(SealedBlobError) -> [UInt8] {
        guard sealed.count >= overhead, sealed.starts(with: magic) else { throw .malformed }
        let head = sealed.prefix(magic.count + saltBytes)
        let secret = key.blobSecret(salt: Array(head.dropFirst(magic.count)))
        let box = sealed.dropFirst(head.count)
        guard box.prefix(SealedBoxLayout.commitment).elementsEqual(secret.commitment) else {
            throw .otherKey
        }
        do {
            return Array(
                try AES.GCM.open(
                    AES.GCM.SealedBox(combined: box.dropFirst(SealedBoxLayout.commitment)),
                    using: secret.encryptionKey,
                    authenticating: head
                )
            )
        } catch {
            throw .damaged
        }
    }
}

/// Why a sealed file did not open.
public enum SealedBlobError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed
    case otherKey
    case damaged

    public var description: String {
        switch self {
        case .malformed: "it is no sealed file of Daybook; restore it from a backup"
        case .otherKey:
            "it was sealed with another key, or its head was changed; restore it from a backup"
        case .damaged: "its bytes were changed; restore it from a backup"
        }
    }
}
