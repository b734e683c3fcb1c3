// SPDX-License-Identifier: Apache-2.0

/// Numbers of a file, read at their place; `nil` beyond its end.
struct ByteReader {
    let bytes: [UInt8]

    func integer<Value: FixedWidthInteger>(
        _ type: Value.Type,
        at place: Int,
        isBigEndian: Bool = false
    ) -> Value? {
        guard place >= 0, bytes.count - place >= MemoryLayout<Value>.size else { return nil }
        let value = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: type) }
        return isBigEndian ? Value(bigEndian: value) : Value(littleEndian: value)
    }

    func double(at place: Int) -> Double? {
        integer(UInt64.self, at: place).map(Double.init(bitPattern:))
    }
}
