// SPDX-License-Identifier: Apache-2.0

/// `"name" <uri>;parameters`: From, To, Contact, P-Asserted-Identity, Route (RFC 3261 §20.10).
public struct NameAddress: Hashable, Sendable {
    /// Without quotes and backslashes; `nil` where none is there.
    public var name: String?
    public var uri: URI
    /// Those of the header field; those of the URI stand within it.
    public var parameters: [SIPParameter]

    public init(name: String? = nil, _ uri: URI, parameters: [SIPParameter] = []) {
        self.name = name
        self.uri = uri
        self.parameters = parameters
    }

    /// Reads one value of the header field of that name.
    public static func parse(_ value: String, of field: String) throws(SIPFault) -> NameAddress {
        var scanner = FieldScanner(value)
        scanner.skipBlanks()
        let isBracketed = value.utf8.contains(.less) || scanner.head == .quote
        var address = try isBracketed ? bracketed(&scanner, field) : bare(&scanner, field)
        address.parameters = try scanner.parameters(of: field)
        return address
    }

    /// The tag of From or To.
    public var tag: String? { parameters.first("tag")?.value }

    private static func bracketed(
        _ scanner: inout FieldScanner,
        _ field: String
    ) throws(SIPFault) -> NameAddress {
        var name: String?
        if scanner.head == .quote {
            guard let quoted = scanner.quoted() else { throw SIPFault(.badText, at: field) }
            name = quoted.unquoted
        } else {
            // Letters beyond ASCII and brackets want quotes, and telephones leave them away.
            let words = scanner.text { !$0.isNameEnd } ?? ""
            let trimmed = words.utf8.trimmed
            name = trimmed.isEmpty ? nil : String(decoding: trimmed, as: UTF8.self)
        }
        scanner.skipBlanks()
        guard scanner.head == .less, scanner.skip() else { throw SIPFault(.badAddress, at: field) }
        let text = scanner.text { $0 != .greater } ?? ""
        guard scanner.head == .greater, scanner.skip() else {
            throw SIPFault(.badAddress, at: field)
        }
        return NameAddress(name: name, try URI.parse(text, at: field))
    }

    /// Without brackets what follows a semicolon belongs to the field, and a comma or question mark is not allowed.
    private static func bare(
        _ scanner: inout FieldScanner,
        _ field: String
    ) throws(SIPFault) -> NameAddress {
        let text = scanner.text { $0 != .semicolon && !$0.isBlank } ?? ""
        guard !text.utf8.contains(where: { $0 == .comma || $0 == .question }) else {
            throw SIPFault(.badAddress, at: field)
        }
        return NameAddress(try URI.parse(text, at: field))
    }
}

extension NameAddress: CustomStringConvertible {
    public var description: String {
        var quoted: [UInt8] = []
        for byte in name?.utf8 ?? "".utf8 {
            if byte == .quote || byte == .backslash { quoted.append(.backslash) }
            quoted.append(byte)
        }
        let text = name.map { _ in "\"\(String(decoding: quoted, as: UTF8.self))\" " } ?? ""
        return "\(text)<\(uri)>\(parameters.text)"
    }
}

extension UInt8 {
    /// Never stands in a name without quotes.
    fileprivate var isNameEnd: Bool {
        switch self {
        case .less, .greater, .quote, .comma, .semicolon, .backslash: true
        default: self < 0x20 && !isBlank
        }
    }
}

extension FieldScanner {
    /// Passes one byte.
    fileprivate mutating func skip() -> Bool { text(count: 1) != nil }

    private mutating func text(count: Int) -> String? {
        var left = count
        return text { _ in
            left -= 1
            return left >= 0
        }
    }
}
