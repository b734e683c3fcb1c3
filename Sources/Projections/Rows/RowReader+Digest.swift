// SPDX-License-Identifier: Apache-2.0
import Crypto
internal import GRDBSQLite

extension RowReader {
    /// Adds every column of the row to a digest: its type, its length or number, its bytes.
    func update(_ hash: inout SHA256) {
        for column in 0..<sqlite3_column_count(statement) {
            let type = sqlite3_column_type(statement, column)
            switch type {
            case SQLITE_NULL: hash.update(number: 0, type: UInt8(type))
            case SQLITE_INTEGER:
                hash.update(number: sqlite3_column_int64(statement, column), type: UInt8(type))
            case SQLITE_FLOAT:
                let bits = sqlite3_column_double(statement, column).bitPattern
                hash.update(number: Int64(bitPattern: bits), type: UInt8(type))
            default:
                let start = sqlite3_column_blob(statement, column)
                let length = Int(sqlite3_column_bytes(statement, column))
                hash.update(number: Int64(length), type: UInt8(type))
                hash.update(bufferPointer: UnsafeRawBufferPointer(start: start, count: length))
            }
        }
    }
}
