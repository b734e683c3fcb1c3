// SPDX-License-Identifier: Apache-2.0

/// Writes integers, big endian, and bytes with their length before them.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func integer<Value: FixedWidthInteger>(_ value: Value) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func raw(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

    /// A 32-bit length, then the bytes.
    mutating func counted(_ more: some Collection<UInt8>) {
        integer(UInt32(more.count))
        raw(more)
    }
}

/// Reads what ``ByteWriter`` wrote.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) { rest = Array(bytes)[...] }

    /// The bytes ended too early.
    struct Short: Error {}

    var isAtEnd: Bool { rest.isEmpty }

    mutating func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type = Value.self
    ) throws(Short)
        -> Value
    {
        let raw = try take(type.bitWidth / 8)
        return raw.withUnsafeBytes { Value(bigEndian: $0.loadUnaligned(as: Value.self)) }
    }

    mutating func take(_ count: Int) throws(Short) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw Short() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func counted() throws(Short) -> [UInt8] { Array(try take(Int(integer(UInt32.self)))) }
}
