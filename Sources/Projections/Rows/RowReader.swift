// SPDX-License-Identifier: Apache-2.0
public import Events
internal import GRDBSQLite

/// Reads the columns of one row from left to right, in the order of the query's list.
///
/// A column that does not hold what was asked for means that the file was changed from outside: the read throws
/// ``ReadModelError/damaged(_:)`` and the query fails, instead of showing something made up.
public struct RowReader {
    let statement: OpaquePointer
    private var column: Int32 = 0

    init(_ statement: OpaquePointer) {
        self.statement = statement
    }

    /// The next column as a number, or `nil` for NULL.
    public mutating func optionalInteger() throws(ReadModelError) -> Int? {
        let index = try advance(expecting: SQLITE_INTEGER, "a whole number")
        return index.map { Int(sqlite3_column_int64(statement, $0)) }
    }

    /// The next column as a number.
    public mutating func integer() throws(ReadModelError) -> Int {
        try required(try optionalInteger())
    }

    /// The next column as a real number, or `nil` for NULL.
    public mutating func optionalReal() throws(ReadModelError) -> Double? {
        let index = try advance(expecting: SQLITE_FLOAT, "a number")
        return index.map { sqlite3_column_double(statement, $0) }
    }

    /// The next column as a real number.
    public mutating func real() throws(ReadModelError) -> Double {
        try required(try optionalReal())
    }

    /// The next column as text, or `nil` for NULL.
    public mutating func optionalText() throws(ReadModelError) -> String? {
        guard let index = try advance(expecting: SQLITE_TEXT, "text"),
            let start = sqlite3_column_text(statement, index)
        else { return nil }
        let length = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
    }

    /// The next column as text.
    public mutating func text() throws(ReadModelError) -> String {
        try required(try optionalText())
    }

    /// The next column as yes or no.
    public mutating func flag() throws(ReadModelError) -> Bool {
        try integer() != 0
    }

    /// The next column as a value that has a text form, or `nil` for NULL.
    public mutating func optional<Value: LosslessStringConvertible>(
        _ type: Value.Type = Value.self
    ) throws(ReadModelError) -> Value? {
        guard let text = try optionalText() else { return nil }
        guard let value = Value(text) else { throw damage("a \(type)") }
        return value
    }

    /// The next column as a value that has a text form.
    public mutating func value<Value: LosslessStringConvertible>(
        _ type: Value.Type = Value.self
    ) throws(ReadModelError) -> Value {
        try required(try optional(type))
    }

    /// The next column as a word of a closed list, or `nil` for NULL.
    public mutating func optionalWord<Value: RawRepresentable<String>>(
        _ type: Value.Type = Value.self
    ) throws(ReadModelError) -> Value? {
        guard let text = try optionalText() else { return nil }
        guard let value = Value(rawValue: text) else { throw damage("a word of \(type)") }
        return value
    }

    /// The next column as a word of a closed list.
    public mutating func word<Value: RawRepresentable<String>>(
        _ type: Value.Type = Value.self
    ) throws(ReadModelError) -> Value {
        try required(try optionalWord(type))
    }

    /// The next column as a moment, or `nil` for NULL.
    public mutating func optionalTime() throws(ReadModelError) -> Timestamp? {
        try optionalInteger().map { Timestamp(microseconds: Int64($0)) }
    }

    /// The next column as a moment.
    public mutating func time() throws(ReadModelError) -> Timestamp {
        try required(try optionalTime())
    }

    /// The next column as a place in the log, or `nil` for NULL.
    public mutating func optionalPosition() throws(ReadModelError) -> LogPosition? {
        guard let number = try optionalInteger() else { return nil }
        guard number >= 0 else { throw damage("a place in the log") }
        return LogPosition(UInt64(number))
    }

    /// The next column as a place in the log.
    public mutating func position() throws(ReadModelError) -> LogPosition {
        try required(try optionalPosition())
    }

    /// The next column as a sealed value, still sealed, or `nil` for NULL.
    public mutating func optionalSealed<Value: Codable & Hashable & Sendable>(
        _ type: Value.Type = Value.self
    ) throws(ReadModelError) -> Sealed<Value>? {
        guard let text = try optionalText() else { return nil }
        guard let field = SealedField(storedText: text) else { throw damage("a sealed value") }
        return .closed(field)
    }

    /// The next column as a sealed value, still sealed.
    public mutating func sealed<Value: Codable & Hashable & Sendable>(
        _ type: Value.Type = Value.self
    ) throws(ReadModelError) -> Sealed<Value> {
        try required(try optionalSealed(type))
    }

    private mutating func advance(
        expecting type: Int32,
        _ expected: String
    ) throws(ReadModelError) -> Int32? {
        let index = column
        column += 1
        let actual = sqlite3_column_type(statement, index)
        if actual == type { return index }
        guard actual == SQLITE_NULL else { throw damage(expected) }
        return nil
    }

    private func required<Value>(_ value: Value?) throws(ReadModelError) -> Value {
        guard let value else { throw damage("a value") }
        return value
    }

    private func damage(_ expected: String) -> ReadModelError {
        let name = sqlite3_column_name(statement, column - 1).map { String(cString: $0) } ?? "?"
        return .damaged("column \(name) should hold \(expected)")
    }
}
