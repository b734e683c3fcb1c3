// SPDX-License-Identifier: Apache-2.0

/// Walks over the bytes of one value of a header field.
struct FieldScanner {
    private let bytes: [UInt8]
    private var next = 0

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { next == bytes.count }

    /// The byte that comes next.
    var head: UInt8? { next < bytes.count ? bytes[next] : nil }

    mutating func skipBlanks() {
        while let head, head.isBlank { next += 1 }
    }

    /// Passes this byte and the blanks around it, if it is there.
    mutating func take(_ byte: UInt8) -> Bool {
        let start = next
        skipBlanks()
        guard head == byte else {
            next = start
            return false
        }
        next += 1
        skipBlanks()
        return true
    }

    /// The bytes up to the first one that does not belong; `nil` when there is none.
    mutating func text(while belongs: (UInt8) -> Bool) -> String? {
        let start = next
        while let head, belongs(head) { next += 1 }
        return start == next ? nil : String(decoding: bytes[start..<next], as: UTF8.self)
    }

    /// A token (RFC 3261 §25.1).
    mutating func token() -> String? { text { $0.isToken } }

    /// A quoted string with its quotes and backslashes as they stand; `nil` when none begins here or it does not end.
    mutating func quoted() -> String? {
        guard head == .quote else { return nil }
        var end = next + 1
        while end < bytes.count, bytes[end] != .quote { end += bytes[end] == .backslash ? 2 : 1 }
        guard end < bytes.count else { return nil }
        defer { next = end + 1 }
        return String(decoding: bytes[next...end], as: UTF8.self)
    }

    /// The parameters from here to the end: `;name`, `;name=value`, `;name="value"`.
    mutating func parameters(of place: String) throws(SIPFault) -> [SIPParameter] {
        var all: [SIPParameter] = []
        while take(.semicolon) {
            guard let name = token() else { throw SIPFault(.badParameter, at: place) }
            var value: String?
            if take(.equals) {
                value = quoted() ?? text { $0.isParameterValue }
                guard value != nil else { throw SIPFault(.badParameter, at: place) }
            }
            guard all.count < SIPLimits.parametersMax else { throw SIPFault(.tooMany, at: place) }
            all.append(SIPParameter(name, value))
        }
        skipBlanks()
        guard isAtEnd else { throw SIPFault(.badParameter, at: place) }
        return all
    }
}

/// A parameter of a value or of a URI.
public struct SIPParameter: Hashable, Sendable {
    /// As it was written; compared without regard to case.
    public let name: String
    /// As it was written, with its quotes; `nil` for a parameter that is there or not.
    public let value: String?

    public init(_ name: String, _ value: String? = nil) {
        self.name = name
        self.value = value
    }

    var text: String { value.map { "\(name)=\($0)" } ?? name }
}

extension [SIPParameter] {
    /// The first parameter of that name.
    public func first(_ name: String) -> SIPParameter? {
        first { $0.name.lowercased() == name }
    }

    /// As it stands after a value.
    var text: String { map { ";" + $0.text }.joined() }
}

extension String {
    /// The text of a quoted string without quotes and backslashes; itself where it is not quoted.
    var unquoted: String {
        let bytes = Array(utf8)
        guard bytes.count >= 2, bytes.first == .quote, bytes.last == .quote else { return self }
        var plain: [UInt8] = []
        var isEscaped = false
        for byte in bytes.dropFirst().dropLast() {
            if byte == .backslash, !isEscaped {
                isEscaped = true
            } else {
                plain.append(byte)
                isEscaped = false
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }
}

extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")
    static let semicolon = UInt8(ascii: ";")
    static let equals = UInt8(ascii: "=")
    static let slash = UInt8(ascii: "/")
    static let less = UInt8(ascii: "<")
    static let greater = UInt8(ascii: ">")
    static let at = UInt8(ascii: "@")
    static let question = UInt8(ascii: "?")
    static let percent = UInt8(ascii: "%")
    static let hyphen = UInt8(ascii: "-")

    var isBlank: Bool { self == .space || self == .tab }

    var isDigit: Bool { (0x30...0x39).contains(self) }

    var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }

    var isHexadecimal: Bool { isDigit || (0x41...0x46).contains(self & 0xDF) }

    /// Belongs to a token (RFC 3261 §25.1).
    var isToken: Bool {
        if isDigit || isLetter { return true }
        switch self {
        case 0x2D, 0x2E, 0x21, 0x25, 0x2A, 0x5F, 0x2B, 0x60, 0x27, 0x7E: return true
        default: return false
        }
    }

    /// Belongs to a host, be it a name, an IPv4 address or an IPv6 address in brackets.
    var isHost: Bool {
        if isDigit || isLetter { return true }
        switch self {
        case 0x2D, 0x2E, 0x5F, 0x5B, 0x5D, 0x3A: return true
        default: return false
        }
    }

    /// Belongs to a value that is not quoted: a token or a host.
    var isParameterValue: Bool { isToken || isHost || self == .slash }

    /// May stand in a URI as it is.
    var isURI: Bool {
        switch self {
        case .less, .greater, .quote, .backslash: false
        default: self > 0x20 && self < 0x7F
        }
    }
}
