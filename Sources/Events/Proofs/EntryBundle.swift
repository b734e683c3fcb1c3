// SPDX-License-Identifier: Apache-2.0

/// The coordinates of an entry bundle, the entries under a tile of level 0 (C2SP tlog-tiles).
///
/// Its bytes are the entries, each after its length as 16 bits, big-endian.
public struct EntryBundle: Hashable, Sendable {
    /// The place: the bundle begins with entry `index` × 256.
    public let index: UInt64
    /// The number of entries, 1 to 256.
    public let width: Int

    /// A bundle by its coordinates; values outside the limits are a programming error.
    ///
    /// - Parameters:
    ///   - index: The place.
    ///   - width: 1 to 256 entries; 256 is a full bundle.
    public init(index: UInt64, width: Int = ProofLimits.tileWidth) {
        // The same limits as the tile of leaf hashes above it.
        let tile = Tile(level: 0, index: index, width: width)
        self.index = tile.index
        self.width = tile.width
    }

    /// The positions of the entries.
    public var positions: Range<UInt64> { index << 8..<index << 8 + UInt64(width) }

    /// The tile that holds the leaf hashes of the entries.
    public var leafTile: Tile { Tile(level: 0, index: index, width: width) }

    /// Whether a tree of a certain size has all entries of this bundle.
    ///
    /// - Parameter size: The number of leaves in the tree.
    /// - Returns: Whether the bundle may be served below a checkpoint of that size.
    public func isWithin(size: UInt64) -> Bool { leafTile.isWithin(size: size) }

    /// The bundles of a tree in order, the last perhaps partial.
    ///
    /// - Parameter size: The number of leaves in the tree.
    /// - Returns: The bundles, made one by one.
    public static func all(ofSize size: UInt64) -> some Sequence<EntryBundle> {
        let count = size >> 8 + (size & 255 == 0 ? 0 : 1)
        return (0..<count).lazy.map { index in
            EntryBundle(index: index, width: Int(min(256, size - index << 8)))
        }
    }
}

extension EntryBundle {
    /// Appends an entry to the bytes of a bundle.
    ///
    /// - Parameters:
    ///   - entry: At most 65,535 bytes.
    ///   - bytes: The bundle so far.
    /// - Throws: ``TileError/entryTooLong(byteCount:)``; then nothing was appended.
    public static func append(
        _ entry: UnsafeRawBufferPointer,
        to bytes: inout [UInt8]
    ) throws(TileError) {
        guard let length = UInt16(exactly: entry.count) else {
            throw .entryTooLong(byteCount: entry.count)
        }
        bytes.append(UInt8(length >> 8))
        bytes.append(UInt8(length & 255))
        bytes.append(contentsOf: entry)
    }

    /// Splits the bytes of a bundle into its entries.
    ///
    /// - Parameter bytes: The bytes as served, after any decompression.
    /// - Returns: The entries in order, as slices of `bytes`.
    /// - Throws: ``TileError/bundleTruncated(entries:)`` when an entry is cut off, or
    ///   ``TileError/bundleTooLong`` when there are more than 256.
    public static func entries(in bytes: [UInt8]) throws(TileError) -> [ArraySlice<UInt8>] {
        var entries: [ArraySlice<UInt8>] = []
        var offset = 0
        while offset < bytes.count {
            guard entries.count < ProofLimits.tileWidth else { throw .bundleTooLong }
            guard offset + 2 <= bytes.count else { throw .bundleTruncated(entries: entries.count) }
            let length = Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
            offset += 2
            guard offset + length <= bytes.count else {
                throw .bundleTruncated(entries: entries.count)
            }
            entries.append(bytes[offset..<offset + length])
            offset += length
        }
        return entries
    }
}
