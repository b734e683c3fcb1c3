// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@Suite struct `Log checkpoint` {
    private let root = MerkleVectors.roots[8]

    @Test func `signed by another program is read, and signed alike by us`() throws {
        let note = try SignedNote(NoteVectors.checkpoint)
        let verifier = try NoteVerifier(vkey: NoteVectors.checkpointKey)
        let checkpoint = try Checkpoint(
            verifying: note,
            with: [verifier],
            origin: NoteVectors.origin
        )
        #expect(checkpoint.origin == NoteVectors.origin)
        #expect(checkpoint.size == 8)
        #expect(checkpoint.root.hex == root)
        let signer = try NoteSigner(name: NoteVectors.origin, seed: NoteVectors.seed)
        #expect(signer.verifier.vkey == NoteVectors.checkpointKey)
        #expect(try checkpoint.sign(with: signer).description == NoteVectors.checkpoint)
    }

    @Test func `cosigned by a witness is verified with the witness's key, and tells when`() throws {
        let note = try SignedNote(NoteVectors.checkpoint + NoteVectors.cosignature)
        let log = try NoteVerifier(vkey: NoteVectors.checkpointKey)
        let witness = try NoteVerifier(vkey: NoteVectors.witnessKey)
        #expect(witness.vkey == NoteVectors.witnessKey)
        #expect(try note.verify(with: [witness, log]) == [log, witness])
        #expect(witness.cosignatureTime(note.signatures[1].bytes) == 1_700_000_000)
        var late = note.signatures[1].bytes
        late[7] ^= 1
        #expect(!witness.isValid(signature: late, on: note.text))
        #expect(!witness.isValid(signature: [], on: note.text))
    }

    @Test func `is refused when of another log, by an unknown key or changed`() throws {
        let note = try SignedNote(NoteVectors.checkpoint)
        let verifier = try NoteVerifier(vkey: NoteVectors.checkpointKey)
        let other = CheckpointError.otherLog(origin: NoteVectors.origin, expected: "other.example")
        #expect(throws: other) {
            try Checkpoint(verifying: note, with: [verifier], origin: "other.example")
        }
        #expect(throws: SignedNoteError.self) {
            try Checkpoint(
                verifying: note,
                with: [try NoteVerifier(vkey: NoteVectors.exampleKey)]
            )
        }
        let changed = NoteVectors.checkpoint.replacing("\n8\n", with: "\n9\n")
        #expect(throws: SignedNoteError.badSignature(verifier.key)) {
            try Checkpoint(verifying: try SignedNote(changed), with: [verifier])
        }
    }

    @Test func `reads back what it prints`() throws {
        for size in [0, 1, 9, 10, 20_852_163, .max] as [UInt64] {
            let checkpoint = try Checkpoint(
                origin: "a.example/läuft",
                size: size,
                root: size == 0 ? .emptyTree : .leaf([1])
            )
            #expect(try Checkpoint(text: checkpoint.text) == checkpoint)
        }
    }

    @Test func `keeps lines that other logs add`() throws {
        let text = "a.example\n1\n\(MerkleHash.leaf([1]).base64)\nmore\nand more\n"
        let checkpoint = try Checkpoint(text: text)
        #expect(checkpoint.extensionLines == ["more", "and more"])
        #expect(checkpoint.text == text)
    }

    @Test(arguments: [
        "", "\n", "a\n", "a\n1\n", "a\n1\n@", "\n1\n@\n", "a\n\n@\n", "a\n1\n\n", "a\n01\n@\n",
        "a\n+1\n@\n", "a\n-1\n@\n", "a\n1 \n@\n", "a\n٣\n@\n", "a\n0x1\n@\n",
        "a\n18446744073709551616\n@\n", "a\n1\n@=\n", "a\n1\n@@\n", "a\n1\n@\n\n",
        "a\n1\nAAAA\n",
    ])
    func `is refused when malformed`(form: String) {
        let text = form.replacing("@", with: MerkleHash.leaf([1]).base64)
        #expect(throws: CheckpointError.malformed) { try Checkpoint(text: text) }
    }

    @Test func `of an empty log has the root of the empty tree`() throws {
        let root = MerkleHash.leaf([])
        #expect(throws: CheckpointError.emptyTreeRoot(root)) {
            try Checkpoint(origin: "a.example", size: 0, root: root)
        }
        #expect(try Checkpoint(origin: "a.example", size: 0, root: .emptyTree).size == 0)
    }

    @Test(arguments: ["", "a\nb", "a\u{0}b", String(repeating: "a", count: 1_025)])
    func `is refused for an origin that cannot be a line`(origin: String) {
        #expect(throws: CheckpointError.origin(origin)) {
            try Checkpoint(origin: origin, size: 0, root: .emptyTree)
        }
    }
}
