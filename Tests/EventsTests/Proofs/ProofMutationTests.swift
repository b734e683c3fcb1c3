// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

/// Promise 5: no proof stands for anything but what it was made for.
@Suite(.tags(.promise5)) struct `Damaged proofs` {
    private static let leaves = MerkleVectors.distinctLeaves(20)
    private static let roots = (0...20).map { MerkleVectors.root(of: leaves.prefix($0)) }

    @Test(arguments: 1...20)
    func `of inclusion are refused after a change of any bit or of their length`(size: Int) throws {
        let tree = MerkleTree(leaves: Array(Self.leaves.prefix(size)))
        for index in 0..<size {
            let (leaf, root) = (Self.leaves[index], Self.roots[size])
            let proof = try tree.inclusionProof(of: UInt64(index))
            #expect(proof.holds(leaf: leaf, root: root))
            let accepted = Self.damaged(proof.hashes).filter { hashes in
                InclusionProof(index: proof.index, size: proof.size, hashes: hashes)
                    .holds(leaf: leaf, root: root)
            }
            #expect(accepted.isEmpty, "leaf \(index)")
        }
    }

    @Test(arguments: 1...20)
    func `of consistency are refused after a change of any bit or of their length`(
        new: Int
    ) throws {
        let tree = MerkleTree(leaves: Array(Self.leaves.prefix(new)))
        for old in 0...new {
            let (oldRoot, newRoot) = (Self.roots[old], Self.roots[new])
            let proof = try tree.consistencyProof(from: UInt64(old))
            #expect(proof.holds(oldRoot: oldRoot, newRoot: newRoot))
            let accepted = Self.damaged(proof.hashes).filter { hashes in
                ConsistencyProof(oldSize: proof.oldSize, newSize: proof.newSize, hashes: hashes)
                    .holds(oldRoot: oldRoot, newRoot: newRoot)
            }
            #expect(accepted.isEmpty, "old size \(old)")
        }
    }

    @Test(arguments: 1...20)
    func `of inclusion are refused for another leaf, index or root`(size: Int) throws {
        let tree = MerkleTree(leaves: Array(Self.leaves.prefix(size)))
        for index in 0..<size {
            let (leaf, root) = (Self.leaves[index], Self.roots[size])
            let proof = try tree.inclusionProof(of: UInt64(index))
            for other in 0..<20 where other != index {
                let moved = InclusionProof(
                    index: UInt64(other),
                    size: proof.size,
                    hashes: proof.hashes
                )
                #expect(!proof.holds(leaf: Self.leaves[other], root: root))
                #expect(!moved.holds(leaf: leaf, root: root))
            }
            for other in 0...20 where other != size {
                #expect(!proof.holds(leaf: leaf, root: Self.roots[other]))
            }
        }
    }

    @Test(arguments: 1...20)
    func `of consistency are refused for other or swapped roots`(new: Int) throws {
        let tree = MerkleTree(leaves: Array(Self.leaves.prefix(new)))
        for old in 1...new {
            let (oldRoot, newRoot) = (Self.roots[old], Self.roots[new])
            let proof = try tree.consistencyProof(from: UInt64(old))
            for other in 0...20 where other != old {
                #expect(!proof.holds(oldRoot: Self.roots[other], newRoot: newRoot))
            }
            for other in 0...20 where other != new {
                #expect(!proof.holds(oldRoot: oldRoot, newRoot: Self.roots[other]))
            }
            #expect(old == new || !proof.holds(oldRoot: newRoot, newRoot: oldRoot))
        }
    }

    @Test func `of consistency say what is wrong with them`() throws {
        let root = Self.roots[7]
        try ConsistencyProof(oldSize: 0, newSize: 7, hashes: [])
            .verify(oldRoot: .emptyTree, newRoot: root)
        #expect(throws: ProofError.wrongLength(hashes: 1)) {
            try ConsistencyProof(oldSize: 0, newSize: 7, hashes: [root])
                .verify(oldRoot: .emptyTree, newRoot: root)
        }
        #expect(throws: ProofError.oldRootDiffers(computed: .emptyTree, expected: root)) {
            try ConsistencyProof(oldSize: 0, newSize: 7, hashes: [])
                .verify(oldRoot: root, newRoot: root)
        }
        #expect(throws: ProofError.treeShrinks(old: 8, new: 7)) {
            try ConsistencyProof(oldSize: 8, newSize: 7, hashes: [])
                .verify(oldRoot: root, newRoot: root)
        }
        #expect(throws: ProofError.wrongLength(hashes: 0)) {
            try ConsistencyProof(oldSize: 3, newSize: 7, hashes: [])
                .verify(oldRoot: Self.roots[3], newRoot: root)
        }
    }

    /// The hashes of a proof with each bit changed, each hash missing, and one added anywhere.
    private static func damaged(_ hashes: [MerkleHash]) -> [[MerkleHash]] {
        withOneBitChanged(hashes) + withOtherLength(hashes)
    }

    private static func withOneBitChanged(_ hashes: [MerkleHash]) -> [[MerkleHash]] {
        hashes.indices.flatMap { place in
            (0..<256).compactMap { bit in
                var bytes = hashes[place].bytes
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                return MerkleHash(bytes: bytes).map { changed in
                    var damaged = hashes
                    damaged[place] = changed
                    return damaged
                }
            }
        }
    }

    private static func withOtherLength(_ hashes: [MerkleHash]) -> [[MerkleHash]] {
        let shorter = hashes.indices.map { missing in
            hashes.indices.filter { $0 != missing }.map { hashes[$0] }
        }
        let longer = (0...hashes.count).flatMap { place in
            [MerkleHash.emptyTree, hashes.first ?? .emptyTree, leaves[0]].map { added in
                var damaged = hashes
                damaged.insert(added, at: place)
                return damaged
            }
        }
        return shorter + longer
    }
}

extension InclusionProof {
    /// Whether the proof is accepted; cheaper than an expected error, for very many cases.
    fileprivate func holds(leaf: MerkleHash, root: MerkleHash) -> Bool {
        do throws(ProofError) {
            try verify(leaf: leaf, root: root)
            return true
        } catch {
            return false
        }
    }
}

extension ConsistencyProof {
    /// Whether the proof is accepted; cheaper than an expected error, for very many cases.
    fileprivate func holds(oldRoot: MerkleHash, newRoot: MerkleHash) -> Bool {
        do throws(ProofError) {
            try verify(oldRoot: oldRoot, newRoot: newRoot)
            return true
        } catch {
            return false
        }
    }
}
