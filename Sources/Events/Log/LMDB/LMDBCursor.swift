// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// A place in a table; the bytes it shows die with the transaction.
struct LMDBCursor: ~Copyable {
    let handle: OpaquePointer

    deinit {
        mdb_cursor_close(handle)
    }

    /// A key and a value.
    typealias Pair = (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)

    func first() throws(LMDBError) -> Pair? { try move(MDB_FIRST) }
    func last() throws(LMDBError) -> Pair? { try move(MDB_LAST) }
    func next() throws(LMDBError) -> Pair? { try move(MDB_NEXT) }
    func nextDuplicate() throws(LMDBError) -> Pair? { try move(MDB_NEXT_DUP) }
    func previous() throws(LMDBError) -> Pair? { try move(MDB_PREV) }
    func lastDuplicate() throws(LMDBError) -> Pair? { try move(MDB_LAST_DUP) }

    /// The first pair whose key is not below this one.
    func seek(_ key: UnsafeRawBufferPointer) throws(LMDBError) -> Pair? {
        try move(MDB_SET_RANGE, MDB_val(key))
    }

    /// The first pair of exactly this key.
    func find(_ key: UnsafeRawBufferPointer) throws(LMDBError) -> Pair? {
        try move(MDB_SET_KEY, MDB_val(key))
    }

    /// The first value of this key that is not below the given one.
    func seek(
        _ key: UnsafeRawBufferPointer,
        duplicate value: UnsafeRawBufferPointer
    ) throws(LMDBError) -> Pair? {
        try move(MDB_GET_BOTH_RANGE, MDB_val(key), MDB_val(value))
    }

    /// Adds many values of one fixed size under a key, in their order, in one call.
    func put(
        _ key: UnsafeRawBufferPointer,
        values: UnsafeRawBufferPointer,
        byteCount: Int
    ) throws(LMDBError) {
        var key = MDB_val(key)
        // liblmdb takes two: the first value with its size, then how many there are.
        var data = (
            MDB_val(
                mv_size: byteCount,
                mv_data: UnsafeMutableRawPointer(mutating: values.baseAddress)
            ), MDB_val(mv_size: values.count / byteCount, mv_data: nil)
        )
        let code = withUnsafeMutableBytes(of: &data) { bytes in
            mdb_cursor_put(
                handle,
                &key,
                bytes.baseAddress?.assumingMemoryBound(to: MDB_val.self),
                UInt32(MDB_MULTIPLE)
            )
        }
        try check(code)
    }

    private func move(
        _ operation: MDB_cursor_op,
        _ key: MDB_val = MDB_val(),
        _ value: MDB_val = MDB_val()
    ) throws(LMDBError) -> Pair? {
        var key = key
        var value = value
        let code = mdb_cursor_get(handle, &key, &value, operation)
        if code == LMDBError.notFound { return nil }
        try check(code)
        return (UnsafeRawBufferPointer(key), UnsafeRawBufferPointer(value))
    }
}
