// SPDX-License-Identifier: Apache-2.0

/// Writes EBML elements into memory.
public struct ElementWriter: Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []

    public init() {}

    /// Writes a master element around what the closure writes; its size takes as few bytes as it can.
    public mutating func master(_ id: UInt32, _ body: (inout ElementWriter) -> Void) {
        var inner = ElementWriter()
        body(&inner)
        binary(id, inner.bytes)
    }

    /// Writes the head of a master whose size is not known yet: eight bytes that can be patched.
    public mutating func openMaster(_ id: UInt32) {
        self.id(id)
        bytes += [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    }

    public mutating func unsigned(_ id: UInt32, _ value: UInt64) {
        let length = max(1, (64 - value.leadingZeroBitCount + 7) / 8)
        binary(id, Self.bigEndian(value, count: length))
    }

    public mutating func double(_ id: UInt32, _ value: Double) {
        binary(id, Self.bigEndian(value.bitPattern, count: 8))
    }

    public mutating func text(_ id: UInt32, _ value: String) { binary(id, Array(value.utf8)) }

    public mutating func binary(_ id: UInt32, _ data: [UInt8]) {
        self.id(id)
        bytes += Self.size(UInt64(data.count))
        bytes += data
    }

    /// Writes a Void element that takes `total` bytes with its header; `total` is 2 or more.
    public mutating func void(total: Int) {
        precondition(total >= 2, "a Void element takes at least two bytes")
        // The size is one byte while that is enough, else eight, so that any total can be met.
        let short = total - 2 < 127
        id(Element.void)
        let data = total - (short ? 2 : 9)
        bytes += Self.size(UInt64(data), length: short ? 1 : 8)
        bytes += [UInt8](repeating: 0, count: data)
    }

    /// Appends bytes that are already elements.
    public mutating func raw(_ more: [UInt8]) { bytes += more }

    mutating func id(_ id: UInt32) {
        bytes += Self.bigEndian(UInt64(id), count: (32 - id.leadingZeroBitCount + 7) / 8)
    }

    /// An element size in as few bytes as hold it, or in exactly `length`.
    public static func size(_ value: UInt64, length: Int? = nil) -> [UInt8] {
        var count = length ?? 1
        if length == nil {
            // All ones means "unknown", so a length is enough only below that value.
            while count < 8, value >= (UInt64(1) << (7 * UInt64(count))) - 1 { count += 1 }
        }
        var encoded = bigEndian(value, count: count)
        encoded[0] |= 0x80 >> UInt8(count - 1)
        return encoded
    }

    static func bigEndian(_ value: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64(count - 1 - $0))) }
    }
}
