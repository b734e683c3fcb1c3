// SPDX-License-Identifier: Apache-2.0
extension CanonicalEncoding: SingleValueEncodingContainer {
    func encodeNil() throws {
        writer.write("null")
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        try write(value)
    }

    /// Writes one value where the run stands.
    ///
    /// The comparisons of types are settled by the compiler wherever the caller's type is known, and cost a pointer
    /// comparison each elsewhere; `as?` would cost a look-up.
    func write<Value: Encodable>(_ value: Value) throws {
        if Value.self == String.self {
            writer.writeString(unsafeBitCast(value, to: String.self))
        } else if Value.self == Int.self {
            try writeInteger(unsafeBitCast(value, to: Int.self))
        } else if Value.self == Bool.self {
            writer.write(unsafeBitCast(value, to: Bool.self))
        } else if Value.self == Double.self {
            try writeNumber(unsafeBitCast(value, to: Double.self))
        } else if Value.self == Float.self {
            try writeNumber(Double(unsafeBitCast(value, to: Float.self)))
        } else if try !writeSized(value) {
            try writeComposed(value)
        }
    }

    /// Writes whole numbers of the rarer sizes; `false` if it is none.
    private func writeSized<Value: Encodable>(_ value: Value) throws -> Bool {
        if Value.self == Int64.self {
            try writeInteger(unsafeBitCast(value, to: Int64.self))
        } else if Value.self == UInt64.self {
            try writeInteger(unsafeBitCast(value, to: UInt64.self))
        } else if Value.self == UInt.self {
            try writeInteger(unsafeBitCast(value, to: UInt.self))
        } else if Value.self == Int32.self {
            try writeInteger(unsafeBitCast(value, to: Int32.self))
        } else if Value.self == UInt32.self {
            try writeInteger(unsafeBitCast(value, to: UInt32.self))
        } else if Value.self == Int16.self {
            try writeInteger(unsafeBitCast(value, to: Int16.self))
        } else if Value.self == UInt16.self {
            try writeInteger(unsafeBitCast(value, to: UInt16.self))
        } else if Value.self == Int8.self {
            try writeInteger(unsafeBitCast(value, to: Int8.self))
        } else if Value.self == UInt8.self {
            try writeInteger(unsafeBitCast(value, to: UInt8.self))
        } else {
            return false
        }
        return true
    }

    private func writeComposed<Value: Encodable>(_ value: Value) throws {
        // One less than the limit: `data` stands inside the entry.
        let depth = frames.count
        guard depth < EventLimits.jsonDepthMax - 1 else {
            throw CanonicalEncodingError.tooDeep(pointer: pointer)
        }
        let start = writer.count
        try value.encode(to: self)
        try closeAll(above: depth)
        // A value that asked for no container has no members.
        if writer.count == start { writer.write("{}") }
    }

    private func writeInteger(_ value: some BinaryInteger) throws {
        guard let small = Int64(exactly: value),
            small.magnitude <= EventLimits.jsonIntegerMax.magnitude
        else {
            throw CanonicalEncodingError.integerTooLarge(pointer: pointer, digits: String(value))
        }
        writer.writeInteger(small)
    }

    private func writeNumber(_ value: Double) throws {
        guard value.isFinite else { throw CanonicalEncodingError.notFinite(pointer: pointer) }
        writer.writeDouble(value)
    }
}
