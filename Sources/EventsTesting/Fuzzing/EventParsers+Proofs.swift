// SPDX-License-Identifier: Apache-2.0
import Events

extension EventParser {
    /// A note that is read prints to the same bytes.
    public static let note = EventParser(name: "note") {
        try EventSamples.notes()
    } examine: { bytes in
        let note: SignedNote
        do { note = try SignedNote(bytes: bytes) } catch { return try refuses(error) }
        guard note.bytes == bytes else { throw ParserFault("a note prints otherwise") }
        guard note.signatures.count <= ProofLimits.noteSignaturesMax else {
            throw ParserFault("a note has \(note.signatures.count) signatures")
        }
        return true
    }

    /// A checkpoint that is read prints to the same text.
    public static let checkpoint = EventParser(name: "checkpoint") {
        try EventSamples.notes().map { Array(try SignedNote(bytes: $0).text.utf8) }
    } examine: { bytes in
        // Whoever reads a checkpoint has it from a note, which is UTF-8.
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        let checkpoint: Checkpoint
        do { checkpoint = try Checkpoint(text: text) } catch { return try refuses(error) }
        guard Array(checkpoint.text.utf8) == bytes else {
            throw ParserFault("a checkpoint prints otherwise")
        }
        return true
    }

    /// A public key that is read prints to the same text.
    public static let verifierKey = EventParser(name: "vkey") {
        [Array(try EventSamples.signer().verifier.vkey.utf8)]
    } examine: { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        let key: NoteVerifier
        do { key = try NoteVerifier(vkey: text) } catch { return try refuses(error) }
        guard Array(key.vkey.utf8) == bytes else { throw ParserFault("a key prints otherwise") }
        return true
    }

    /// A path that is read prints to itself.
    public static let tilePath = EventParser(name: "tile") {
        [
            "tile/0/000", "tile/3/x001/234.p/17", "tile/entries/x123/x456/789", "tile/63/000.p/255",
            "tile/entries/067.p/1", "tile/1/x012/x345/x678/x901/x234/567",
        ].map { Array($0.utf8) }
    } examine: { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        let path: TilePath
        do { path = try TilePath(text) } catch { return try refuses(error) }
        guard Array(path.description.utf8) == bytes else {
            throw ParserFault("a path prints otherwise")
        }
        return true
    }

    /// The entries of a bundle that is read make up the same bytes.
    public static let bundle = EventParser(name: "bundle") {
        var bundle: [UInt8] = []
        for entry in try EventSamples.entries().prefix(4) {
            try entry.withUnsafeBytes { try EntryBundle.append($0, to: &bundle) }
        }
        return [bundle, [0, 1, 65, 0, 0, 0, 2, 66, 67]]
    } examine: { bytes in
        let entries: [ArraySlice<UInt8>]
        do { entries = try EntryBundle.entries(in: bytes) } catch { return try refuses(error) }
        var printed: [UInt8] = []
        for entry in entries {
            try entry.withUnsafeBytes { try EntryBundle.append($0, to: &printed) }
        }
        guard printed == bytes, entries.count <= ProofLimits.tileWidth else {
            throw ParserFault("a bundle of \(entries.count) entries prints otherwise")
        }
        return true
    }
}
