// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension LogIndex {
    /// The layout of the tables that this program writes and reads; an index of another one is foreign.
    static let format: UInt64 = 2

    /// Four bytes that stand for the links of one event.
    static func digest(of links: [SubjectLink]) -> UInt32 {
        let lines = links.map { "\($0.role.rawValue) \($0.subject)" }.sorted()
        return MerkleHash.leaf(Array(lines.joined(separator: "\n").utf8)).withUnsafeBytes {
            UInt32(bigEndian: $0.loadUnaligned(as: UInt32.self))
        }
    }

    /// What an index says about the links that it was made with: a line for each kind that was known.
    static let links: String = EventCatalog.current.rows
        .map { "\($0.kind) \($0.traits.linksDigest)\n" }.sorted().joined()

    /// Whether an index that says so was made with the links that every kind has now.
    ///
    /// A kind that it did not know cannot stand in its log, so new kinds make no index foreign.
    static func areCurrent(_ links: String) -> Bool {
        let current = Set(Self.links.split(separator: "\n"))
        return links.split(separator: "\n").allSatisfy(current.contains)
    }

    /// What this index says about its links; `nil` before it says so.
    func storedLinks() throws -> String? {
        try environment.read { transaction throws(LMDBError) in
            try withText("links") { key throws(LMDBError) in
                try transaction.get(tables.progress, key).map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
        }
    }

    /// Makes the index say that its links are those of today, if it does not yet.
    func recordLinks() throws {
        guard try storedLinks() != Self.links else { return }
        let transaction = try environment.beginWrite()
        do throws(LMDBError) {
            try withText("links") { key throws(LMDBError) in
                try withText(Self.links) { value throws(LMDBError) in
                    try transaction.put(tables.progress, key, value)
                }
            }
            try seal(rows.withLock { $0 }, transaction)
        } catch {
            transaction.abort()
            throw error
        }
        try transaction.commit()
    }
}
