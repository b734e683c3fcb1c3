// SPDX-License-Identifier: Apache-2.0
import Events

/// Right bytes of each format, made up from a seed, for fuzzers to begin with.
enum EventSamples {
    /// The event that payloads are read as being of.
    static let id: EventID = {
        var chance = SeededGenerator(seed: 1)
        return EventID(at: Timestamp(microseconds: 1_795_000_000_000_000), using: &chance)
    }()

    /// Entries of a made-up evening, one of each kind that comes up and some more.
    static func entries() throws -> [[UInt8]] {
        let keys = SeededKeys()
        let encoder = EventEncoder(keys: NoKeys())
        var seen: [Kind: Int] = [:]
        return try RecordedHistory(PlausibleHistory(seed: 1, events: 1_500), keys: keys)
            .compactMap { event in
                let envelope = event.envelope
                seen[envelope.kind, default: 0] += 1
                guard seen[envelope.kind, default: 0] <= 2 else { return nil }
                return envelope.printed(around: try encoder.encode(event.fact, id: envelope.id))
            }
    }

    /// The `data` of each kind, behind a byte that names the kind by its row in the catalog.
    static func payloads() throws -> [[UInt8]] {
        let keys = SeededKeys()
        return try EventCatalog.current.rows.enumerated().flatMap { row, kind in
            var arbitrary = Arbitrary(seed: UInt64(row))
            return try (0..<2).compactMap { _ -> [UInt8]? in
                guard let fact = Fact.arbitrary(of: kind.kind, using: &arbitrary) else {
                    return nil
                }
                let encoder = EventEncoder(keys: keys, nonces: .fromPlace)
                return [UInt8(row)] + (try encoder.encode(fact, id: id))
            }
        }
    }

    static func signer() throws -> NoteSigner {
        try NoteSigner(name: "daybook.example.org/main", seed: Array(repeating: 7, count: 32))
    }

    /// Checkpoints with a signature and with two.
    static func notes() throws -> [[UInt8]] {
        let witness = try NoteSigner(name: "witness.example.org", seed: Array(1...32))
        let root = MerkleHash.leaf(Array("an entry".utf8))
        return try [1, 256, UInt64.max].flatMap { size in
            let head = try Checkpoint(origin: "daybook.example.org/main", size: size, root: root)
            return [
                try head.sign(with: signer()).bytes,
                try SignedNote(text: head.text, signedBy: [signer(), witness]).bytes,
            ]
        }
    }
}
