// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// What the index says, as the walking process read it.
struct IndexSnapshot: Sendable {
    /// How many entries it holds.
    var size: UInt64 = 0
    /// Fingerprints of its tiles, by level and number as they are stored.
    var tiles: [UInt64: UInt64] = [:]
    /// The first four bytes of each leaf hash.
    var leafMarks: [UInt32] = []
    var sums = IndexSums()
    var isUnsteady = false
    /// Tables of its file that this program does not know.
    var foreignTables: [String] = []
    private var lastTile: UInt64?

    /// Reads the index of a ledger.
    ///
    /// - Throws: ``WalkError`` when it cannot be read to its end.
    static func read(_ folder: URL, with program: WalkProgram) throws -> IndexSnapshot {
        let process = try WalkProcess(program, .index, of: folder, from: 0)
        var reader = WalkReader(process)
        var snapshot = IndexSnapshot()
        while let (message, number) = try reader.next() {
            try snapshot.take(message, number, reader.bytes)
        }
        return snapshot
    }

    private mutating func take(
        _ message: WalkMessage,
        _ number: UInt64,
        _ bytes: UnsafeRawBufferPointer
    ) throws {
        switch message {
        case .size: size = number
        case .tile:
            try checkOrder(number)
            tiles[number] = fingerprint(bytes)
            if number >> 56 == 0 { addLeafMarks(number, bytes) }
        case .sum:
            guard let table = IndexSums.Table(rawValue: UInt8(truncatingIfNeeded: number)),
                bytes.count == 16
            else { throw WalkError.nonsense("a sum of an unknown table") }
            sums[table] = IndexSums.Sum(
                count: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)),
                sum: UInt64(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                )
            )
        case .table: foreignTables.append(String(decoding: bytes, as: UTF8.self))
        case .unsteady: isUnsteady = true
        case .hello, .end, .fact: break
        case .failure: throw WalkError(failure: number, bytes)
        case .checkpoint, .entry, .oversized: throw WalkError.nonsense("\(message)")
        }
    }

    /// Tiles come by level and number, each once, and none stands where entries of the index give none: a forged tree of
    /// pages may lead to the same tile for ever.
    private mutating func checkOrder(_ number: UInt64) throws {
        let (level, place) = (number >> 56, number & (1 << 56 - 1))
        let width = level < 7 ? 256 << (8 * level) : UInt64.max
        guard lastTile.map({ $0 < number }) ?? true, place <= size / width else {
            throw WalkError.nonsense("a tile that is none of \(size) entries")
        }
        lastTile = number
    }

    private mutating func addLeafMarks(_ number: UInt64, _ bytes: UnsafeRawBufferPointer) {
        // Tiles come in order; one that is missing leaves zeros, and is found by its fingerprint.
        guard number < size / 256 + 1,
            number <= UInt64(leafMarks.count / 256 + ReplayLimits.tilesMissingMax)
        else { return }
        let first = Int(number) * 256
        while leafMarks.count < first { leafMarks.append(0) }
        for offset in stride(from: 0, to: bytes.count - 31, by: 32) {
            leafMarks.append(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
    }
}
