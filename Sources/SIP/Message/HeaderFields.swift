// SPDX-License-Identifier: Apache-2.0

/// One header field, its folded lines joined by single spaces.
public struct HeaderField: Hashable, Sendable {
    /// As it was written, perhaps in its compact form.
    public let name: String
    /// Without blanks around it.
    public let value: String
    /// The long form of the name in small letters: what names are compared by.
    let key: String

    /// - Parameters:
    ///   - name: A token; any other is written as `X`.
    ///   - value: CR, LF and blanks around it do not reach the message: they would begin another field.
    public init(_ name: String, _ value: String) {
        self.name = name.utf8.isEmpty || !name.utf8.allSatisfy(\.isToken) ? "X" : name
        let line = value.utf8.map { $0 == .carriageReturn || $0 == .lineFeed ? .space : $0 }
        self.value = String(decoding: line.trimmed, as: UTF8.self)
        key = Self.key(of: self.name)
    }

    static func key(of name: String) -> String {
        let small = name.lowercased()
        return small.utf8.count == 1 ? compactForms[small] ?? small : small
    }

    /// RFC 3261 §7.3.3 and the registry's later ones.
    private static let compactForms = [
        "a": "accept-contact", "b": "referred-by", "c": "content-type", "d": "request-disposition",
        "e": "content-encoding", "f": "from", "i": "call-id", "j": "reject-contact",
        "k": "supported", "l": "content-length", "m": "contact", "n": "identity-info",
        "o": "event", "r": "refer-to", "s": "subject", "t": "to", "u": "allow-events",
        "v": "via", "x": "session-expires", "y": "identity",
    ]
}

/// The header fields of a message in their order.
///
/// Names are compared without regard to case and to compact forms. `Content-Length` is not among them: the body has a length.
public struct HeaderFields: Hashable, Sendable, ExpressibleByArrayLiteral {
    public private(set) var all: [HeaderField] = []

    public init(_ fields: some Sequence<HeaderField> = []) {
        for field in fields { append(field) }
    }

    public init(arrayLiteral fields: HeaderField...) {
        self.init(fields)
    }

    /// The value of the first field of that name.
    public subscript(name: String) -> String? {
        let key = HeaderField.key(of: name)
        return all.first { $0.key == key }?.value
    }

    /// The values of all fields of that name, a value a line.
    public func lines(_ name: String) -> [String] {
        let key = HeaderField.key(of: name)
        return all.filter { $0.key == key }.map(\.value)
    }

    /// The values of all fields of that name, those parted by commas too; commas in quotes and angle brackets part nothing.
    ///
    /// - Returns: At most ``SIPLimits/valuesMax`` and one more.
    public func values(_ name: String) -> [String] {
        var values: [String] = []
        for line in lines(name) {
            for value in Self.parts(of: line) where values.count <= SIPLimits.valuesMax {
                values.append(value)
            }
        }
        return values
    }

    /// Puts a field after the others; `Content-Length` is passed over.
    public mutating func append(_ field: HeaderField) {
        if field.key != "content-length" { all.append(field) }
    }

    /// Puts a field before the others.
    public mutating func prepend(_ field: HeaderField) {
        if field.key != "content-length" { all.insert(field, at: 0) }
    }

    /// Puts one field in the place of the first of its name, and removes the others of it.
    public mutating func set(_ field: HeaderField) {
        let place = all.firstIndex { $0.key == field.key }
        all.removeAll { $0.key == field.key }
        guard field.key != "content-length" else { return }
        all.insert(field, at: min(place ?? all.count, all.count))
    }

    /// Puts another value in the place of the first one of the first field of that name, and leaves what stands behind it.
    mutating func replaceFirstValue(_ name: String, with value: String) {
        let key = HeaderField.key(of: name)
        guard let place = all.firstIndex(where: { $0.key == key }) else { return }
        let rest = Self.parts(of: all[place].value).dropFirst()
        all[place] = HeaderField(all[place].name, ([value] + rest).joined(separator: ", "))
    }

    private static func parts(of line: String) -> [String] {
        var parts: [String] = []
        var part: [UInt8] = []
        var (isQuoted, isEscaped, isBracketed) = (false, false, false)
        for byte in line.utf8 {
            if byte == .comma, !isQuoted, !isBracketed {
                parts.append(String(decoding: part.trimmed, as: UTF8.self))
                part = []
                continue
            }
            part.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == .backslash, isQuoted {
                isEscaped = true
            } else if byte == .quote {
                isQuoted.toggle()
            } else if !isQuoted, byte == .less || byte == .greater {
                isBracketed = byte == .less
            }
        }
        return parts + [String(decoding: part.trimmed, as: UTF8.self)]
    }
}

extension BidirectionalCollection<UInt8> {
    /// Without blanks at both ends.
    var trimmed: SubSequence {
        var rest = self[...]
        while let first = rest.first, first.isBlank { rest = rest.dropFirst() }
        while let last = rest.last, last.isBlank { rest = rest.dropLast() }
        return rest
    }
}
