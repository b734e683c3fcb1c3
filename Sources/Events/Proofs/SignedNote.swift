// SPDX-License-Identifier: Apache-2.0

/// A text signed by one or more keys (C2SP signed-note).
///
/// Parsing says nothing about who wrote it: use `text` only after `verify`.
public struct SignedNote: Sendable {
    /// A signature line.
    public struct Signature: Sendable, Hashable {
        /// The key that is said to have signed.
        public let key: NoteKey
        /// The signature without the key id.
        public let bytes: [UInt8]
    }

    /// The text, which ends in a newline and belongs whole to what is signed.
    public let text: String
    /// The signatures in the order of their lines.
    public let signatures: [Signature]

    /// A note out of a text and signatures on it.
    ///
    /// - Parameters:
    ///   - text: The text, ending in a newline, without other control characters.
    ///   - signatures: 1 to 100 signatures.
    /// - Throws: ``SignedNoteError/malformed(_:)`` or ``SignedNoteError/tooManySignatures``.
    public init(text: String, signatures: [Signature]) throws(SignedNoteError) {
        guard text.utf8.last == UInt8(ascii: "\n") else { throw .malformed(.textEnd) }
        guard text.utf8.allSatisfy(Self.isAllowed) else { throw .malformed(.controlCharacter) }
        guard !signatures.isEmpty else { throw .malformed(.noSignature) }
        guard signatures.count <= ProofLimits.noteSignaturesMax else { throw .tooManySignatures }
        self.text = text
        self.signatures = signatures
    }

    /// A text signed by the given keys, in their order.
    ///
    /// - Parameters:
    ///   - text: The text, ending in a newline, without other control characters.
    ///   - signers: The keys.
    /// - Throws: ``SignedNoteError`` when the text is not that of a note or a key cannot sign.
    public init(text: String, signedBy signers: [NoteSigner]) throws(SignedNoteError) {
        var signatures: [Signature] = []
        for signer in signers {
            signatures.append(try signer.signature(on: text))
        }
        try self.init(text: text, signatures: signatures)
    }

    static func isAllowed(_ byte: UInt8) -> Bool {
        byte >= 0x20 || byte == UInt8(ascii: "\n")
    }

    /// Checks the signatures of known keys.
    ///
    /// Signatures of other keys are ignored, even when they share a name or an id with a known one.
    ///
    /// - Parameter verifiers: The known keys.
    /// - Returns: The keys whose signatures are genuine, each once, in the order of the lines.
    /// - Throws: ``SignedNoteError/badSignature(_:)`` when one signature of a known key is not
    ///   genuine, ``SignedNoteError/noKnownKey(signedBy:)`` when none is by a known key, or
    ///   ``SignedNoteError/ambiguousKey(_:)`` when two known keys share name and id.
    @discardableResult
    public func verify(with verifiers: [NoteVerifier]) throws(SignedNoteError) -> [NoteVerifier] {
        var genuine: [NoteVerifier] = []
        for signature in signatures {
            let known = Set(verifiers.filter { $0.key == signature.key })
            guard let verifier = known.first else { continue }
            guard known.count == 1 else { throw .ambiguousKey(signature.key) }
            guard verifier.isValid(signature: signature.bytes, on: text) else {
                throw .badSignature(signature.key)
            }
            if !genuine.contains(verifier) { genuine.append(verifier) }
        }
        guard !genuine.isEmpty else { throw .noKnownKey(signedBy: signatures.map(\.key)) }
        return genuine
    }
}
