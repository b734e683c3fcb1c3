// SPDX-License-Identifier: Apache-2.0

/// What one proxy says in `Forwarded` (RFC 7239, section 4).
///
/// A proxy may quote what its client wrote, such as the host, so commas and semicolons part nothing within quotes. What does not keep
/// to the grammar says nothing, up to the end of its line: nobody can tell who wrote which part of it.
struct ForwardedElement: Sendable, Hashable {
    /// Each parameter once, by its name in lower case.
    private var parameters: [String: String] = [:]
    /// Whether it keeps to the grammar; else it has no parameters.
    private(set) var isReadable = true

    /// What it says by a parameter, without quotes; `nil` where it does not.
    subscript(name: String) -> String? { parameters[name] }

    /// The elements of all lines, the first proxy's first; empty ones are none.
    static func list(_ lines: [String]) -> [Self] { lines.flatMap(list) }

    private static func list(_ line: String) -> [Self] {
        var rest = Substring(line).utf8
        var elements: [Self] = []
        while !rest.isEmpty {
            var element = Self()
            guard element.take(from: &rest) else {
                element = Self()
                element.isReadable = false
                return elements + [element]
            }
            if !element.parameters.isEmpty { elements.append(element) }
        }
        return elements
    }

    /// Takes pairs up to the comma behind them, and that.
    ///
    /// - Returns: Whether they keep to the grammar.
    private mutating func take(from rest: inout Substring.UTF8View) -> Bool {
        while true {
            Self.skipBlanks(&rest)
            if let byte = rest.first, byte != Self.comma, byte != Self.semicolon {
                guard takePair(from: &rest) else { return false }
                Self.skipBlanks(&rest)
            }
            switch rest.popFirst() {
            case nil, Self.comma: return true
            case Self.semicolon: continue
            default: return false
            }
        }
    }

    private mutating func takePair(from rest: inout Substring.UTF8View) -> Bool {
        let name = Self.text(of: Self.takeToken(from: &rest)).lowercased()
        guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "="), parameters[name] == nil else {
            return false
        }
        let isQuoted = rest.first == Self.quote
        guard let value = isQuoted ? Self.takeQuoted(from: &rest) : Self.takeToken(from: &rest)
        else { return false }
        parameters[name] = Self.text(of: value)
        return true
    }

    /// Also what is no token and parts nothing: many proxies leave out the quotes of `192.0.2.1:80`.
    private static func takeToken(from rest: inout Substring.UTF8View) -> [UInt8] {
        let token = rest.prefix { byte in
            (0x21...0x7E).contains(byte)
                && ![comma, semicolon, quote, backslash, UInt8(ascii: "=")].contains(byte)
        }
        rest = rest[token.endIndex...]
        return Array(token)
    }

    /// A quoted string (RFC 9110, section 5.6.4); `nil` for one without an end.
    private static func takeQuoted(from rest: inout Substring.UTF8View) -> [UInt8]? {
        var value: [UInt8] = []
        rest.removeFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case quote: return value
            case backslash:
                guard let escaped = rest.popFirst() else { return nil }
                value.append(escaped)
            default: value.append(byte)
            }
        }
        return nil
    }

    private static func skipBlanks(_ rest: inout Substring.UTF8View) {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    private static func text(of bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static let (comma, semicolon) = (UInt8(ascii: ","), UInt8(ascii: ";"))
    private static let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
}
