// SPDX-License-Identifier: Apache-2.0
import Events

extension Verify {
    /// Holds the end of the log against the seal of its last commit, which only the master key can check.
    ///
    /// Without it, what stands behind the newest checkpoint may be anybody's.
    mutating func checkSeal(_ log: LogVerification, _ papers: LedgerPapers) {
        guard log.isWhole, let root = log.root else { return }
        let proved = report.provedSize ?? 0
        guard let masterKey = options.masterKey, let origin = papers.origin, origin.isSealed else {
            return sayUnproved(proved..<max(proved, log.size))
        }
        let sealer = CommitSealer(masterKey: masterKey, verifier: origin.signer.verifier)
        if let seal = log.seal, seal.size == log.size, sealer.made(seal, over: root) {
            report.sealedSize = log.size
            return
        }
        // A ledger that nobody wrote to has nothing to seal.
        guard log.size > 0 || log.seal != nil else { return }
        addUnsealed(log, vouched: max(proved, vouched(log, sealer)))
    }

    private mutating func sayUnproved(_ positions: Range<UInt64>) {
        guard positions.lowerBound > 0, !positions.isEmpty else { return }
        report.notLookedAt.append(
            "who wrote positions \(positions), which are behind the newest checkpoint (the master key tells)"
        )
    }

    /// Up to where a seal of this ledger reaches that lies behind by now.
    private func vouched(_ log: LogVerification, _ sealer: CommitSealer) -> UInt64 {
        guard let seal = log.seal, let root = log.merge.roots[seal.size],
            sealer.made(seal, over: root)
        else { return 0 }
        return seal.size
    }

    private mutating func addUnsealed(_ log: LogVerification, vouched: UInt64) {
        let fact =
            if let seal = log.seal, seal.size > log.size {
                "its last commit reached position \(seal.size) and it has \(log.size) entries"
            } else if vouched < log.size {
                "nobody vouches for positions \(vouched)..<\(log.size): they were not committed with this ledger's keys"
            } else {
                "the seal of its last commit is gone, and with it what may have stood behind position \(log.size)"
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
