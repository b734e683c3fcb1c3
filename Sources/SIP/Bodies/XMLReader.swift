// SPDX-License-Identifier: Apache-2.0

/// An element of an XML document.
struct XMLElement {
    /// The namespace that its name is of; empty where none is declared.
    let namespace: String
    /// Without prefix.
    let name: String
    /// By their names as they were written.
    let attributes: [String: String]
    fileprivate(set) var children: [XMLElement] = []
    /// The text directly in it.
    fileprivate(set) var text = ""

    /// The elements below it with that name, in the order of the document.
    func all(_ name: String) -> [XMLElement] {
        children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
    }

    /// The first element directly in it with that name.
    func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }
}

/// Reads XML that came from a stranger: elements, attributes, namespaces, text.
///
/// There are no entities but the five of XML, no DOCTYPE and no processing instructions: what brings one is refused, so that a
/// small document cannot become a large one and nothing is fetched.
struct XMLReader {
    private let bytes: [UInt8]
    private var place = 0
    private var elements = 0

    /// The outermost element of a document in UTF-8.
    static func parse(_ bytes: [UInt8]) throws(SIPFault) -> XMLElement {
        guard bytes.count <= SIPLimits.xmlBytesMax else { throw SIPFault(.tooLong, at: "XML") }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw SIPFault(.notUTF8, at: "XML")
        }
        var reader = XMLReader(bytes: bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.place = 3 }
        try reader.declaration()
        try reader.gap()
        guard reader.take("<") else { throw reader.unreadable }
        let root = try reader.element(["xml": "http://www.w3.org/XML/1998/namespace"], depth: 1)
        try reader.gap()
        guard reader.place == bytes.count else { throw reader.unreadable }
        return root
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var unreadable: SIPFault { SIPFault(.badText, at: "XML") }

    private func isNext(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[place...].starts(with: $0) }
    }

    private mutating func take(_ text: StaticString) -> Bool {
        guard isNext(text) else { return false }
        place += text.utf8CodeUnitCount
        return true
    }

    private mutating func skipSpace() {
        while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte.isBlank || byte == .carriageReturn || byte == .lineFeed
    }

    /// The bytes before the next text like this one, which is passed.
    private mutating func upTo(_ text: StaticString) throws(SIPFault) -> ArraySlice<UInt8> {
        let start = place
        while place < bytes.count {
            if isNext(text) {
                defer { place += text.utf8CodeUnitCount }
                return bytes[start..<place]
            }
            place += 1
        }
        throw SIPFault(.cutOff, at: "XML")
    }

    private mutating func declaration() throws(SIPFault) {
        guard isNext("<?xml ") || isNext("<?xml\t") || isNext("<?xml\r") || isNext("<?xml\n") else {
            return
        }
        _ = try upTo("?>")
    }

    /// Space and comments outside the outermost element.
    private mutating func gap() throws(SIPFault) {
        skipSpace()
        while take("<!--") {
            _ = try upTo("-->")
            skipSpace()
        }
        if isNext("<!") || isNext("<?") { throw SIPFault(.forbidden, at: "XML") }
    }

    private mutating func name() throws(SIPFault) -> String {
        let start = place
        while place < bytes.count, bytes[place] != .equals, bytes[place] != .slash,
            bytes[place] != .greater, bytes[place] != .less, bytes[place] != .quote,
            !Self.isSpace(bytes[place])
        {
            place += 1
        }
        guard place > start else { throw unreadable }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    /// An element whose first angle bracket was read.
    private mutating func element(
        _ outer: [String: String],
        depth: Int
    ) throws(SIPFault) -> XMLElement {
        elements += 1
        guard depth <= SIPLimits.xmlDepthMax, elements <= SIPLimits.xmlElementsMax else {
            throw SIPFault(.tooMany, at: "XML")
        }
        let name = try name()
        let attributes = try attributes()
        var namespaces = outer
        for (key, value) in attributes where key == "xmlns" || key.hasPrefix("xmlns:") {
            namespaces[String(key.dropFirst(6))] = value
        }
        guard namespaces.count <= SIPLimits.xmlNamespacesMax else {
            throw SIPFault(.tooMany, at: "XML")
        }
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let prefix = parts.count == 2 ? String(parts[0]) : ""
        guard prefix.isEmpty || namespaces[prefix] != nil else { throw unreadable }
        var element = XMLElement(
            namespace: namespaces[prefix] ?? "",
            name: String(parts[parts.count - 1]),
            attributes: attributes
        )
        if take("/>") { return element }
        guard take(">") else { throw unreadable }
        try content(of: &element, name, namespaces, depth)
        return element
    }

    private mutating func attributes() throws(SIPFault) -> [String: String] {
        var attributes: [String: String] = [:]
        skipSpace()
        while !isNext(">"), !isNext("/>") {
            let name = try name()
            skipSpace()
            guard take("=") else { throw unreadable }
            skipSpace()
            let value: ArraySlice<UInt8>
            if take("\"") {
                value = try upTo("\"")
            } else {
                guard take("'") else { throw unreadable }
                value = try upTo("'")
            }
            guard attributes.updateValue(try resolved(value), forKey: name) == nil else {
                throw SIPFault(.repeated, at: "XML")
            }
            guard attributes.count <= SIPLimits.xmlAttributesMax else {
                throw SIPFault(.tooMany, at: "XML")
            }
            skipSpace()
        }
        return attributes
    }

    private mutating func content(
        of element: inout XMLElement,
        _ name: String,
        _ namespaces: [String: String],
        _ depth: Int
    ) throws(SIPFault) {
        while place < bytes.count {
            if take("</") {
                guard try self.name() == name else { throw unreadable }
                skipSpace()
                guard take(">") else { throw unreadable }
                return
            } else if take("<!--") {
                _ = try upTo("-->")
            } else if take("<![CDATA[") {
                element.text += String(decoding: try upTo("]]>"), as: UTF8.self)
            } else if isNext("<!") || isNext("<?") {
                throw SIPFault(.forbidden, at: "XML")
            } else if take("<") {
                element.children.append(try self.element(namespaces, depth: depth + 1))
            } else {
                let text = bytes[place...].prefix { $0 != .less }
                element.text += try resolved(text)
                place += text.count
            }
        }
        throw SIPFault(.cutOff, at: "XML")
    }

    /// With the five entities of XML and numbers of letters resolved; another entity is refused.
    private func resolved(_ text: ArraySlice<UInt8>) throws(SIPFault) -> String {
        var plain: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&") else {
                if byte == .less { throw unreadable }
                plain.append(byte)
                continue
            }
            let name = rest.prefix(10).prefix { $0 != .semicolon }
            guard rest.dropFirst(name.count).first == .semicolon,
                let letter = Self.letter(String(decoding: name, as: UTF8.self))
            else { throw SIPFault(.forbidden, at: "XML") }
            plain += String(letter).utf8
            rest = rest.dropFirst(name.count + 1)
        }
        return String(decoding: plain, as: UTF8.self)
    }

    private static func letter(_ name: String) -> Character? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#") else { return nil }
            let isHexadecimal = name.hasPrefix("#x")
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            let number = UInt32(digits, radix: isHexadecimal ? 16 : 10)
            return number.flatMap { $0 == 0 ? nil : UnicodeScalar($0) }.map(Character.init)
        }
    }
}
