// SPDX-License-Identifier: Apache-2.0

extension NoteSigner {
    private static let marker = "PRIVATE+KEY+"

    /// Reads a signer key, `PRIVATE+KEY+<name>+<id>+<base64 of type and seed>`.
    ///
    /// - Parameter skey: The text as other tools of this format store it.
    /// - Throws: ``SignedNoteError/privateKey``; the message never repeats the text.
    public init(skey: String) throws(SignedNoteError) {
        guard skey.hasPrefix(Self.marker) else { throw .privateKey }
        let parts = skey.dropFirst(Self.marker.count).split(
            separator: "+",
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard parts.count == 3, let bytes = Base64Text.decode(parts[2]),
            bytes.first == NoteVerifier.Algorithm.ed25519.rawValue
        else { throw .privateKey }
        try self.init(name: String(parts[0]), seed: [UInt8](bytes.dropFirst()))
        guard verifier.key.idHex.utf8.elementsEqual(parts[1].utf8) else { throw .privateKey }
    }

    /// The signer key as other tools of this format store it; as secret as ``seed``.
    public var skey: String {
        let bytes = [NoteVerifier.Algorithm.ed25519.rawValue] + seed
        return "\(Self.marker)\(verifier.key)+\(Base64Text.encode(bytes))"
    }
}
