// SPDX-License-Identifier: Apache-2.0
import Events

/// Proves that entries stand in the log, against the newest checkpoint.
///
/// Entries that none covers yet get one, but not as often as somebody asks: each is kept for good.
struct ProofDesk: Sendable {
    private let ledger: Ledger
    /// How often a proof may make a checkpoint, of all readers and of each.
    private let checkpoints: ClientRates
    private let checkpointsOfReader: ClientRates

    init(ledger: Ledger) {
        self.ledger = ledger
        let limits = ledger.configuration.limits
        checkpoints = ClientRates(limits.checkpointsForProofs, capacity: 1)
        checkpointsOfReader = ClientRates(
            limits.checkpointsForProofsOfReader,
            capacity: limits.rememberedClients
        )
    }

    /// The siblings from an entry's leaf to the root, and the note that the root stands in.
    ///
    /// - Throws: 404 while no checkpoint covers the entry.
    func inclusion(
        of position: LogPosition,
        for reader: Principal
    ) async throws -> (proof: InclusionProof, note: String) {
        if let found = try ledger.log.inclusionProof(of: position) { return found }
        if checkpointsOfReader.admit(reader.holder) == nil, checkpoints.admit("proofs") == nil {
            try await ledger.log.makeCheckpoint()
        }
        guard let found = try ledger.log.inclusionProof(of: position) else {
            throw Self.notCovered
        }
        return found
    }

    /// The same for many entries under one checkpoint, base64.
    ///
    /// - Throws: 404 while no checkpoint covers the last; 503 where new ones came too fast.
    func inclusion(
        of positions: [LogPosition],
        for reader: Principal
    ) async throws -> (hashes: [LogPosition: [String]], note: String) {
        guard let last = positions.max() else { throw Self.notCovered }
        // A checkpoint may be signed meanwhile; the next round is under that one.
        for _ in 0..<8 {
            let note = try await inclusion(of: last, for: reader).note
            var hashes: [LogPosition: [String]] = [:]
            for position in positions {
                let found = try await inclusion(of: position, for: reader)
                guard found.note == note else { break }
                hashes[position] = found.proof.hashes.map(\.base64)
            }
            if hashes.count == positions.count { return (hashes, note) }
        }
        throw Problem.tryLater(.unavailable, "checkpoints came faster than the proof; ask again")
    }

    static let notCovered = Problem(
        .notFound,
        detail:
            "the newest checkpoint does not cover this yet; ask again in a minute, or read /checkpoint for the size"
    )
}
