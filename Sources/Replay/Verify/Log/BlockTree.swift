// SPDX-License-Identifier: Apache-2.0
import Events

/// The tree above blocks of 256 leaves: its roots at any size, and its tiles from level 1 up.
struct BlockTree {
    /// Whole blocks so far.
    private(set) var blockCount: UInt64 = 0
    // The roots of complete subtrees of blocks, largest first, one for each bit of the count.
    private var peaks: [MerkleHash] = []
    // For each level from 1 up the hashes of the tile that is not full yet.
    private var edges: [[MerkleHash]] = []

    /// Adds a whole block; tells each tile above it that this completed.
    mutating func append(
        _ root: MerkleHash,
        tile: (_ level: Int, _ number: UInt64, _ fingerprint: UInt64) -> Void
    ) {
        var hash = root
        var bits = blockCount
        while bits & 1 == 1 {
            hash = .node(peaks.removeLast(), hash)
            bits >>= 1
        }
        peaks.append(hash)
        blockCount += 1
        addToEdges(root, tile)
    }

    /// The root of a tree that ends with whole blocks, or with part of another one.
    func root(endingIn partial: MerkleHash?) -> MerkleHash {
        var rest = peaks[...]
        guard var root = partial ?? rest.popLast() else { return .emptyTree }
        for peak in rest.reversed() { root = .node(peak, root) }
        return root
    }

    /// The tiles above level 0 that are not full.
    func partialTiles(_ tile: (_ level: Int, _ number: UInt64, _ fingerprint: UInt64) -> Void) {
        for (index, edge) in edges.enumerated() where !edge.isEmpty {
            tile(
                index + 1,
                blockCount >> UInt64(8 * (index + 1)),
                edge.withUnsafeBytes { Events.fingerprint($0) }
            )
        }
    }

    private mutating func addToEdges(
        _ root: MerkleHash,
        _ tile: (_ level: Int, _ number: UInt64, _ fingerprint: UInt64) -> Void
    ) {
        var hash = root
        var level = 1
        while true {
            if edges.count < level { edges.append([]) }
            edges[level - 1].append(hash)
            guard edges[level - 1].count == 256 else { return }
            let number = (blockCount >> UInt64(8 * level)) - 1
            tile(level, number, edges[level - 1].withUnsafeBytes { Events.fingerprint($0) })
            hash = perfectRoot(&edges[level - 1])
            edges[level - 1].removeAll(keepingCapacity: true)
            level += 1
        }
    }
}

/// The root over a power of two of hashes; what they are afterwards is of no use.
func perfectRoot(_ hashes: inout [MerkleHash]) -> MerkleHash {
    hashes.withUnsafeMutableBufferPointer { hashes in
        var width = hashes.count
        while width > 1 {
            width /= 2
            for index in 0..<width {
                hashes[index] = .node(hashes[2 * index], hashes[2 * index + 1])
            }
        }
        return hashes[0]
    }
}
