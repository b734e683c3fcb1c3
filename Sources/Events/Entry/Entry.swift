// SPDX-License-Identifier: Apache-2.0
/// One event as it is stored, hashed, exported and served: canonical JSON, with its envelope read.
public struct Entry: Hashable, Sendable {
    /// The whole entry: the Merkle leaf, without a line end.
    public let bytes: [UInt8]
    /// Everything that the entry says beside its `data`.
    public let envelope: Envelope
    private let dataRange: Range<Int>

    /// Reads the envelope of stored bytes by scanning their canonical order; `data` is not looked at.
    ///
    /// - Throws: ``EntryError`` when the bytes are no entry in that order.
    public init(parsing bytes: [UInt8]) throws(EntryError) {
        let scanned = try bytes.withUnsafeBufferPointer { buffer throws(EntryError) in
            try EntryScanner.scan(buffer)
        }
        self.bytes = bytes
        envelope = scanned.envelope
        dataRange = scanned.data
    }

    /// The payload in canonical JSON.
    public var data: ArraySlice<UInt8> { bytes[dataRange] }

    /// The people for whom the payload has a sealed field.
    public var sealedPersons: Set<PersonID> { Events.sealedPersons(in: data) }

    /// The hash of this entry as a leaf of the Merkle tree (RFC 6962 §2.1).
    public var leafHash: MerkleHash { bytes.withUnsafeBytes { MerkleHash.leaf($0) } }
}

/// Why bytes are no entry.
public struct EntryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was expected where.
    public let reason: String

    public var description: String {
        "these bytes are no entry: \(reason); the log or the file they came from is damaged"
    }
}
