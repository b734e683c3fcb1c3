// SPDX-License-Identifier: Apache-2.0
/// A count and a sum over the rows of each table of an index, in any order of the rows.
///
/// Made once from the index and once from the entries, so that two streams of millions of rows are compared without being
/// held. It finds accidents, not attacks: whoever forges an index forges nothing that proofs rest on.
public struct IndexSums: Hashable, Sendable {
    /// The tables that are compared this way; tiles are compared one by one.
    public enum Table: UInt8, CaseIterable, Sendable {
        /// Subject, last revision, last position.
        case subjects
        /// Subject, revision, position.
        case revisions
        /// Linked subject, position, role.
        case links
        /// Kind, position.
        case kinds
        /// Category, position.
        case categories
        /// Command, first position, count.
        case commands
    }

    /// The rows of one table.
    public struct Sum: Hashable, Sendable {
        public var count: UInt64
        public var sum: UInt64

        public init(count: UInt64 = 0, sum: UInt64 = 0) {
            self.count = count
            self.sum = sum
        }

        public static func += (left: inout Sum, right: Sum) {
            left.count &+= right.count
            left.sum &+= right.sum
        }
    }

    private var sums = [Sum](repeating: Sum(), count: Table.allCases.count)

    public init() {}

    public subscript(table: Table) -> Sum {
        get { sums[Int(table.rawValue)] }
        set { sums[Int(table.rawValue)] = newValue }
    }

    /// Adds a row: the fingerprint of its text, and its numbers.
    @inline(__always)
    public mutating func add(_ table: Table, _ text: UInt64, _ first: UInt64, _ second: UInt64 = 0)
    {
        sums[Int(table.rawValue)] += Sum(count: 1, sum: rowHash(text, first, second))
    }

    /// Takes a row away again that was added before.
    @inline(__always)
    public mutating func remove(
        _ table: Table,
        _ text: UInt64,
        _ first: UInt64,
        _ second: UInt64 = 0
    ) {
        sums[Int(table.rawValue)].count &-= 1
        sums[Int(table.rawValue)].sum &-= rowHash(text, first, second)
    }

    /// Adds all rows of another part.
    public mutating func add(_ other: IndexSums) {
        for table in Table.allCases { self[table] += other[table] }
    }
}

@inline(__always)
private func rowHash(_ text: UInt64, _ first: UInt64, _ second: UInt64) -> UInt64 {
    var hash = (text ^ 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 31) ^ first) &* 0x94D0_49BB_1331_11EB
    hash = (hash ^ (hash >> 29) ^ second) &* 0xBF58_476D_1CE4_E5B9
    return hash ^ (hash >> 32)
}

/// A short hash of bytes, for tables in memory; not one that resists whoever knows the seed.
@inline(__always)
public func fingerprint(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    var hash = seed ^ (UInt64(truncatingIfNeeded: bytes.count) &* 0x9E37_79B9_7F4A_7C15)
    var index = 0
    while index + 8 <= bytes.count {
        hash = step(hash, bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        index += 8
    }
    var rest: UInt64 = 0
    while index < bytes.count {
        rest = rest << 8 | UInt64(bytes[index])
        index += 1
    }
    hash = step(hash, rest)
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    return hash ^ (hash >> 31)
}

@inline(__always)
private func step(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
}
