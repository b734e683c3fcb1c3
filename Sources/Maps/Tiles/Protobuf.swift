// SPDX-License-Identifier: Apache-2.0

/// Writes the few kinds of fields that a vector tile has (protocol buffers).
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func integer(_ field: UInt64, _ value: UInt64) {
        varint(field << 3)
        varint(value)
    }

    mutating func bytes(_ field: UInt64, _ value: [UInt8]) {
        varint(field << 3 | 2)
        varint(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func text(_ field: UInt64, _ value: String) {
        bytes(field, Array(value.utf8))
    }

    /// Integers one after another, without their field each.
    mutating func packed(_ field: UInt64, _ values: [UInt32]) {
        var inner = ProtobufWriter()
        for value in values { inner.varint(UInt64(value)) }
        bytes(field, inner.bytes)
    }

    /// Small numbers of either sign become small ones without a sign.
    static func zigzag(_ value: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: (value << 1) ^ (value >> (Int.bitWidth - 1)))
    }
}
