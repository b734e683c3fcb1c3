// SPDX-License-Identifier: Apache-2.0
public import Events

/// What SQLite can hold in one column.
public enum ColumnContent: Hashable, Sendable {
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// A value that stands in one column of a read model.
public protocol ColumnValue {
    /// As SQLite holds it.
    var columnContent: ColumnContent { get }
}

extension Int: ColumnValue {
    public var columnContent: ColumnContent { .integer(Int64(self)) }
}
extension Int64: ColumnValue {
    public var columnContent: ColumnContent { .integer(self) }
}
extension Bool: ColumnValue {
    public var columnContent: ColumnContent { .integer(self ? 1 : 0) }
}
extension Double: ColumnValue {
    public var columnContent: ColumnContent { .real(self) }
}
extension String: ColumnValue {
    public var columnContent: ColumnContent { .text(self) }
}
extension Timestamp: ColumnValue {
    /// Microseconds since 1970.
    public var columnContent: ColumnContent { .integer(microseconds) }
}
extension LogPosition: ColumnValue {
    public var columnContent: ColumnContent { .integer(Int64(clamping: rawValue)) }
}
extension Revision: ColumnValue {
    public var columnContent: ColumnContent { .integer(Int64(clamping: rawValue)) }
}
extension Identifier: ColumnValue {
    public var columnContent: ColumnContent { .text(description) }
}
extension Subject: ColumnValue {
    public var columnContent: ColumnContent { .text(text) }
}
extension Actor: ColumnValue {
    public var columnContent: ColumnContent { .text(text) }
}
extension Kind: ColumnValue {
    public var columnContent: ColumnContent { .text(text) }
}
extension UserID: ColumnValue {
    public var columnContent: ColumnContent { .text(text) }
}
extension OrganisationID: ColumnValue {
    public var columnContent: ColumnContent { .text(text) }
}
extension SHA256Digest: ColumnValue {
    public var columnContent: ColumnContent { .text(text) }
}
extension Sealed: ColumnValue {
    /// The sealed text; a row never holds a personal value in the clear by mistake.
    public var columnContent: ColumnContent {
        guard case .closed(let field) = self else {
            preconditionFailure(
                "a recorded event holds closed fields; this one came past the encoder"
            )
        }
        return .text(field.storedText)
    }
}
