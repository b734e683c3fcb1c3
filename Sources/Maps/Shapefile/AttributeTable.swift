// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What is told of each shape (`.dbf`, dBASE III): texts and numbers by the names of columns.
struct AttributeTable: Sendable {
    private struct Column {
        let place: Int
        let length: Int
    }

    private let reader: ByteReader
    private let columns: [String: Column]
    private let first: Int
    private let recordBytes: Int
    private let encoding: String.Encoding

    /// How many rows there are.
    let count: Int

    /// Reads a table, and which encoding its texts have from the `.cpg` beside it.
    ///
    /// - Throws: ``MapError``.
    init(at file: URL) throws {
        let codePage = FileManager.default.contents(
            atPath: file.deletingPathExtension().appendingPathExtension("cpg").path
        )
        try self.init(
            FileBytes.read(file),
            codePage: codePage.map { String(decoding: $0, as: UTF8.self) },
            name: file.path
        )
    }

    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - codePage: What a `.cpg` file says; without one the table says it itself.
    ///   - name: For messages.
    /// - Throws: ``MapError/malformed(_:reason:)``.
    init(_ bytes: [UInt8], codePage: String? = nil, name: String) throws(MapError) {
        reader = ByteReader(bytes: bytes)
        guard let count = reader.integer(UInt32.self, at: 4),
            let head = reader.integer(UInt16.self, at: 8),
            let record = reader.integer(UInt16.self, at: 10), head > 32, record > 0,
            bytes.count >= Int(head) + Int(count) * Int(record)
        else { throw .malformed(name, reason: "it is no whole table of dBASE III") }
        var columns: [String: Column] = [:]
        var place = 1
        for field in stride(from: 32, to: Int(head) - 32, by: 32) where bytes[field] != 0x0D {
            let text = bytes[field..<field + 11].prefix { $0 != 0 }
            let length = Int(bytes[field + 16])
            columns[String(decoding: text, as: UTF8.self).lowercased()] = Column(
                place: place,
                length: length
            )
            place += length
        }
        guard place <= Int(record) else {
            throw .malformed(name, reason: "its columns are wider than its rows")
        }
        self.columns = columns
        self.count = Int(count)
        first = Int(head)
        recordBytes = Int(record)
        // 0x57 is the ANSI code page; nobody who writes UTF-8 leaves away the file that says so.
        encoding = codePage?.uppercased().contains("UTF-8") == true ? .utf8 : .windowsCP1252
    }

    /// A text without the blanks around it; `nil` when there is none.
    func text(_ column: String, of row: Int) -> String? {
        guard let column = columns[column], row >= 0, row < count else { return nil }
        let begin = first + row * recordBytes + column.place
        let bytes = reader.bytes[begin..<begin + column.length].prefix { $0 != 0 }
        let text =
            String(bytes: bytes, encoding: encoding) ?? String(decoding: bytes, as: UTF8.self)
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// A number; `nil` when there is none.
    func number(_ column: String, of row: Int) -> Double? {
        text(column, of: row).flatMap(Double.init)
    }
}
