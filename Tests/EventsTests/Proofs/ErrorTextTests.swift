// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@Suite struct `Errors about proofs` {
    @Test func `say what was tried, what is so and what to do`() {
        let index = ProofError.indexOutsideTree(index: 9, size: 8)
        #expect("\(index)".contains("leaf 9: the tree has 8 leaves; ask"))
        let tile = TileError.length(Tile(level: 0, index: 1, width: 44), byteCount: 32)
        #expect("\(tile)".contains("tile/0/001.p/44 unreadable: 32 bytes, 1408 needed; rebuild"))
        let note = SignedNoteError.malformed(.signatureLine(2))
        #expect("\(note)".contains("signature line 2"))
        let checkpoint = CheckpointError.otherLog(origin: "a", expected: "b")
        #expect("\(checkpoint)".contains("it is of a, expected was b"))
    }

    @Test func `never repeat a private key`() {
        #expect(throws: SignedNoteError.privateKey) { try NoteSigner(skey: "PRIVATE+KEY+secret") }
        #expect(!"\(SignedNoteError.privateKey)".contains("secret"))
    }
}
