// SPDX-License-Identifier: Apache-2.0
import Events

/// What a checking thread found out about a batch by itself; what needs the entries before it comes later, in order.
struct BatchResult: Sendable {
    let number: Int
    let first: UInt64
    let count: Int
    /// Bytes of the entries.
    var byteCount = 0
    /// One for each entry.
    var facts: [EntryFacts] = []
    /// One for each 256 entries, the last perhaps of fewer.
    var blocks: [BlockResult] = []
    /// Entries that are wrong by themselves.
    var problems: [EntryProblem] = []
    /// How many entries could not be read or decoded: what they say is not among the rest.
    var unreadCount = 0
    /// The rows that the index must have of these entries, but for those that need an order.
    var indexSums = IndexSums()
    /// The first four bytes of each leaf hash, to name the entry whose tile differs.
    var leafMarks: [UInt32] = []
    var media: [MediaFact] = []
    var blobs: [BlobFact] = []
    var sealed = SealedTally()
    var erasures: [(person: PersonID, position: UInt64)] = []
    /// What tells of accounts and phones.
    var accounts: [RecordedEvent] = []
}

/// What comparing an entry with others needs.
struct EntryFacts: Sendable {
    var subject: UInt64 = 0
    var revision: UInt64 = 0
    var time: UInt64 = 0
    var id: UInt64 = 0
    var command: UInt64 = 0
    /// False if the envelope could not be read: then the rest says nothing.
    var isRead = false
    /// Whether the entry says that the clock was moved.
    var isClockStep = false
    /// Fingerprints as the index sums take them.
    var indexSubject: UInt64 = 0
    var indexCommand: UInt64 = 0
}

/// An entry that is wrong by itself.
struct EntryProblem: Sendable {
    let position: UInt64
    let fact: String
}

/// Up to 256 entries that are one tile of leaf hashes.
struct BlockResult: Sendable {
    /// The root over all 256; `nil` in the last block of a log that does not fill it.
    var root: MerkleHash?
    /// The root over what there is of a block that is not full.
    var tail: MerkleHash?
    /// The fingerprint of the tile, full or at the size that the index has.
    var tile: UInt64?
    /// Roots over the first entries, for sizes of the log that end inside the block or at its end.
    var partial: [(size: UInt64, root: MerkleHash)] = []
}
