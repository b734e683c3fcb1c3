// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
import Glibc

/// What liblmdb answered instead of success.
struct LMDBError: Error, Hashable, CustomStringConvertible {
    /// An `MDB_…` code (negative) or an `errno` (positive).
    let code: Int32

    /// liblmdb's own words.
    var description: String { "\(String(cString: mdb_strerror(code))) (\(code))" }

    /// Whether the map, the disk or the memory has no room; nothing of the transaction was kept.
    var isFull: Bool {
        [MDB_MAP_FULL, MDB_TXN_FULL, ENOSPC, EDQUOT, ENOMEM].contains(code)
    }

    /// Whether the map has no room: a larger one would.
    var isMapFull: Bool { code == MDB_MAP_FULL }

    /// Whether the file is no database, damaged, or not laid out as asked; anything else may be over in a moment.
    var isDamage: Bool {
        [MDB_INVALID, MDB_CORRUPTED, MDB_VERSION_MISMATCH, MDB_PAGE_NOTFOUND, MDB_INCOMPATIBLE]
            .contains(code)
    }

    static let notFound = MDB_NOTFOUND
}

/// Throws unless liblmdb said that it succeeded.
func check(_ code: Int32) throws(LMDBError) {
    guard code == MDB_SUCCESS else { throw LMDBError(code: code) }
}
