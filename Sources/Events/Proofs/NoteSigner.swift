// SPDX-License-Identifier: Apache-2.0
import Crypto

/// An Ed25519 private key that signs notes under a name (C2SP signed-note).
public struct NoteSigner: Sendable {
    /// What others check the signatures with.
    public let verifier: NoteVerifier

    private let privateKey: Curve25519.Signing.PrivateKey

    /// The name of the key.
    public var name: String { verifier.key.name }

    /// A signer with a new key out of the system's random source.
    ///
    /// - Parameter name: The name of the key; for a log its origin.
    /// - Throws: ``SignedNoteError/keyName(_:)``.
    public init(name: String) throws(SignedNoteError) {
        try self.init(name: name, privateKey: Curve25519.Signing.PrivateKey())
    }

    /// A signer with a known key.
    ///
    /// - Parameters:
    ///   - name: The name of the key.
    ///   - seed: The 32-byte seed of the Ed25519 key (RFC 8032).
    /// - Throws: ``SignedNoteError/keyName(_:)`` or ``SignedNoteError/privateKey``.
    public init(name: String, seed: [UInt8]) throws(SignedNoteError) {
        let key: Curve25519.Signing.PrivateKey
        do {
            key = try Curve25519.Signing.PrivateKey(rawRepresentation: seed)
        } catch {
            throw .privateKey
        }
        try self.init(name: name, privateKey: key)
    }

    private init(
        name: String,
        privateKey: Curve25519.Signing.PrivateKey
    ) throws(SignedNoteError) {
        self.privateKey = privateKey
        let publicKey = [UInt8](privateKey.publicKey.rawRepresentation)
        verifier = try NoteVerifier(name: name, publicKey: publicKey)
    }

    /// The 32-byte seed.
    ///
    /// Whoever has it can sign in this name: it belongs into a file that only
    /// the service may read, and never into a log.
    public var seed: [UInt8] { [UInt8](privateKey.rawRepresentation) }

    /// Signs a text.
    ///
    /// - Parameter text: The text of a note, ending in a newline.
    /// - Returns: The signature line.
    /// - Throws: ``SignedNoteError/signing`` when the cryptographic library fails.
    public func signature(on text: String) throws(SignedNoteError) -> SignedNote.Signature {
        do {
            let bytes = [UInt8](try privateKey.signature(for: [UInt8](text.utf8)))
            return SignedNote.Signature(key: verifier.key, bytes: bytes)
        } catch {
            throw .signing
        }
    }
}

// Printing or dumping a signer shows its name, never its key.
extension NoteSigner: CustomStringConvertible, CustomReflectable {
    public var description: String { "signer \(verifier.key)" }
    public var customMirror: Mirror { Mirror(self, children: ["key": verifier.key]) }
}
