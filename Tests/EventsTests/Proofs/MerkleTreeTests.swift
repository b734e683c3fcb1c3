// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@Suite struct `Merkle tree` {
    private let leaves = MerkleVectors.leafHashes

    @Test(arguments: 0...8)
    func `has the published root for its first leaves`(size: Int) throws {
        var frontier = MerkleFrontier()
        for leaf in leaves.prefix(size) { frontier.append(leaf) }
        let tree = MerkleTree(leaves: Array(leaves.prefix(size)))
        #expect(frontier.root.hex == MerkleVectors.roots[size])
        #expect(try tree.root().hex == MerkleVectors.roots[size])
        #expect(MerkleVectors.root(of: leaves.prefix(size)).hex == MerkleVectors.roots[size])
        #expect(frontier.size == UInt64(size))
    }

    @Test func `proves the inclusion of leaf 5 in size 7 as published`() throws {
        let proof = try MerkleTree(leaves: Array(leaves.prefix(7))).inclusionProof(of: 5)
        #expect(
            proof.hashes.map(\.hex) == [
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
                "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            ]
        )
    }

    @Test func `proves the consistency of size 4 and 6 with size 8 as published`() throws {
        let tree = MerkleTree(leaves: leaves)
        #expect(
            try tree.consistencyProof(from: 4).hashes.map(\.hex) == [
                "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"
            ]
        )
        #expect(
            try tree.consistencyProof(from: 6).hashes.map(\.hex) == [
                "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            ]
        )
    }

    @Test func `refuses proofs that its size does not allow`() {
        let tree = MerkleTree(leaves: leaves)
        #expect(throws: ProofError.indexOutsideTree(index: 8, size: 8)) {
            try tree.inclusionProof(of: 8)
        }
        #expect(throws: ProofError.treeShrinks(old: 9, new: 8)) {
            try tree.consistencyProof(from: 9)
        }
    }
}

@Suite struct `Merkle frontier` {
    @Test func `has the root of the definition at every size`() {
        let leaves = MerkleVectors.distinctLeaves(600)
        var frontier = MerkleFrontier()
        for (size, leaf) in leaves.enumerated() {
            #expect(frontier.root == MerkleVectors.root(of: leaves.prefix(size)))
            frontier.append(leaf)
        }
    }

    @Test func `goes on from its stored form as if never stored`() throws {
        var frontier = MerkleFrontier()
        for leaf in MerkleVectors.distinctLeaves(300) {
            let restored = try MerkleFrontier(bytes: frontier.bytes)
            #expect(restored == frontier)
            frontier = restored
            frontier.append(leaf)
        }
        #expect(frontier.root == MerkleVectors.root(of: MerkleVectors.distinctLeaves(300)[...]))
    }

    @Test func `refuses stored bytes of another length`() {
        var frontier = MerkleFrontier()
        for leaf in MerkleVectors.distinctLeaves(5) { frontier.append(leaf) }
        let bytes = frontier.bytes
        for count in 0..<bytes.count {
            #expect(throws: ProofError.malformedFrontier(byteCount: count)) {
                try MerkleFrontier(bytes: Array(bytes.prefix(count)))
            }
        }
        #expect(throws: ProofError.malformedFrontier(byteCount: bytes.count + 1)) {
            try MerkleFrontier(bytes: bytes + [0])
        }
    }
}

@Suite struct `Merkle hash` {
    @Test func `reads back its texts and bytes`() throws {
        for hash in MerkleVectors.distinctLeaves(100) {
            #expect(MerkleHash(hex: hash.hex) == hash)
            #expect(MerkleHash(base64: hash.base64) == hash)
            #expect(MerkleHash(bytes: hash.bytes) == hash)
        }
    }

    @Test(arguments: [
        "", "e3b0", String(repeating: "0", count: 63), String(repeating: "0", count: 66),
        String(repeating: "E", count: 64), String(repeating: "g", count: 64),
    ])
    func `is not read from other hexadecimal text`(text: String) {
        #expect(MerkleHash(hex: text) == nil)
    }

    @Test(arguments: [
        "", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=",
        "47DEQpj8HBSa-/TImW-5JCeuQeRkm5NMpJWZG3hSuFU=",
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuA==",
    ])
    func `is not read from other base64 text`(text: String) {
        #expect(MerkleHash(base64: text) == nil)
        #expect(
            MerkleHash(base64: "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=") == .emptyTree
        )
    }

    @Test func `hashes a leaf alike from an array, a pointer and a span`() {
        let entry = [UInt8](repeating: 7, count: 521)
        let expected = MerkleHash.leaf(entry)
        #expect(entry.withUnsafeBytes { MerkleHash.leaf($0) } == expected)
        #expect(MerkleHash.leaf(entry.span.bytes) == expected)
    }
}
