// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// An index is believed as far as the last commit of this ledger's keys left it: each commit seals all of its rows.
///
/// Its tiles are among them. So whoever asks the index where something stands, and holds the entry against its leaf there,
/// knows that it is the entry that was committed, and that the index named all there were.
extension LogIndex {
    /// The tables whose rows are sealed; the numbers stand for them in the digest, for good.
    enum Sealed: UInt8, CaseIterable {
        case subjects = 1
        case revisions, links, commands, names, kinds, categories, tiles
    }

    func table(_ sealed: Sealed) -> LMDBTable {
        switch sealed {
        case .subjects: tables.subjects
        case .revisions: tables.revisions
        case .links: tables.links
        case .commands: tables.commands
        case .names: tables.names
        case .kinds: tables.kinds
        case .categories: tables.categories
        case .tiles: tables.tiles
        }
    }

    /// Reads every row and tells whether they are what the last commit sealed; further commits go on from there.
    ///
    /// Where the ledger has no keys, an index is believed as it is.
    func isAsSealed() throws -> Bool {
        guard sealer != nil else { return true }
        let (digest, isSealed) = try environment.read {
            transaction throws(LMDBError) -> (RowDigest, Bool) in
            let digest = try self.digest(transaction)
            let stored = try fact("seal", transaction)
            let expected = try sealCode(digest, transaction)
            return (digest, stored == expected)
        }
        if isSealed { rows.withLock { $0 = digest } }
        return isSealed
    }

    /// Seals what a transaction leaves, in that transaction.
    func seal(
        _ digest: RowDigest,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        guard let code = try sealCode(digest, transaction) else { return }
        try withText("seal") { key throws(LMDBError) in
            try withText(code) { value throws(LMDBError) in
                try transaction.put(tables.progress, key, value)
            }
        }
    }

    /// Puts a row in place of the one that stands there.
    func put(
        _ sealed: Sealed,
        _ key: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer,
        _ digest: inout RowDigest,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        if digest.isKept, let former = try transaction.get(table(sealed), key) {
            digest.remove(sealed.rawValue, key, former)
        }
        digest.add(sealed.rawValue, key, value)
        try transaction.put(table(sealed), key, value)
    }

    private func digest(_ transaction: borrowing LMDBTransaction) throws(LMDBError) -> RowDigest {
        var digest = RowDigest(under: sealer?.rowKey)
        for sealed in Sealed.allCases {
            let cursor = try transaction.cursor(table(sealed))
            var pair = try cursor.first()
            while let row = pair {
                digest.add(sealed.rawValue, row.key, row.value)
                pair = try cursor.next()
            }
        }
        return digest
    }

    /// `nil` where the ledger has no keys.
    private func sealCode(
        _ digest: RowDigest,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) -> String? {
        guard let sealer else { return nil }
        let progress = try IndexProgress(in: tables, transaction)
        return sealer.seal(digest, progress, links: try fact("links", transaction))
    }

    private func fact(
        _ name: String,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) -> String? {
        try withText(name) { key throws(LMDBError) in
            try transaction.get(tables.progress, key).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
