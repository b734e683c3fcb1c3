// SPDX-License-Identifier: Apache-2.0
import Events

extension CheckpointList {
    /// Holds the roots of the log as it is now against those that were signed.
    ///
    /// - Parameters:
    ///   - roots: The roots at the sizes asked for, as far as the log goes.
    ///   - reached: How many entries were read.
    ///   - isWhole: Whether that is all of the log.
    ///   - suspects: Positions that differ from what the index remembers, ascending.
    /// - Returns: What does not agree.
    func compare(
        roots: [UInt64: MerkleHash],
        reached: UInt64,
        isWhole: Bool,
        suspects: [UInt64]
    ) -> [Finding] {
        var good = NewestGood()
        var findings: [Finding] = []
        for one in known.sorted(by: { $0.checkpoint.size < $1.checkpoint.size }) {
            let size = one.checkpoint.size
            let root = size == 0 ? .emptyTree : roots[size]
            if root == one.checkpoint.root {
                good.add(one)
            } else if root != nil {
                findings.append(difference(one, good, suspects))
            } else if isWhole, size > reached {
                findings.append(lostTail(one, reached))
            }
        }
        return findings
    }

    /// How many of them agree with the log.
    func agreeing(with roots: [UInt64: MerkleHash]) -> Int {
        known.count { $0.agrees(with: roots) }
    }

    private func lostTail(_ one: Known, _ reached: UInt64) -> Finding {
        Finding(
            .damage,
            place: one.source.place,
            position: reached,
            "it was signed over \(one.checkpoint.size) entries and the log has \(reached): positions \(reached)..<\(one.checkpoint.size) are lost",
            advice: "restore the log from a backup that has them"
        )
    }

    private func difference(_ one: Known, _ good: NewestGood, _ suspects: [UInt64]) -> Finding {
        let size = one.checkpoint.size
        let from = good.size(narrowing: one.source)
        var fact =
            "the first \(size) entries are not those that were signed; they may differ from position \(from) on"
        // Without an index nobody knows which; what is not known is not called the first.
        var position: UInt64?
        let begin = from == 0 ? 0 : suspects.count(through: from - 1)
        // One more than is spelt out tells that there are more.
        let named = suspects[begin...].prefix(6).prefix { $0 < size }
        if let first = named.first {
            position = first
            let list = named.prefix(5).map { String($0) }.joined(separator: ", ")
            fact +=
                ", and the index remembers other entries at \(named.count > 5 ? "\(list), …" : list)"
        }
        return Finding(
            .damage,
            place: one.source.place,
            position: position,
            fact,
            advice:
                "compare with an export or a backup from before; other checkpoints narrow it down"
        )
    }
}

/// Up to where checkpoints that agree make sure that nothing differs, while they are walked by size.
///
/// Whoever rebuilds a ledger signs it anew, so what was kept elsewhere is narrowed down only by its like.
private struct NewestGood {
    private var ofAuditor: UInt64 = 0
    private var ofAny: UInt64 = 0

    mutating func add(_ one: CheckpointList.Known) {
        ofAny = one.checkpoint.size
        if one.source.isFromAuditor { ofAuditor = one.checkpoint.size }
    }

    func size(narrowing source: CheckpointList.Source) -> UInt64 {
        source.isFromAuditor ? ofAuditor : ofAny
    }
}

extension CheckpointList.Source {
    fileprivate var isFromAuditor: Bool {
        if case .auditor = self { true } else { false }
    }
}
