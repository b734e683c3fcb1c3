// SPDX-License-Identifier: Apache-2.0

/// Why a signed note, or a key for notes, is refused.
public enum SignedNoteError: Error, Hashable {
    /// What is wrong with the form of a note.
    public enum Flaw: Hashable, Sendable {
        case textEnd
        case lineEnd
        case controlCharacter
        case notUTF8
        case noSignature
        case signatureLine(Int)
    }

    /// Not the form of a signed note.
    case malformed(Flaw)
    /// More signature lines than are read.
    case tooManySignatures
    /// More bytes than are read.
    case tooLong(byteCount: Int)
    /// A signature by a known key is not genuine.
    case badSignature(NoteKey)
    /// No signature is by a known key.
    case noKnownKey(signedBy: [NoteKey])
    /// Two different known keys share name and id.
    case ambiguousKey(NoteKey)
    /// A name may not stand in a signature line.
    case keyName(String)
    /// Not an Ed25519 public key.
    case publicKey
    /// Not an Ed25519 private key, or not the one that its id says.
    case privateKey
    /// Not the text of a verifier key.
    case verifierKey(String)
    /// The cryptographic library could not sign.
    case signing
}

extension SignedNoteError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let flaw):
            "signed note refused: \(flaw); fetch it again from its source"
        case .tooManySignatures:
            "signed note refused: more than \(ProofLimits.noteSignaturesMax) signatures"
        case .tooLong(let byteCount):
            "signed note refused: \(byteCount) bytes, the most is \(ProofLimits.noteBytesMax)"
        case .badSignature(let key):
            """
            signed note refused: the signature in the name of \(key) is not genuine; \
            the text was changed or signed with another key
            """
        case .noKnownKey(let keys):
            """
            signed note refused: no signature by a known key, only by \
            \(keys.map(\.description).joined(separator: ", ")); give the verifier key of the log
            """
        case .ambiguousKey(let key):
            "signed note not checked: two known keys are both called \(key); remove one"
        case .keyName(let name):
            """
            key name “\(name.prefix(100))” refused: it must not be empty or contain spaces, \
            control characters or a plus sign
            """
        case .publicKey:
            "public key refused: not the 32 bytes of an Ed25519 key"
        case .privateKey:
            "private key refused: not an Ed25519 seed, or its id is that of another key"
        case .verifierKey(let vkey):
            """
            verifier key “\(vkey.prefix(100))” refused: it is not of the form \
            name+id+base64, or its id does not belong to it; copy it again from the operator
            """
        case .signing:
            "note not signed: the cryptographic library failed; try again"
        }
    }
}

extension SignedNoteError.Flaw: CustomStringConvertible {
    public var description: String {
        switch self {
        case .textEnd: "its text does not end in a newline"
        case .lineEnd: "its last line does not end in a newline"
        case .controlCharacter: "it has a control character other than newline"
        case .notUTF8: "it is not UTF-8"
        case .noSignature: "it has no signature after an empty line"
        case .signatureLine(let number): "signature line \(number) is not “— name base64”"
        }
    }
}
