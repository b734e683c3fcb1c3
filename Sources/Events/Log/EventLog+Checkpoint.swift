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
            let checkpoint = try Checkpoint(origin: origin, size: head.size, root: head.root)
            let note = try checkpoint.sign(with: signer).description
            let signed = SignedCheckpoint(size: head.size, note: note)
            try await parts.writer.store(signed)
            try await parts.indexer.serve(signed)
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

    /// The newest checkpoint known here: in the log or in the file beside it, whichever covers more.
    ///
    /// Its signature is checked by `verify`, which knows the ledger's public key; here it guards against lost tails.
    func newestCheckpoint() throws(EventLogError) -> (checkpoint: Checkpoint, note: String)? {
        let file = folder.appending(path: "checkpoint")
        var notes = [try store.newestCheckpointNote()]
        do {
            // A file that is there and cannot be read may be all that is left of a signature: it does not count as none.
            if FileManager.default.fileExists(atPath: file.path) {
                notes.append(String(decoding: try Data(contentsOf: file), as: UTF8.self))
            }
            let known = try notes.compactMap { $0 }.map { note in
                (checkpoint: try Checkpoint(text: SignedNote(note).text), note: note)
            }
            return known.max { $0.checkpoint.size < $1.checkpoint.size }
        } catch {
            throw .damaged(position: nil, detail: "a stored checkpoint cannot be read: \(error)")
        }
    }

    /// Why a checkpoint and the log do not belong together; `nil` if they do.
    func doubt(
        about checkpoint: Checkpoint,
        size: UInt64
    ) throws(EventLogError) -> String? {
        guard checkpoint.origin == origin else {
            return "a checkpoint is of the ledger \(checkpoint.origin)"
        }
        guard checkpoint.size <= size else {
            return
                "it has \(size) events, a signed checkpoint covers \(checkpoint.size); restore the rest, or begin a new origin"
        }
        let root = try asking {
            try MerkleTree(size: checkpoint.size) { tile in
                try self.index.tile(level: tile.level, number: tile.index) ?? []
            }.root()
        }
        guard root == checkpoint.root else {
            return
                "its first \(checkpoint.size) events are not those of the signed checkpoint; run daybook verify"
        }
        return nil
    }
}

/// Replaces a file so that after a power cut either the old or the new content is there.
func writeDurably(_ data: Data, to file: URL) throws {
    let folder = file.deletingLastPathComponent()
    let temporary = folder.appending(path: ".\(file.lastPathComponent).new")
    let descriptor = open(temporary.path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer { close(descriptor) }
    let written = data.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard written == data.count, fsync(descriptor) == 0 else {
        throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
    // The folder stays open across rename and fsync, or its inode may be evicted and the sync mean nothing.
    let folderDescriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folderDescriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer { close(folderDescriptor) }
    guard rename(temporary.path, file.path) == 0, fsync(folderDescriptor) == 0 else {
        throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
}
