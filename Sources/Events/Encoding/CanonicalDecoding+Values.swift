// SPDX-License-Identifier: Apache-2.0
extension CanonicalDecoding: SingleValueDecodingContainer {
    func decodeNil() -> Bool {
        bytes[value.lowerBound] == UInt8(ascii: "n")
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try read(type)
    }

    /// Reads the value where the run stands; see ``CanonicalEncoding/write(_:)`` for the comparisons of types.
    func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == String.self { return unsafeBitCast(try readString(), to: type) }
        if type == Int.self { return unsafeBitCast(try readInteger(Int.self), to: type) }
        if type == Bool.self { return unsafeBitCast(try readBool(), to: type) }
        if type == Double.self { return unsafeBitCast(try readDouble(), to: type) }
        if type == Float.self { return unsafeBitCast(Float(try readDouble()), to: type) }
        if type == Int64.self { return unsafeBitCast(try readInteger(Int64.self), to: type) }
        if type == UInt64.self { return unsafeBitCast(try readInteger(UInt64.self), to: type) }
        if type == UInt.self { return unsafeBitCast(try readInteger(UInt.self), to: type) }
        if type == Int32.self { return unsafeBitCast(try readInteger(Int32.self), to: type) }
        if type == UInt32.self { return unsafeBitCast(try readInteger(UInt32.self), to: type) }
        if type == Int16.self { return unsafeBitCast(try readInteger(Int16.self), to: type) }
        if type == UInt16.self { return unsafeBitCast(try readInteger(UInt16.self), to: type) }
        if type == Int8.self { return unsafeBitCast(try readInteger(Int8.self), to: type) }
        if type == UInt8.self { return unsafeBitCast(try readInteger(UInt8.self), to: type) }
        let depth = frames.count
        let composed = try Value(from: self)
        close(above: depth)
        return composed
    }

    /// What a value that is something else reports.
    func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(
            type,
            .init(codingPath: codingPath, debugDescription: "the value is of another type")
        )
    }

    private func readString() throws -> String {
        JSONString.text(scanned: try stringContent())
    }

    /// What stands between the quotes of the string where the run stands.
    func stringContent() throws -> UnsafeBufferPointer<UInt8> {
        guard value.count >= 2, bytes[value.lowerBound] == UInt8(ascii: "\""),
            bytes[value.upperBound - 1] == UInt8(ascii: "\"")
        else { throw mismatch(String.self) }
        return UnsafeBufferPointer(
            rebasing: bytes[(value.lowerBound + 1)..<(value.upperBound - 1)]
        )
    }

    private func readBool() throws -> Bool {
        switch bytes[value.lowerBound] {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: throw mismatch(Bool.self)
        }
    }

    private func readInteger<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        let negative = bytes[value.lowerBound] == UInt8(ascii: "-")
        var magnitude: Int64 = 0
        // 17 digits hold every whole number that canonical JSON prints without an exponent and stay below 2^63.
        let digits = bytes[value].dropFirst(negative ? 1 : 0)
        guard !digits.isEmpty, digits.count <= 17 else { throw mismatch(type) }
        for byte in digits {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { throw mismatch(type) }
            magnitude = magnitude * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        // What the encoder refuses to write is not read either: other readers would round it.
        guard magnitude <= EventLimits.jsonIntegerMax,
            let number = Number(exactly: negative ? -magnitude : magnitude)
        else { throw mismatch(type) }
        return number
    }

    private func readDouble() throws -> Double {
        let first = bytes[value.lowerBound]
        guard first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first),
            let number = Double(String(decoding: bytes[value], as: UTF8.self)), number.isFinite
        else { throw mismatch(Double.self) }
        return number
    }
}
