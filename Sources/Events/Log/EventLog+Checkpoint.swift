// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

extension EventLog {
    /// The newest signed checkpoint, as a C2SP signed note; `nil` before the first.
    public var checkpointNote: String? { state.withLock { $0.checkpoint?.note } }

    /// Signs a checkpoint over everything that is committed now, stores it, and returns it.
    ///
    /// - Returns: The note; `nil` if the log has no signer.
    /// - Throws: ``EventLogError``.
    @discardableResult
    public func makeCheckpoint() async throws(EventLogError) -> String? {
        guard let parts = parts.withLock({ $0 }) else { throw .closed }
        await parts.indexer.flush()
        await checkpoint(parts, evenIfRecent: true)
        if let fault = state.withLock({ $0.checkpointFault }) { throw .full(detail: fault) }
        return checkpointNote
    }

    /// Signs a checkpoint if one is due; what goes wrong is kept for ``makeCheckpoint()`` and tried again.
    func checkpoint(_ parts: Parts, evenIfRecent: Bool) async {
        guard let signer = configuration.signer, isCheckpointDue(evenIfRecent: evenIfRecent) else {
            return
        }
        let head = await parts.indexer.head()
        guard head.size > state.withLock({ $0.checkpoint?.size ?? 0 }) else { return }
        do {
            try held.check()
            let checkpoint = try Checkpoint(
                origin: origin,
                size: head.size,
                root: head.root,
                begun: configuration.memory?.begun ?? 0
            )
            let note = try checkpoint.sign(with: signer).description
            let signed = SignedCheckpoint(size: head.size, note: note)
            try await parts.writer.store(signed)
            try await parts.indexer.serve(
                signed,
                SignedHead(size: head.size, root: head.root, time: configuration.clock.now())
            )
        } catch {
            state.withLock { $0.checkpointFault = "the checkpoint could not be kept: \(error)" }
        }
    }

    private func isCheckpointDue(evenIfRecent: Bool) -> Bool {
        state.withLock { state in
            switch state.refusal {
            case .readOnly, .poisoned: return false
            default: break
            }
            guard state.size > state.checkpoint?.size ?? 0 else { return false }
            guard !evenIfRecent, let last = state.checkpointedAt else { return true }
            return configuration.clock.monotonic() - last >= configuration.checkpointInterval
        }
    }
}
