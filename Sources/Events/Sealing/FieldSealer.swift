// SPDX-License-Identifier: Apache-2.0
internal import Crypto

/// Seals the fields of one event.
struct FieldSealer: Sendable {
    let event: EventID
    let keys: any PersonKeys
    let nonces: NonceSource

    /// Seals the canonical JSON of one value.
    func seal(
        _ plain: [UInt8],
        of person: PersonID,
        with key: PersonKey,
        pointer: String
    ) throws -> SealedField {
        let secret = key.fieldSecret(event: event, pointer: pointer)
        let sealed = try AES.GCM.seal(
            plain,
            using: secret.encryptionKey,
            nonce: AES.GCM.Nonce(data: nonces.next(event, pointer))
        )
        guard let combined = sealed.combined else {
            preconditionFailure("AES-GCM with a nonce of 12 bytes has one combined form")
        }
        let box = secret.commitment + combined
        return SealedField(person: person, event: event, pointer: pointer, box: Base64URL.text(box))
    }
}

/// How a box is laid out: commitment ‖ nonce ‖ ciphertext ‖ tag, in bytes.
enum SealedBoxLayout {
    static let commitment = 32
    static let nonce = 12
    static let tag = 16
    static let overhead = commitment + nonce + tag
}
