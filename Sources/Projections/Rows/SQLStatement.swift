// SPDX-License-Identifier: Apache-2.0
import Events
import GRDB
import GRDBSQLite

/// One prepared statement with direct binding: the row path of every projector and query.
///
/// GRDB owns the statement and ends it with its connection; binding by the C interface saves its argument
/// boxing, which costs a third of a bulk row.
struct SQLStatement {
    private let owner: Statement
    private var handle: OpaquePointer { owner.sqliteStatement }

    init(_ owner: Statement) {
        self.owner = owner
    }

    /// The text that was prepared.
    var text: String { owner.sql }

    /// Steps of SQLite's virtual machine in all runs.
    var steps: Int {
        let low = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0)
        // The counter is a 32-bit one that wraps.
        return Int(UInt32(bitPattern: low))
    }

    /// Binds the values, then steps to the first row, if there is one.
    func begin(_ values: [(any ColumnValue)?]) throws(SQLFailure) -> Bool {
        for (index, value) in values.enumerated() {
            try check(bind(value?.columnContent, at: Int32(index + 1)))
        }
        return try step()
    }

    /// Steps to the next row; false behind the last one.
    func step() throws(SQLFailure) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else { throw failure(code) }
        return false
    }

    /// Makes the statement ready for its next use.
    func end() {
        sqlite3_reset(handle)
    }

    /// The row that the statement stands on.
    var row: RowReader { RowReader(handle) }

    private func bind(_ content: ColumnContent?, at index: Int32) -> Int32 {
        switch content {
        case nil: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .real(let number): return sqlite3_bind_double(handle, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    sqlite3_bind_text(
                        handle,
                        index,
                        $0.baseAddress ?? emptyText,
                        Int32($0.count),
                        transient
                    )
                }
            }
        case .blob(let bytes):
            return bytes.withUnsafeBytes {
                sqlite3_bind_blob(
                    handle,
                    index,
                    $0.baseAddress ?? UnsafeRawPointer(emptyText),
                    Int32($0.count),
                    transient
                )
            }
        }
    }

    private func check(_ code: Int32) throws(SQLFailure) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> SQLFailure {
        let text =
            sqlite3_errmsg(sqlite3_db_handle(handle)).map { String(cString: $0) } ?? "no text"
        return SQLFailure(code: code, text: text)
    }
}

/// What SQLite said when a statement failed.
struct SQLFailure: Error, Hashable {
    let code: Int32
    let text: String

    /// Whether a result code means that the file is no sound database; whoever reads finds no more than that out.
    static func isDamage(_ code: Int32) -> Bool {
        [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT].contains(code & 0xFF)
    }

    /// Whether a result code means that what a projector writes does not go into these tables.
    ///
    /// They are not ours, or hold what we did not write. A full disk, a lock and a fault of the device pass.
    static func isForeign(_ code: Int32) -> Bool {
        isDamage(code)
            || [SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG]
                .contains(code & 0xFF)
    }
}

/// Tells SQLite to copy what is bound, because the value may be gone before the step.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// Where an empty text points: a null pointer would bind NULL.
nonisolated(unsafe) private let emptyText = {
    // Never written and never freed, so sharing it is safe.
    let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    pointer.initialize(to: 0)
    return UnsafePointer(pointer)
}()
