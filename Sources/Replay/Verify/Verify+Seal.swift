// SPDX-License-Identifier: Apache-2.0
import Events

extension Verify {
    /// Holds the end of the log against the seal of its last commit, which only the master key can check.
    ///
    /// Without it, what stands behind the newest checkpoint may be anybody's; only that the seal is of another end is seen.
    mutating func checkSeal(_ log: LogVerification, _ papers: LedgerPapers) {
        guard log.isWhole, let root = log.root else { return }
        let proved = report.provedSize ?? 0
        guard let masterKey = options.masterKey, let origin = papers.origin, origin.isSealed else {
            if let seal = log.seal, seal.size != log.size {
                return addUnsealed(log, vouched: max(proved, min(seal.size, log.size)))
            }
            if log.isSealUnreadable { return addUnsealed(log, vouched: proved) }
            sayUnproved(proved..<max(proved, log.size))
            return sayNoMemory(log, papers)
        }
        let sealer = CommitSealer(masterKey: masterKey, verifier: origin.signer.verifier)
        if let seal = log.seal, seal.size == log.size, sealer.made(seal, over: root) {
            report.sealedSize = log.size
            return
        }
        if let seal = log.seal, seal.size == log.size,
            let first = log.merge.index?.wrongLeaves.min()
        {
            return addOtherSeal(first)
        }
        // A ledger that nobody wrote to has nothing to seal.
        guard log.size > 0 || log.seal != nil || log.isSealUnreadable else { return }
        addUnsealed(log, vouched: max(proved, vouched(log, sealer)))
    }

    private mutating func sayUnproved(_ positions: Range<UInt64>) {
        guard positions.lowerBound > 0, !positions.isEmpty else { return }
        report.notLookedAt.append(
            "who wrote positions \(positions), which are behind the newest checkpoint that proves anything (the master key tells)"
        )
    }

    /// Who cuts a log off where a checkpoint is, and takes the later ones away, leaves nothing that is wrong by itself.
    private mutating func sayNoMemory(_ log: LogVerification, _ papers: LedgerPapers) {
        guard papers.signed == nil, log.size > 0 || papers.hasTraces else { return }
        let seal = log.seal == nil ? "" : ", the size in the seal of the last commit"
        report.notLookedAt.append(
            "whether more was signed and taken away with its checkpoints: without the master key only the file checkpoint\(seal) and gaps of over three minutes tell (the master key does, or --against a checkpoint that was kept elsewhere)"
        )
    }

    /// Up to where a seal of this ledger reaches that lies behind by now.
    private func vouched(_ log: LogVerification, _ sealer: CommitSealer) -> UInt64 {
        guard let seal = log.seal, let root = log.merge.roots[seal.size],
            sealer.made(seal, over: root)
        else { return 0 }
        return seal.size
    }

    /// An entry that was edited leaves the end where it was: who looks for what was not committed would look elsewhere.
    private mutating func addOtherSeal(_ position: UInt64) {
        add(
            Finding(
                .damage,
                place: "log/data.mdb",
                position: position,
                "the seal of its last commit is over other entries; position \(position) is the first that the index remembers otherwise",
                advice: "restore the log from a backup; the gateway signs no more of it"
            )
        )
    }

    private mutating func addUnsealed(_ log: LogVerification, vouched: UInt64) {
        let fact =
            if let seal = log.seal, seal.size > log.size {
                "its last commit reached position \(seal.size) and it has \(log.size) entries"
            } else if vouched < log.size {
                log.isSealUnreadable
                    ? "nobody vouches for positions \(vouched)..<\(log.size): the seal of its last commit cannot be read"
                    : "nobody vouches for positions \(vouched)..<\(log.size): they were not committed with this ledger's keys"
            } else {
                log.isSealUnreadable
                    ? "the seal of its last commit cannot be read: nothing tells whether more stood behind position \(log.size)"
                    : "the seal of its last commit is gone, and with it what may have stood behind position \(log.size)"
            }
        add(
            Finding(
                .damage,
                place: "log/data.mdb",
                position: min(vouched, log.size),
                fact,
                advice: "restore the log from a backup; the gateway signs no more of it"
            )
        )
    }
}
