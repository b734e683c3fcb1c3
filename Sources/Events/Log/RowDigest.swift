// SPDX-License-Identifier: Apache-2.0
/// A count and a keyed sum over the rows of tables, in any order: rows are added and taken away as the tables change.
///
/// Each row counts as its SipHash-2-4 of 128 bits under a secret key, so whoever does not have the key finds no other rows
/// of the same sum, as long as the sum itself is shown to nobody.
struct RowDigest: Hashable, Sendable {
    /// What rows are hashed under.
    struct Key: Hashable, Sendable {
        let first: UInt64
        let second: UInt64
    }

    /// `nil` where nobody asks for the sum: it then stays what it is.
    private let key: Key?
    private(set) var count: UInt64 = 0
    private(set) var low: UInt64 = 0
    private(set) var high: UInt64 = 0

    init(under key: Key?) {
        self.key = key
    }

    /// Whether rows count at all.
    var isKept: Bool { key != nil }

    /// Adds a row of a table.
    @inline(__always)
    mutating func add(
        _ table: UInt8,
        _ name: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer
    ) {
        guard let key else { return }
        let hash = rowCode(key, table, name, value)
        count &+= 1
        low &+= hash.low
        high &+= hash.high
    }

    /// Takes a row away that was added before.
    @inline(__always)
    mutating func remove(
        _ table: UInt8,
        _ name: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer
    ) {
        guard let key else { return }
        let hash = rowCode(key, table, name, value)
        count &-= 1
        low &-= hash.low
        high &-= hash.high
    }
}

/// The hash of one row.
///
/// Its table and both lengths come first, so no two rows have the same words.
@inline(__always)
private func rowCode(
    _ key: RowDigest.Key,
    _ table: UInt8,
    _ name: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer
) -> (low: UInt64, high: UInt64) {
    var hash = SipState(key)
    hash.take(UInt64(table) | UInt64(name.count) << 8 | UInt64(value.count) << 32)
    hash.take(name)
    hash.take(value)
    return hash.finish()
}

/// SipHash-2-4 with a result of 128 bits, over words (Aumasson, Bernstein: SipHash, 2012).
private struct SipState {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64

    @inline(__always)
    init(_ key: RowDigest.Key) {
        v0 = key.first ^ 0x736F_6D65_7073_6575
        v1 = key.second ^ 0x646F_7261_6E64_6F6D ^ 0xEE
        v2 = key.first ^ 0x6C79_6765_6E65_7261
        v3 = key.second ^ 0x7465_6462_7974_6573
    }

    @inline(__always)
    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while index + 8 <= bytes.count {
            take(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index += 8
        }
        guard index < bytes.count else { return }
        var rest: UInt64 = 0
        while index < bytes.count {
            rest = rest << 8 | UInt64(bytes[index])
            index += 1
        }
        take(rest)
    }

    @inline(__always)
    mutating func take(_ word: UInt64) {
        v3 ^= word
        turn()
        turn()
        v0 ^= word
    }

    @inline(__always)
    mutating func finish() -> (low: UInt64, high: UInt64) {
        v2 ^= 0xEE
        for _ in 0..<4 { turn() }
        let low = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xDD
        for _ in 0..<4 { turn() }
        return (low, v0 ^ v1 ^ v2 ^ v3)
    }

    @inline(__always)
    private mutating func turn() {
        v0 &+= v1
        v1 = (v1 << 13 | v1 >> 51) ^ v0
        v0 = v0 << 32 | v0 >> 32
        v2 &+= v3
        v3 = (v3 << 16 | v3 >> 48) ^ v2
        v0 &+= v3
        v3 = (v3 << 21 | v3 >> 43) ^ v0
        v2 &+= v1
        v1 = (v1 << 17 | v1 >> 47) ^ v2
        v2 = v2 << 32 | v2 >> 32
    }
}
