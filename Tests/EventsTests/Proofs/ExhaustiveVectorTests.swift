// SPDX-License-Identifier: Apache-2.0
import Crypto
import Testing

@testable import Events

/// The rolling vectors over all trees of up to 130 leaves.
///
/// The leaves are `00`, `01`, … (one byte each), a vector is SHA-256 over one line per case. The subtree ones are those of draft-ietf-plants-merkle-tree-certs.
@Suite struct `Exhaustive Merkle vectors` {
    private static let leaves = MerkleVectors.countingLeaves(130)
    // Over tiles, as the log has them: the tree of each size reads the tiles of the largest.
    private let trees: [MerkleTree] = {
        let tiles = StoredTiles(leaves: Self.leaves)
        return (0...130).map { MerkleTree(size: $0, tiles: tiles.read) }
    }()

    @Test func `match for every inclusion proof`() throws {
        var lines = RollingDigest()
        for size in 1...130 {
            let root = try trees[size].root()
            for index in 0..<size {
                let proof = try trees[size].inclusionProof(of: UInt64(index))
                try proof.verify(leaf: Self.leaves[index], root: root)
                lines.add("\(index) \(size)", proof.hashes)
            }
        }
        #expect(lines.hex == "893ce6eea61adc33c22c0e3a952498b76dfa3c282e78ac659f6fcc0ea44f9983")
    }

    @Test func `match for every consistency proof`() throws {
        let roots = try trees.map { try $0.root() }
        var lines = RollingDigest()
        for new in 1...130 {
            for old in 1...new {
                let proof = try trees[new].consistencyProof(from: UInt64(old))
                try proof.verify(oldRoot: roots[old], newRoot: roots[new])
                lines.add("\(old) \(new)", proof.hashes)
            }
        }
        #expect(lines.hex == "2498232e1aebe8d1aa8d339d897fc471f4495fe0b8a55ac08f7dae3d88bc4c2a")
    }

    @Test func `match for the hash of every subtree`() throws {
        var lines = RollingDigest()
        for part in Self.subtrees(upTo: 130) {
            lines.add(Self.name(part), [try trees[130].hash(of: part)])
        }
        #expect(lines.hex == "94a95384a8c69acea9b50d035a58285b3a777cb7a724005faa5e1f1e1190007f")
    }

    @Test func `match for the inclusion of every leaf in every subtree`() throws {
        var lines = RollingDigest()
        for part in Self.subtrees(upTo: 130) {
            for index in part {
                let path = try trees[130].path(to: index, in: part)
                lines.add("\(index) \(Self.name(part))", path)
            }
        }
        #expect(lines.hex == "ac2a8f989e44d99e399db448050ff5f19757df53cfb716aa81015d3955d8163f")
    }

    @Test func `match for the consistency of every subtree with every tree`() throws {
        var lines = RollingDigest()
        for size in 0...130 {
            for part in Self.subtrees(upTo: UInt64(size)) {
                let proof = try trees[size].subtreeProof(of: part)
                lines.add("\(Self.name(part)) \(size)", proof)
            }
        }
        #expect(lines.hex == "c586ebbb73a5621baf2140095d87dde934e3b6503a562a1a5215b8209edd083d")
    }

    private static func name(_ part: Range<UInt64>) -> String {
        "[\(part.lowerBound), \(part.upperBound))"
    }

    /// The ranges that begin at a multiple of the smallest power of two of at least their length.
    private static func subtrees(upTo size: UInt64) -> [Range<UInt64>] {
        (0..<size).flatMap { last in
            (0...last).map { $0..<last + 1 }.filter { part in
                var power: UInt64 = 1
                while power < part.upperBound - part.lowerBound { power *= 2 }
                return part.lowerBound.isMultiple(of: power)
            }
        }
    }
}

/// SHA-256 over lines of a name and hashes.
private struct RollingDigest {
    private var hasher = SHA256()

    var hex: String {
        hasher.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    mutating func add(_ name: String, _ hashes: [MerkleHash]) {
        let line = ([name] + hashes.map(\.hex)).joined(separator: " ")
        hasher.update(data: [UInt8]("\(line)\n".utf8))
    }
}
