// SPDX-License-Identifier: Apache-2.0
import Events

/// Published vectors of the RFC 6962 tree, and trees to compare with them.
enum MerkleVectors {
    /// The eight leaves that implementations of this tree share, in hexadecimal.
    static let leaves = [
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    ]

    /// The roots of the first 0 to 8 of them.
    static let roots = [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ]

    /// The hashes of the shared leaves.
    static var leafHashes: [MerkleHash] { leaves.map { .leaf(bytes(hex: $0)) } }

    /// The leaves of the exhaustive vectors: one byte each, counting up.
    static func countingLeaves(_ count: Int) -> [MerkleHash] {
        (0..<count).map { .leaf([UInt8(truncatingIfNeeded: $0)]) }
    }

    /// Leaves that all differ, for trees of any size.
    static func distinctLeaves(_ count: Int) -> [MerkleHash] {
        (0..<count).map { number in
            withUnsafeBytes(of: UInt64(number).bigEndian) { .leaf($0) }
        }
    }

    /// The root as RFC 6962 §2.1 defines it, recursively: the oracle for everything faster.
    static func root(of leaves: ArraySlice<MerkleHash>) -> MerkleHash {
        if leaves.isEmpty { return .emptyTree }
        if leaves.count == 1 { return leaves[leaves.startIndex] }
        var split = 1
        while split * 2 < leaves.count { split *= 2 }
        let left = leaves.prefix(split)
        return .node(root(of: left), root(of: leaves.dropFirst(split)))
    }

    static func bytes(hex: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = hex[...]
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
