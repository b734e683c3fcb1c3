// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
import Foundation
import Synchronization

/// What is derived from the entries and kept beside them, so that subjects, kinds and proofs are found quickly.
///
/// Disposable: it is rebuilt from the log when it is missing or does not fit.
final class LogIndex: Sendable {
    let environment: LMDBEnvironment
    let tables: Tables
    /// Seals what each commit leaves; `nil` where the ledger has no keys.
    let sealer: CommitSealer?
    /// What the rows come to now.
    let rows: Mutex<RowDigest>

    /// The tables, all with bytewise or native integer order.
    struct Tables: Sendable {
        /// Subject → its number, last revision and last position.
        let subjects: LMDBTable
        /// Subject number → (revision ‖ position), big-endian.
        let revisions: LMDBTable
        /// Subject number and role → positions of events that link to it.
        let links: LMDBTable
        /// Actor ‖ 0 ‖ command id → first position and count.
        let commands: LMDBTable
        /// Kind or category → its number.
        let names: LMDBTable
        /// Number of a kind → positions.
        let kinds: LMDBTable
        /// Number of a category → positions.
        let categories: LMDBTable
        /// Level ‖ number → hashes.
        let tiles: LMDBTable
        /// How far the index has come.
        let progress: LMDBTable
    }

    /// What the tables are called.
    static let tableNames: Set<String> = [
        "subjects", "revisions", "links", "commands", "names", "kinds", "categories", "tiles",
        "progress",
    ]

    init(
        path: String,
        map: MapSize,
        access: LMDBEnvironment.Access = .readWrite,
        sealer: CommitSealer? = nil
    ) throws(LMDBError) {
        self.sealer = sealer
        rows = Mutex(RowDigest(under: sealer?.rowKey))
        environment = try LMDBEnvironment(
            folder: path,
            access: access,
            map: map,
            tablesMax: Self.tableNames.count
        )
        let create: LMDBTable.Flags = access == .readWrite ? .create : []
        let transaction =
            access == .readWrite ? try environment.beginWrite() : try environment.beginRead()
        do throws(LMDBError) {
            tables = Tables(
                subjects: try transaction.table("subjects", create),
                revisions: try transaction.table(
                    "revisions",
                    [.integerKey, .fixedDuplicates, create]
                ),
                links: try transaction.table("links", [.integerKey, .integerDuplicates, create]),
                commands: try transaction.table("commands", create),
                names: try transaction.table("names", create),
                kinds: try transaction.table("kinds", [.integerKey, .integerDuplicates, create]),
                categories: try transaction.table(
                    "categories",
                    [.integerKey, .integerDuplicates, create]
                ),
                tiles: try transaction.table("tiles", create),
                progress: try transaction.table("progress", create)
            )
        } catch {
            transaction.abort()
            throw error
        }
        try transaction.commit()
    }
}

/// How far an index has come: it holds everything before `size`, and `leafHash` is the last leaf it saw.
struct IndexProgress: Hashable {
    let format: UInt64
    let size: UInt64
    let leafHash: MerkleHash?

    init(format: UInt64, size: UInt64, leafHash: MerkleHash?) {
        self.format = format
        self.size = size
        self.leafHash = leafHash
    }

    /// Reads what is stored; `nil` if nothing is.
    init?(
        in tables: LogIndex.Tables,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        let stored = try withText("progress") { key throws(LMDBError) in
            try transaction.get(tables.progress, key)
        }
        guard let stored, stored.count == 48 else { return nil }
        format = stored.loadUnaligned(as: UInt64.self)
        size = stored.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        leafHash = MerkleHash(bytes: stored[16..<48])
    }
}

/// The 20 bytes kept for a subject; the highest revision stands for none.
struct SubjectRecord {
    var number: UInt32
    var revision: UInt64
    var position: UInt64

    static let byteCount = 20

    init(number: UInt32, revision: UInt64, position: UInt64) {
        self.number = number
        self.revision = revision
        self.position = position
    }

    init(_ bytes: UnsafeRawBufferPointer) {
        number = bytes.loadUnaligned(as: UInt32.self)
        revision = bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self)
        position = bytes.loadUnaligned(fromByteOffset: 12, as: UInt64.self)
    }

    var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            bytes.storeBytes(of: number, as: UInt32.self)
            bytes.storeBytes(of: revision, toByteOffset: 4, as: UInt64.self)
            bytes.storeBytes(of: position, toByteOffset: 12, as: UInt64.self)
            count = Self.byteCount
        }
    }
}
