// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@Suite struct `Signed note` {
    @Test(arguments: [
        (NoteVectors.example, NoteVectors.exampleKey, "This is an example message.\n"),
        (NoteVectors.goNote, NoteVectors.goKey, NoteVectors.goText),
    ])
    func `made by others is verified and printed as read`(
        text: String,
        vkey: String,
        signed: String
    ) throws {
        let note = try SignedNote(text)
        let verifier = try NoteVerifier(vkey: vkey)
        #expect(try note.verify(with: [verifier]) == [verifier])
        #expect(note.text == signed)
        #expect(note.description == text)
        #expect(note.bytes == [UInt8](text.utf8))
        #expect(verifier.vkey == vkey)
    }

    @Test func `is signed as others sign it`() throws {
        let signer = try NoteSigner(skey: NoteVectors.goPrivateKey)
        let note = try SignedNote(text: NoteVectors.goText, signedBy: [signer])
        #expect(note.description == NoteVectors.goNote)
        #expect(signer.skey == NoteVectors.goPrivateKey)
        #expect(signer.verifier.vkey == NoteVectors.goKey)
    }

    @Test func `is refused after any change of one bit`() throws {
        let verifier = try NoteVerifier(vkey: NoteVectors.exampleKey)
        let bytes = [UInt8](NoteVectors.example.utf8)
        for place in bytes.indices {
            for bit in 0..<8 as Range<UInt8> {
                var damaged = bytes
                damaged[place] ^= 1 << bit
                #expect(throws: SignedNoteError.self, "byte \(place), bit \(bit)") {
                    try SignedNote(bytes: damaged).verify(with: [verifier])
                }
            }
        }
    }

    @Test func `is refused wherever it is cut off`() throws {
        let verifier = try NoteVerifier(vkey: NoteVectors.exampleKey)
        let bytes = [UInt8](NoteVectors.example.utf8)
        for count in bytes.indices {
            #expect(throws: SignedNoteError.self, "after \(count) bytes") {
                try SignedNote(bytes: Array(bytes.prefix(count))).verify(with: [verifier])
            }
        }
    }

    @Test func `ignores unknown keys, even with a known name or a known id`() throws {
        let signer = try NoteSigner(name: "a.example", seed: NoteVectors.seed)
        let sameName = try NoteSigner(name: "a.example")
        let text = "text\n"
        let genuine = try signer.signature(on: text)
        let line = genuine.description.dropFirst("— a.example ".count)
        let sameID = try SignedNote("\(text)\n— b.example \(line)\n").signatures[0]
        #expect(sameID.key.id == signer.verifier.key.id)
        let note = try SignedNote(
            text: text,
            signatures: [sameID, try sameName.signature(on: "other\n"), genuine]
        )
        #expect(try note.verify(with: [signer.verifier]) == [signer.verifier])
        let unknown = try SignedNote(text: text, signatures: [sameID])
        #expect(throws: SignedNoteError.noKnownKey(signedBy: [sameID.key])) {
            try unknown.verify(with: [signer.verifier])
        }
        #expect(throws: SignedNoteError.self) { try unknown.verify(with: []) }
    }

    @Test func `is refused when one of two known keys signed something else`() throws {
        let first = try NoteSigner(name: "a.example")
        let second = try NoteSigner(name: "b.example")
        let note = try SignedNote(
            text: "text\n",
            signatures: [try first.signature(on: "text\n"), try second.signature(on: "other\n")]
        )
        #expect(try note.verify(with: [first.verifier]) == [first.verifier])
        #expect(throws: SignedNoteError.badSignature(second.verifier.key)) {
            try note.verify(with: [first.verifier, second.verifier])
        }
    }

    @Test func `names a key once that signed twice, and refuses two keys of one id`() throws {
        let signer = try NoteSigner(name: "a.example")
        let note = try SignedNote(text: "text\n", signedBy: [signer, signer])
        #expect(try note.verify(with: [signer.verifier, signer.verifier]) == [signer.verifier])
    }

    @Test func `takes 100 signatures and refuses more`() throws {
        let signers = try (0..<100).map { try NoteSigner(name: "\($0).example") }
        let note = try SignedNote(text: "text\n", signedBy: signers)
        let verifiers = signers.map(\.verifier)
        #expect(try SignedNote(note.description).verify(with: verifiers) == verifiers)
        let line = try signers[0].signature(on: "text\n")
        #expect(throws: SignedNoteError.tooManySignatures) {
            try SignedNote("\(note)\(line)\n")
        }
    }

    @Test func `keeps empty lines of its text, split at the last`() throws {
        let signer = try NoteSigner(name: "a.example")
        let text = "first\n\n\nlast\n"
        let note = try SignedNote(text: text, signedBy: [signer])
        let read = try SignedNote(note.description)
        #expect(read.text == text)
        try read.verify(with: [signer.verifier])
    }

    @Test func `is refused when too long`() {
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: ProofLimits.noteBytesMax + 1)
        #expect(throws: SignedNoteError.tooLong(byteCount: bytes.count)) {
            try SignedNote(bytes: bytes)
        }
    }

    @Test(
        arguments: [
            ("", .noSignature), ("text\n", .noSignature), ("text\n\n", .lineEnd),
            ("text\n\n— a AAAAAAA=", .lineEnd), ("text\n\n- a AAAAAAA=\n", .signatureLine(1)),
            ("text\n\n—  AAAAAAA=\n", .signatureLine(1)), ("text\n\n— a\n", .signatureLine(1)),
            ("text\n\n— a b AAAAAAA=\n", .signatureLine(1)),
            ("text\n\n— a+b AAAAAAA=\n", .signatureLine(1)),
            ("text\n\n— a\u{a0}b AAAAAAA=\n", .signatureLine(1)),
            ("text\n\n— a\u{2003} AAAAAAA=\n", .signatureLine(1)),
            ("text\n\n— a AAAAAA==\n", .signatureLine(1)),
            ("text\n\n— a AAAAAAB=\n", .signatureLine(1)),
            ("text\n\n— a AAAAAAA\n", .signatureLine(1)),
            ("text\n\n— a AAAAAAA= \n", .signatureLine(1)),
            ("text\n\n— a AAAAAAA=\n— b\n", .signatureLine(2)),
            ("te\u{0}xt\n\n— a AAAAAAA=\n", .controlCharacter),
            ("text\r\n\n— a AAAAAAA=\n", .controlCharacter),
            ("te\txt\n\n— a AAAAAAA=\n", .controlCharacter),
        ] as [(String, SignedNoteError.Flaw)]
    )
    func `is refused when malformed, with the flaw`(text: String, flaw: SignedNoteError.Flaw) {
        #expect(throws: SignedNoteError.malformed(flaw)) { try SignedNote(text) }
    }

    @Test func `is refused when not UTF-8`() {
        let bytes = [0xff] + [UInt8](NoteVectors.example.utf8)
        #expect(throws: SignedNoteError.malformed(.notUTF8)) { try SignedNote(bytes: bytes) }
    }

    @Test func `is not made of a text that could not be read back`() throws {
        let signer = try NoteSigner(name: "a.example")
        #expect(throws: SignedNoteError.malformed(.textEnd)) {
            try SignedNote(text: "text", signedBy: [signer])
        }
        #expect(throws: SignedNoteError.malformed(.controlCharacter)) {
            try SignedNote(text: "te\u{7}xt\n", signedBy: [signer])
        }
        #expect(throws: SignedNoteError.malformed(.noSignature)) {
            try SignedNote(text: "text\n", signedBy: [])
        }
    }
}

