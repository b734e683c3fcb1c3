// SPDX-License-Identifier: Apache-2.0
/// Reads any JSON (RFC 8259) and writes it in canonical form.
struct CanonicalRewriter {
    let writer = CanonicalWriter()
    private var input: CanonicalScanner

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        input = CanonicalScanner(bytes)
    }

    /// Rewrites the whole input, which must be one value.
    mutating func run() throws(CanonicalJSONError) {
        skipSpace()
        try value(depth: 0)
        skipSpace()
        try input.end()
    }

    private mutating func value(depth: Int) throws(CanonicalJSONError) {
        switch input.next {
        case UInt8(ascii: "{"): try object(depth: depth)
        case UInt8(ascii: "["): try array(depth: depth)
        case UInt8(ascii: "\""): writer.writeString(try string(orElse: .value))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        default:
            let start = input.index
            try input.value(depth: depth)
            writer.write(input.slice(start..<input.index))
        }
    }

    private mutating func object(depth: Int) throws(CanonicalJSONError) {
        try enter(depth: depth)
        let object = writer.openObject()
        if !closes(with: UInt8(ascii: "}")) {
            repeat {
                skipSpace()
                writer.beginMember(try string(orElse: .name))
                skipSpace()
                guard input.take(UInt8(ascii: ":")) else {
                    throw .unexpected(offset: input.index, expected: .colon)
                }
                try element(depth: depth)
                writer.endMember()
            } while input.take(UInt8(ascii: ","))
            guard input.take(UInt8(ascii: "}")) else {
                throw .unexpected(offset: input.index, expected: .memberEnd)
            }
        }
        if let name = writer.closeObject(object) {
            throw .nameRepeated(offset: input.index - 1, name: name)
        }
    }

    private mutating func array(depth: Int) throws(CanonicalJSONError) {
        try enter(depth: depth)
        writer.write(UInt8(ascii: "["))
        if !closes(with: UInt8(ascii: "]")) {
            try element(depth: depth)
            while input.take(UInt8(ascii: ",")) {
                writer.write(UInt8(ascii: ","))
                try element(depth: depth)
            }
            guard input.take(UInt8(ascii: "]")) else {
                throw .unexpected(offset: input.index, expected: .elementEnd)
            }
        }
        writer.write(UInt8(ascii: "]"))
    }

    private mutating func element(depth: Int) throws(CanonicalJSONError) {
        skipSpace()
        try value(depth: depth + 1)
        skipSpace()
    }

    private mutating func enter(depth: Int) throws(CanonicalJSONError) {
        guard depth < EventLimits.jsonDepthMax else { throw .tooDeep(offset: input.index) }
        input.index += 1
    }

    private mutating func closes(with bracket: UInt8) -> Bool {
        skipSpace()
        return input.take(bracket)
    }

    private mutating func string(
        orElse expected: CanonicalJSONError.Expected
    ) throws(CanonicalJSONError) -> String {
        let start = input.index
        guard input.take(UInt8(ascii: "\"")) else {
            throw .unexpected(offset: start, expected: expected)
        }
        while input.next != UInt8(ascii: "\"") {
            // Raw control characters are no JSON, and 0 is also the end of the input.
            guard input.next >= 0x20 else {
                throw .unexpected(offset: input.index, expected: .string)
            }
            input.index += input.next == UInt8(ascii: "\\") ? 2 : 1
        }
        input.index += 1
        guard let text = JSONString.text(escaped: input.slice((start + 1)..<(input.index - 1)))
        else {
            throw .unexpected(offset: start, expected: .string)
        }
        return text
    }

    private mutating func number() throws(CanonicalJSONError) {
        let token = try input.numberToken()
        let text = String(decoding: input.slice(token), as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw .inexactNumber(offset: token.lowerBound)
        }
        let start = writer.count
        writer.writeDouble(value)
        // A whole number must come out as it went in; only fractions may be rounded, for all readers do.
        guard isExact(token) || input.slice(token).elementsEqual(writer.tail(from: start)) else {
            throw .inexactNumber(offset: token.lowerBound)
        }
    }

    /// Whether a number is no whole number of more than 15 digits, or only in another form such as `1e30`.
    private func isExact(_ token: Range<Int>) -> Bool {
        let digits = input.slice(token).count { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        let sign = input.bytes[token.lowerBound] == UInt8(ascii: "-") ? 1 : 0
        return digits + sign < token.count || digits <= 15
    }

    private mutating func skipSpace() {
        while [0x20, 0x09, 0x0A, 0x0D].contains(input.next) { input.index += 1 }
    }
}
