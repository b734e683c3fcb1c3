// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
public import Foundation

/// The derived index of a ledger as it stands on disk, for whoever compares it with the entries.
public final class IndexReader {
    private let index: LogIndex
    // One snapshot for everything, ended by `deinit`.
    private let snapshot: OpaquePointer
    private let begun: Int
    /// How many entries it holds.
    public let size: UInt64
    /// The hash of the last of them.
    public let leafHash: MerkleHash?

    /// Opens `index/` below a ledger's folder for reading.
    public static func open(_ folder: URL) throws -> IndexReader {
        try IndexReader(LedgerReader.openIndex(folder))
    }

    private init(_ index: LogIndex) throws {
        self.index = index
        let transaction = try index.environment.beginRead()
        let handle = transaction.handle
        snapshot = handle
        begun = mdb_txn_id(handle)
        let progress = try IndexProgress(in: index.tables, LMDBTransaction(handle: handle))
        size = progress?.size ?? 0
        leafHash = progress?.leafHash
        let isOurs = try progress.map {
            try $0.format == LogIndex.format && index.hasCurrentLinks()
        }
        guard isOurs ?? true else {
            throw EventLogError.unreadable(
                detail: "the index is of another format; it is made again when the ledger is opened"
            )
        }
    }

    deinit {
        mdb_txn_abort(snapshot)
    }

    /// Whether nobody can have written over what was read here: false only without a lock, beside a writer.
    public var isSteady: Bool {
        !index.environment.isLockFree || index.environment.lastTransaction <= begun + 1
    }

    /// What the index's file has beside the tables of an index.
    public func foreignTables() throws -> [String] {
        try LMDBTransaction(handle: snapshot).tableNames(countMax: LogLimits.tableNamesMax)
            .filter { !LogIndex.tableNames.contains($0) }
    }

    /// Shows every stored tile once; the bytes die with the call.
    public func tiles(
        _ take: (_ level: Int, _ number: UInt64, UnsafeRawBufferPointer) -> Void
    ) throws {
        try rows(index.tables.tiles) { key, value in
            guard key.count == 8 else { return }
            let packed = UInt64(bigEndian: key.loadUnaligned(as: UInt64.self))
            take(Int(packed >> 56), packed & (1 << 56 - 1), value)
        }
    }

    /// Counts and sums the rows of all other tables.
    public func sums() throws -> IndexSums {
        var sums = IndexSums()
        var subjects: [UInt64: UInt64] = [:]
        var names: [UInt64: UInt64] = [:]
        try rows(index.tables.subjects) { key, value in
            let record = SubjectRecord(value)
            let text = fingerprint(key)
            subjects[UInt64(record.number)] = text
            // A subject that is only linked to has no event; its row follows from the links.
            guard record.revision != .max else { return }
            sums.add(.subjects, text, record.revision, record.position)
        }
        try rows(index.tables.names) { key, value in
            names[UInt64(value.loadUnaligned(as: UInt32.self))] = fingerprint(key)
        }
        try rows(index.tables.revisions) { key, value in
            let place = RevisionPlace(value)
            sums.add(.revisions, name(key, in: subjects), place.revision, place.position)
        }
        try rows(index.tables.links) { key, value in
            let link = LinkKey(packed: UInt64(key.loadUnaligned(as: UInt.self)))
            sums.add(
                .links,
                subjects[UInt64(link.subject)] ?? 0,
                UInt64(value.loadUnaligned(as: UInt.self)),
                UInt64(link.role)
            )
        }
        try addPositions(.kinds, index.tables.kinds, names, to: &sums)
        try addPositions(.categories, index.tables.categories, names, to: &sums)
        try rows(index.tables.commands) { key, value in
            sums.add(
                .commands,
                fingerprint(key),
                value.loadUnaligned(as: UInt64.self),
                UInt64(value.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
            )
        }
        return sums
    }

    private func addPositions(
        _ table: IndexSums.Table,
        _ rows: LMDBTable,
        _ names: [UInt64: UInt64],
        to sums: inout IndexSums
    ) throws {
        var found = IndexSums()
        try self.rows(rows) { key, value in
            found.add(table, name(key, in: names), UInt64(value.loadUnaligned(as: UInt.self)))
        }
        sums.add(found)
    }

    private func name(_ key: UnsafeRawBufferPointer, in names: [UInt64: UInt64]) -> UInt64 {
        names[UInt64(key.loadUnaligned(as: UInt.self))] ?? 0
    }

    private func rows(
        _ table: LMDBTable,
        _ take: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
    ) throws {
        let cursor = try LMDBTransaction(handle: snapshot).cursor(table)
        var pair = try cursor.first()
        while let row = pair {
            take(row.key, row.value)
            pair = try cursor.next()
        }
    }
}
