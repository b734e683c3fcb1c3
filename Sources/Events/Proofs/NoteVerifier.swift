// SPDX-License-Identifier: Apache-2.0
import Crypto

/// A public key that notes are checked with (C2SP signed-note, tlog-cosignature).
public struct NoteVerifier: Sendable, Hashable {
    /// How a key signs.
    public enum Algorithm: UInt8, Sendable {
        /// Ed25519 over the text of the note: how a log signs.
        case ed25519 = 0x01
        /// Ed25519 over the text and a time: how a witness cosigns a checkpoint.
        case cosignature = 0x04
    }

    /// The name and id by which signature lines name the key.
    public let key: NoteKey
    /// How the key signs.
    public let algorithm: Algorithm
    /// The Ed25519 public key, 32 bytes.
    public let publicKey: [UInt8]

    /// A verifier out of its parts.
    ///
    /// - Parameters:
    ///   - name: The name of the key.
    ///   - algorithm: How the key signs.
    ///   - publicKey: The Ed25519 public key, 32 bytes.
    /// - Throws: ``SignedNoteError/keyName(_:)`` or ``SignedNoteError/publicKey``.
    public init(
        name: String,
        algorithm: Algorithm = .ed25519,
        publicKey: [UInt8]
    ) throws(SignedNoteError) {
        guard NoteKey.isValid(name: name) else { throw .keyName(name) }
        do {
            _ = try Curve25519.Signing.PublicKey(rawRepresentation: publicKey)
        } catch {
            throw .publicKey
        }
        let id = NoteKey.id(name: name, type: algorithm.rawValue, publicKey: publicKey)
        key = NoteKey(name: name, id: id)
        self.algorithm = algorithm
        self.publicKey = publicKey
    }

    /// Reads a verifier key, `<name>+<id>+<base64 of type and public key>`.
    ///
    /// - Parameter vkey: The text, as operators publish it.
    /// - Throws: ``SignedNoteError/verifierKey(_:)`` when it is malformed, of another type, or
    ///   when its id is not that of the key.
    public init(vkey: String) throws(SignedNoteError) {
        let parts = vkey.split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3,
            let bytes = Base64Text.decode(parts[2]),
            let algorithm = bytes.first.flatMap(Algorithm.init(rawValue:)),
            let verifier = try? NoteVerifier(
                name: String(parts[0]),
                algorithm: algorithm,
                publicKey: [UInt8](bytes.dropFirst())
            ),
            verifier.key.idHex.utf8.elementsEqual(parts[1].utf8)
        else { throw .verifierKey(vkey) }
        self = verifier
    }

    /// The verifier key as operators publish it.
    public var vkey: String {
        "\(key)+\(Base64Text.encode([algorithm.rawValue] + publicKey))"
    }

    /// Whether a signature of this key on a text is genuine.
    ///
    /// - Parameters:
    ///   - signature: The signature without the key id.
    ///   - text: The text of the note.
    /// - Returns: Whether the key signed exactly this text.
    public func isValid(signature: [UInt8], on text: String) -> Bool {
        switch algorithm {
        case .ed25519:
            return isEd25519(signature, on: [UInt8](text.utf8))
        case .cosignature:
            guard let time = cosignatureTime(signature) else { return false }
            let message = "cosignature/v1\ntime \(time)\n\(text)"
            return isEd25519([UInt8](signature.dropFirst(8)), on: [UInt8](message.utf8))
        }
    }

    /// When a witness says it cosigned, in seconds since 1970.
    ///
    /// - Parameter signature: The signature without the key id.
    /// - Returns: The time; `nil` for a signature of another kind or length.
    public func cosignatureTime(_ signature: [UInt8]) -> UInt64? {
        guard algorithm == .cosignature, signature.count == 72 else { return nil }
        return signature.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func isEd25519(_ signature: [UInt8], on message: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        do {
            let key = try Curve25519.Signing.PublicKey(rawRepresentation: publicKey)
            return key.isValidSignature(signature, for: message)
        } catch {
            // The initializer has taken this key already; a key that is none has signed nothing.
            return false
        }
    }
}