@Suite struct `Note key` {
    @Test(arguments: [
        "", "name", "name+530d903a", "+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/fop+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530D903A+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530d903a+AukyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U==",
        "example.com/foo+530d903a+",
    ])
    func `is not read from another text`(vkey: String) {
        #expect(throws: SignedNoteError.verifierKey(vkey)) { try NoteVerifier(vkey: vkey) }
    }

    @Test(arguments: ["", "a b", "a+b", "a\nb", "a\u{2028}b", String(repeating: "a", count: 1_025)])
    func `is not made for a name that cannot stand in a signature`(name: String) {
        #expect(throws: SignedNoteError.keyName(name)) { try NoteSigner(name: name) }
    }

    @Test func `that is private is read back, and never shown by printing`() throws {
        let signer = try NoteSigner(name: "a.example/log")
        let read = try NoteSigner(skey: signer.skey)
        #expect(read.verifier == signer.verifier)
        #expect(read.seed == signer.seed)
        var dumped = ""
        dump(signer, to: &dumped)
        dumped += "\(signer)" + String(reflecting: signer)
        #expect(dumped.contains("a.example/log"))
        #expect(!dumped.contains(signer.skey.suffix(44)))
        #expect(!dumped.contains("\(signer.seed)"))
        #expect(!dumped.contains("privateKey"))
    }

    @Test(arguments: ["", "PRIVATE+KEY+", "PRIVATE+KEY+PeterNeumann+c74f20a3+", NoteVectors.goKey])
    func `that is private is not read from another text`(skey: String) {
        #expect(throws: SignedNoteError.privateKey) { try NoteSigner(skey: skey) }
    }

    @Test func `names differ when their bytes differ`() throws {
        let composed = try NoteSigner(name: "caf\u{e9}", seed: NoteVectors.seed)
        let combined = try NoteSigner(name: "cafe\u{301}", seed: NoteVectors.seed)
        #expect(composed.verifier.key != combined.verifier.key)
    }
}
