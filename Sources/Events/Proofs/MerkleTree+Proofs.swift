// SPDX-License-Identifier: Apache-2.0

extension MerkleTree {
    /// Proves that the tree has a leaf at an index, `PATH(index, D[size])`.
    ///
    /// - Parameter index: The index of the leaf.
    /// - Returns: The proof.
    /// - Throws: ``ProofError/indexOutsideTree(index:size:)``, or what reading a subtree throws.
    public func inclusionProof(of index: UInt64) throws -> InclusionProof {
        guard index < size else { throw ProofError.indexOutsideTree(index: index, size: size) }
        return InclusionProof(index: index, size: size, hashes: try path(to: index, in: 0..<size))
    }

    /// Proves that a smaller tree is the beginning of this one, `PROOF(oldSize, D[size])`.
    ///
    /// - Parameter oldSize: The size of the smaller tree; from 0 the proof is empty.
    /// - Returns: The proof.
    /// - Throws: ``ProofError/treeShrinks(old:new:)``, or what reading a subtree throws.
    public func consistencyProof(from oldSize: UInt64) throws -> ConsistencyProof {
        guard oldSize <= size else { throw ProofError.treeShrinks(old: oldSize, new: size) }
        let hashes = oldSize == 0 ? [] : try subtreeProof(of: 0..<oldSize)
        return ConsistencyProof(oldSize: oldSize, newSize: size, hashes: hashes)
    }

    /// The siblings from a leaf up to the root of a range.
    func path(to index: UInt64, in range: Range<UInt64>) throws -> [MerkleHash] {
        var siblings: [MerkleHash] = []
        var inner = range
        while inner.upperBound - inner.lowerBound > 1 {
            let middle = inner.lowerBound + Self.split(inner.upperBound - inner.lowerBound)
            if index < middle {
                siblings.append(try hash(of: middle..<inner.upperBound))
                inner = inner.lowerBound..<middle
            } else {
                siblings.append(try hash(of: inner.lowerBound..<middle))
                inner = middle..<inner.upperBound
            }
        }
        return siblings.reversed()
    }

    /// The hashes that tie a subtree to the whole tree.
    ///
    /// For a range from 0 this is the consistency proof of RFC 6962 §2.1.2.
    ///
    /// - Parameter part: A range as ``hash(of:)`` takes it.
    /// - Returns: The hashes, innermost first.
    /// - Throws: What reading a subtree throws.
    func subtreeProof(of part: Range<UInt64>) throws -> [MerkleHash] {
        var siblings: [MerkleHash] = []
        var whole = 0..<size
        var rest = part
        // Whoever checks knows the hash of `part`, but no longer once it has been cut.
        var isWhole = true
        while whole != rest {
            let middle = whole.lowerBound + Self.split(whole.upperBound - whole.lowerBound)
            if rest.upperBound <= middle {
                siblings.append(try hash(of: middle..<whole.upperBound))
                whole = whole.lowerBound..<middle
            } else {
                siblings.append(try hash(of: whole.lowerBound..<middle))
                whole = middle..<whole.upperBound
                if rest.lowerBound < middle {
                    rest = middle..<rest.upperBound
                    isWhole = false
                }
            }
        }
        if !isWhole { siblings.append(try hash(of: rest)) }
        return siblings.reversed()
    }
}
