// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
import Glibc

/// A transaction: it ends by ``commit()`` or ``abort()``, once.
struct LMDBTransaction: ~Copyable {
    let handle: OpaquePointer

    /// Looks through a transaction that somebody else ends.
    init(handle: OpaquePointer) {
        self.handle = handle
    }

    init(environment: OpaquePointer, flags: UInt32) throws(LMDBError) {
        var begun: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, flags, &begun))
        guard let begun else { throw LMDBError(code: ENOMEM) }
        handle = begun
    }

    /// Keeps what was written: when it returns, the pages and then the meta page are on disk.
    consuming func commit() throws(LMDBError) {
        try check(mdb_txn_commit(handle))
    }

    /// Drops what was written, or ends reading.
    consuming func abort() {
        mdb_txn_abort(handle)
    }

    /// Opens a table.
    func table(_ name: String, _ flags: LMDBTable.Flags) throws(LMDBError) -> LMDBTable {
        var number: MDB_dbi = 0
        try check(mdb_dbi_open(handle, name, flags.rawValue, &number))
        return LMDBTable(number: number)
    }

    /// The names of all tables, and of whatever else stands where they do.
    ///
    /// - Parameter countMax: How many at most: pages that somebody made may lead back to themselves.
    /// - Returns: The names, in bytewise order.
    /// - Throws: `LMDBError`.
    func tableNames(countMax: Int) throws(LMDBError) -> [String] {
        var number: MDB_dbi = 0
        try check(mdb_dbi_open(handle, nil, 0, &number))
        let cursor = try cursor(LMDBTable(number: number))
        var names: [String] = []
        var pair = try cursor.first()
        while let row = pair, names.count < countMax {
            names.append(String(decoding: row.key, as: UTF8.self))
            pair = try cursor.next()
        }
        return names
    }

    /// The bytes under a key, or `nil` if there are none; they die with the transaction.
    func get(
        _ table: LMDBTable,
        _ key: UnsafeRawBufferPointer
    ) throws(LMDBError) -> UnsafeRawBufferPointer? {
        var key = MDB_val(key)
        var value = MDB_val()
        let code = mdb_get(handle, table.number, &key, &value)
        if code == LMDBError.notFound { return nil }
        try check(code)
        return UnsafeRawBufferPointer(value)
    }

    /// Writes bytes under a key.
    func put(
        _ table: LMDBTable,
        _ key: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer,
        _ mode: LMDBTable.PutMode = .replace
    ) throws(LMDBError) {
        var key = MDB_val(key)
        var value = MDB_val(value)
        try check(mdb_put(handle, table.number, &key, &value, mode.rawValue))
    }

    /// Makes room under a key and returns it to be filled before the next call.
    func reserve(
        _ table: LMDBTable,
        _ key: UnsafeRawBufferPointer,
        byteCount: Int,
        _ mode: LMDBTable.PutMode = .replace
    ) throws(LMDBError) -> UnsafeMutableRawBufferPointer {
        var key = MDB_val(key)
        var value = MDB_val(mv_size: byteCount, mv_data: nil)
        let flags = mode.rawValue | UInt32(MDB_RESERVE)
        try check(mdb_put(handle, table.number, &key, &value, flags))
        return UnsafeMutableRawBufferPointer(start: value.mv_data, count: value.mv_size)
    }

    /// Removes every value of a table.
    func empty(_ table: LMDBTable) throws(LMDBError) {
        try check(mdb_drop(handle, table.number, 0))
    }

    /// Opens a cursor, which must be closed before the transaction ends.
    func cursor(_ table: LMDBTable) throws(LMDBError) -> LMDBCursor {
        var opened: OpaquePointer?
        try check(mdb_cursor_open(handle, table.number, &opened))
        guard let opened else { throw LMDBError(code: ENOMEM) }
        return LMDBCursor(handle: opened)
    }

    /// How many values a table holds.
    func count(_ table: LMDBTable) throws(LMDBError) -> Int {
        var stat = MDB_stat()
        try check(mdb_stat(handle, table.number, &stat))
        return stat.ms_entries
    }
}

extension MDB_val {
    init(_ bytes: UnsafeRawBufferPointer) {
        // liblmdb reads through this pointer and never writes to it.
        self.init(
            mv_size: bytes.count,
            mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        )
    }
}

extension UnsafeRawBufferPointer {
    init(_ value: MDB_val) {
        self.init(start: value.mv_data, count: value.mv_size)
    }
}
