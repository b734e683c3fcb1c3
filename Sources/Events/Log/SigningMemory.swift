// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// What a log is told of its own signatures by something that whoever can write its folder cannot make.
///
/// With it the log signs nothing smaller than, and nothing other than, what it signed before, even when every checkpoint
/// in the folder was removed or replaced; see ``OriginKey``.
public struct SigningMemory: Sendable {
    /// What was signed last; `nil` if that is not known.
    public var last: SignedHead?
    /// How many entries there were when the key began; every checkpoint says so if there were any.
    public var begun: UInt64
    /// Why the folder is not to be believed, if the caller found something.
    public var doubt: String?
    /// Seals each commit; without it what stands behind the newest signature is believed as it is.
    public var sealer: CommitSealer?
    /// Whether the last commit has to have its seal; a program from before seals left none.
    public var isSealed: Bool
    /// Keeps what was signed now; returns once it is on disk.
    public var keep: @Sendable (SignedHead) throws -> Void

    public init(
        last: SignedHead?,
        begun: UInt64 = 0,
        doubt: String? = nil,
        sealer: CommitSealer? = nil,
        isSealed: Bool = false,
        keep: @escaping @Sendable (SignedHead) throws -> Void
    ) {
        self.last = last
        self.begun = begun
        self.doubt = doubt
        self.sealer = sealer
        self.isSealed = isSealed
        self.keep = keep
    }
}

extension EventLog {
    /// The newest checkpoint known here, after everything that was signed or sealed was held against the log.
    ///
    /// A log that does not bear out what was signed, or has entries that nobody vouches for, opens for reading only, with
    /// the reason.
    ///
    /// - Parameter tree: The tree over everything, as the index has it.
    /// - Returns: The checkpoint; `nil` before the first.
    /// - Throws: ``EventLogError`` when the log cannot be read, or what was found cannot be kept.
    func confirmSignatures(_ tree: MerkleFrontier) throws(EventLogError) -> SignedCheckpoint? {
        let size = state.withLock { $0.size }
        let notes: KnownNotes
        do {
            notes = try knownNotes()
        } catch {
            // Whatever it once said, it cannot be believed any more.
            refuse(because: "a stored checkpoint cannot be read: \(error)")
            return nil
        }
        let newest = (notes.log + notes.file).max { $0.checkpoint.size < $1.checkpoint.size }
        let signed = max(newest?.checkpoint.size ?? 0, configuration.memory?.last?.size ?? 0)
        var reason = try doubt(notes, size: size)
        if reason == nil { reason = try doubt(behind: signed, tree) }
        if let reason {
            refuse(because: reason)
        } else {
            try catchUpMemory(newest?.checkpoint, tree)
        }
        return newest.map { SignedCheckpoint(size: $0.checkpoint.size, note: $0.note) }
    }

    private func refuse(because reason: String) {
        state.withLock { $0.refusal = .readOnly(reason: "\(reason)\(Self.wayOut)") }
    }

    /// Keeps what a crash, or a program of before, signed and did not remember, and seals what such a program left unsealed.
    private func catchUpMemory(
        _ newest: Checkpoint?,
        _ tree: MerkleFrontier
    ) throws(EventLogError) {
        guard let memory = configuration.memory else { return }
        let isSealing = memory.sealer != nil && !memory.isSealed
        if isSealing { try sealOnce(tree) }
        var head = memory.last
        if let newest, newest.size > head?.size ?? 0 {
            let now = configuration.clock.now()
            head = SignedHead(size: newest.size, root: newest.root, time: now)
        }
        guard isSealing || head != memory.last else { return }
        do {
            try memory.keep(head ?? .nothing(at: configuration.clock.now()))
        } catch {
            throw .cannotOpen(path: folder.path, reason: "what was signed was not kept: \(error)")
        }
    }

    private static let wayOut =
        "; run daybook verify, restore what is missing from a backup, or begin a new origin with daybook serve --new-origin"

    /// A checkpoint as it was found.
    private struct FoundNote {
        let checkpoint: Checkpoint
        let note: String
    }

    /// What is kept here of what was signed.
    private struct KnownNotes {
        var log: [FoundNote] = []
        var file: [FoundNote] = []
        /// How many the log has.
        var count = 0
    }

    private func knownNotes() throws -> KnownNotes {
        var known = KnownNotes()
        known.count = try store.checkpointCount()
        if let note = try store.newestCheckpointNote() { known.log = [try found(note)] }
        let file = folder.appending(path: "checkpoint")
        // A file that is there and cannot be read may be all that is left of a signature: it does not count as none.
        if FileManager.default.fileExists(atPath: file.path) {
            known.file = [try found(String(decoding: try Data(contentsOf: file), as: UTF8.self))]
        }
        return known
    }

    private func found(_ note: String) throws -> FoundNote {
        FoundNote(checkpoint: try Checkpoint(text: SignedNote(note).text), note: note)
    }

    /// Why the log is not what was signed; `nil` if nothing speaks against it.
    private func doubt(_ notes: KnownNotes, size: UInt64) throws(EventLogError) -> String? {
        for one in notes.log + notes.file {
            if let reason = try doubt(about: one.checkpoint, size: size) { return reason }
        }
        guard let memory = configuration.memory, let signer = configuration.signer else {
            return nil
        }
        for one in notes.log + notes.file where !isSigned(one.note, by: signer) {
            return
                "a checkpoint over \(one.checkpoint.size) events is not signed with this ledger's key"
        }
        if let last = memory.last, last.size > 0 {
            if let reason = try doubt(about: last, notes, size: size) { return reason }
            return memory.doubt
        }
        guard size > 0 else { return nil }
        if let reason = memory.doubt { return reason }
        guard memory.last == nil, notes.log.isEmpty else { return nil }
        return
            "it has \(size) events, and nothing that this ledger's key signed covers any of them"
    }

    private func doubt(
        about last: SignedHead,
        _ notes: KnownNotes,
        size: UInt64
    ) throws(EventLogError) -> String? {
        guard last.size <= size else {
            return "it has \(size) events, and \(last.size) were signed at \(last.time)"
        }
        guard try root(at: last.size) == last.root else {
            return "its first \(last.size) events are not those that were signed at \(last.time)"
        }
        // The log takes a checkpoint before anything else does, so that no crash leaves none of them.
        guard notes.count > 0 else {
            return "\(last.size) events were signed at \(last.time) and its checkpoints are gone"
        }
        guard notes.count < 2 || !notes.file.isEmpty else {
            return "it has \(notes.count) checkpoints and the file checkpoint is gone"
        }
        return nil
    }

    private func isSigned(_ note: String, by signer: NoteSigner) -> Bool {
        do {
            _ = try SignedNote(note).verify(with: [signer.verifier])
            return true
        } catch {
            return false
        }
    }

    /// Why a checkpoint and the log do not belong together; `nil` if they do.
    private func doubt(
        about checkpoint: Checkpoint,
        size: UInt64
    ) throws(EventLogError) -> String? {
        guard checkpoint.origin == origin else {
            return "a checkpoint is of the ledger \(checkpoint.origin)"
        }
        guard checkpoint.size <= size else {
            return "it has \(size) events, a signed checkpoint covers \(checkpoint.size)"
        }
        guard try root(at: checkpoint.size) == checkpoint.root else {
            return "its first \(checkpoint.size) events are not those of the signed checkpoint"
        }
        return nil
    }

    private func root(at size: UInt64) throws(EventLogError) -> MerkleHash {
        try asking {
            try MerkleTree(size: size) { tile in
                try self.index.tile(level: tile.level, number: tile.index) ?? []
            }.root()
        }
    }
}
