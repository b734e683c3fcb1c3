// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

/// The content encoding `aes128gcm` (RFC 8188), for one message in one record or several.
struct EncryptedContent {
    /// 16 bytes of chance, different for each message.
    let salt: Data
    /// Bytes of each record but perhaps the last one, with its delimiter and tag.
    var recordBytes = PushLimits.messageBytes

    /// Encrypts a message.
    ///
    /// - Parameters:
    ///   - plaintext: The message, with the padding already behind it.
    ///   - padding: Zeros to add behind the delimiter of the last record; all of them must fit there.
    ///   - secret: The input keying material.
    ///   - keyID: What tells the receiver which secret it is.
    /// - Returns: Header and records.
    /// - Throws: What the cryptographic library says.
    func seal(
        _ plaintext: Data,
        padding: Int = 0,
        secret: SymmetricKey,
        keyID: Data
    ) throws -> Data {
        let key = derive("Content-Encoding: aes128gcm", 16, from: secret)
        let base = derive("Content-Encoding: nonce", 12, from: secret)
        let nonce = base.withUnsafeBytes { Data($0) }
        let room = recordBytes - 1 - 16
        var sealed = header(keyID)
        var rest = plaintext
        var number: UInt64 = 0
        repeat {
            let piece = rest.prefix(room)
            rest = Data(rest.dropFirst(room))
            // 1 ends a record, 2 the last one; zeros follow (RFC 8188 §2).
            let end = rest.isEmpty ? Data([2]) + Data(count: padding) : Data([1])
            let box = try AES.GCM.seal(
                piece + end,
                using: key,
                nonce: AES.GCM.Nonce(data: Self.nonce(nonce, number))
            )
            sealed += box.ciphertext + box.tag
            number += 1
        } while !rest.isEmpty
        return sealed
    }

    private func header(_ keyID: Data) -> Data {
        var header = salt
        withUnsafeBytes(of: UInt32(recordBytes).bigEndian) { header.append(contentsOf: $0) }
        header.append(UInt8(keyID.count))
        return header + keyID
    }

    private func derive(_ purpose: String, _ bytes: Int, from secret: SymmetricKey) -> SymmetricKey
    {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret,
            salt: salt,
            info: Data(purpose.utf8) + [0],
            outputByteCount: bytes
        )
    }

    /// The number of the record, combined with the last eight bytes.
    private static func nonce(_ base: Data, _ number: UInt64) -> Data {
        var nonce = base
        for (index, byte) in withUnsafeBytes(of: number.bigEndian, Array.init).enumerated() {
            nonce[nonce.startIndex + 4 + index] ^= byte
        }
        return nonce
    }
}
