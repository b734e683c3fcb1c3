// SPDX-License-Identifier: Apache-2.0

extension SignedNote: CustomStringConvertible {
    // “— ”: an em dash and a space.
    private static let lineStart: [UInt8] = [0xe2, 0x80, 0x94, 0x20]
    private static let newline = UInt8(ascii: "\n")

    /// The note as it is stored and served.
    public var description: String {
        signatures.reduce("\(text)\n") { "\($0)\($1)\n" }
    }

    /// The note as it is stored and served, in UTF-8.
    public var bytes: [UInt8] { [UInt8](description.utf8) }

    /// Reads a note.
    ///
    /// - Parameter bytes: All bytes of the note, at most 1 MiB.
    /// - Throws: ``SignedNoteError/malformed(_:)``, ``SignedNoteError/tooManySignatures`` or
    ///   ``SignedNoteError/tooLong(byteCount:)``.
    public init(bytes: [UInt8]) throws(SignedNoteError) {
        guard bytes.count <= ProofLimits.noteBytesMax else {
            throw .tooLong(byteCount: bytes.count)
        }
        guard bytes.allSatisfy(Self.isAllowed) else { throw .malformed(.controlCharacter) }
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .malformed(.notUTF8) }
        guard let end = Self.lastEmptyLine(in: bytes) else { throw .malformed(.noSignature) }
        let lines = bytes[(end + 1)...]
        guard lines.last == Self.newline else { throw .malformed(.lineEnd) }
        var signatures: [Signature] = []
        for line in lines.dropLast().split(
            separator: Self.newline,
            omittingEmptySubsequences: false
        ) {
            guard signatures.count < ProofLimits.noteSignaturesMax else {
                throw .tooManySignatures
            }
            guard let signature = Signature(line: line) else {
                throw .malformed(.signatureLine(signatures.count + 1))
            }
            signatures.append(signature)
        }
        try self.init(text: String(decoding: bytes[..<end], as: UTF8.self), signatures: signatures)
    }

    /// Reads a note held as a string.
    ///
    /// - Parameter string: The whole note.
    /// - Throws: What ``init(bytes:)`` throws.
    public init(_ string: String) throws(SignedNoteError) {
        try self.init(bytes: [UInt8](string.utf8))
    }

    /// The offset of the newline that is the last empty line; the text ends just before it.
    private static func lastEmptyLine(in bytes: [UInt8]) -> Int? {
        bytes.indices.dropFirst().last { bytes[$0] == newline && bytes[$0 - 1] == newline }
    }
}

extension SignedNote.Signature: CustomStringConvertible {
    /// The signature line without its newline.
    public var description: String {
        let id = withUnsafeBytes(of: key.id.bigEndian) { [UInt8]($0) }
        return "— \(key.name) \(Base64Text.encode(id + bytes))"
    }

    /// Reads a line without its newline; `nil` when it is none.
    fileprivate init?(line: ArraySlice<UInt8>) {
        guard line.starts(with: SignedNote.lineStart) else { return nil }
        let fields = line.dropFirst(SignedNote.lineStart.count).split(
            separator: UInt8(ascii: " "),
            omittingEmptySubsequences: false
        )
        guard fields.count == 2,
            let bytes = Base64Text.decode(String(decoding: fields[1], as: UTF8.self)),
            bytes.count > 4
        else { return nil }
        let name = String(decoding: fields[0], as: UTF8.self)
        guard NoteKey.isValid(name: name) else { return nil }
        let id = bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        self.init(key: NoteKey(name: name, id: id), bytes: [UInt8](bytes.dropFirst(4)))
    }
}
