// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

@testable import Events

/// Writes any bytes as a log, with right checkpoints over them: what a forger with the key could do.
struct ForgedLog {
    let signer: NoteSigner

    init() throws {
        signer = try NoteSigner(name: AuditedLedger.origin, seed: [UInt8](repeating: 7, count: 32))
    }

    /// Writes entries at positions; of the seal of a last commit only the size can be read without a key.
    func write(
        _ entries: [(UInt64, [UInt8])],
        checkpoint: Bool = true,
        sealedAt size: UInt64? = nil
    ) throws -> AuditedLedger {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "log")
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        let store = try EntryStore(
            path: path.path,
            access: .readWrite,
            map: MapSize(bytes: 1 << 30)
        )
        let transaction = try store.environment.beginWrite()
        try store.put(fact: AuditedLedger.origin, named: "origin", in: transaction)
        try store.put(fact: EntryStore.format, named: "format", in: transaction)
        if let size {
            try store.put(fact: "\(size) forged", named: CommitSeal.factName, in: transaction)
        }
        var tree = MerkleFrontier()
        for (position, bytes) in entries {
            let room = try store.reserve(
                LogPosition(position),
                byteCount: bytes.count,
                in: transaction
            )
            bytes.withUnsafeBytes { room.copyMemory(from: $0) }
            tree.append(.leaf(bytes))
            // As often as a gateway would have.
            guard checkpoint, tree.size.isMultiple(of: 16) else { continue }
            try sign(tree, in: store, transaction, folder.url)
        }
        if checkpoint { try sign(tree, in: store, transaction, folder.url) }
        try transaction.commit()
        store.environment.close()
        try LedgerDescription(origin: AuditedLedger.origin, vkey: signer.verifier.vkey)
            .write(to: folder.url)
        return AuditedLedger(folder, signer)
    }

    private func sign(
        _ tree: MerkleFrontier,
        in store: EntryStore,
        _ transaction: borrowing LMDBTransaction,
        _ folder: URL
    ) throws {
        let head = try Checkpoint(
            origin: AuditedLedger.origin,
            size: tree.size,
            root: tree.root
        )
        let note = try head.sign(with: signer).description
        try store.put(checkpoint: note, size: tree.size, in: transaction)
        // The gateway keeps the newest beside the log.
        try Data(note.utf8).write(to: folder.appending(path: "checkpoint"))
    }

    /// Writes entries from position 0 on.
    func write(
        _ entries: [[UInt8]],
        checkpoint: Bool = true,
        sealedAt size: UInt64? = nil
    ) throws -> AuditedLedger {
        let placed = zip(UInt64(0)..., entries).map { ($0, $1) }
        return try write(placed, checkpoint: checkpoint, sealedAt: size)
    }
}

extension [UInt8] {
    /// The entry with one text in place of another of the same or another length.
    func replacing(_ old: String, with new: String) -> [UInt8] {
        let text = String(decoding: self, as: UTF8.self)
        precondition(text.contains(old), "the entry has no \(old)")
        return Array(text.replacing(old, with: new, maxReplacements: 1).utf8)
    }
}
