// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Commit seals: a log ends where the last commit under this ledger's keys did, and as it did.
extension EventLog {
    /// Why the end of the log is not believed; `nil` if it is, or nothing tells.
    ///
    /// What no signature covers is read and hashed here as it stands in the log, so that no index speaks for it.
    ///
    /// - Parameters:
    ///   - signed: The largest size that a signature covers; it was compared already.
    ///   - indexed: The tree over everything, as the index has it.
    /// - Returns: The reason, for people.
    /// - Throws: ``EventLogError`` when an entry is missing or cannot be read.
    func doubt(
        behind signed: UInt64,
        _ indexed: MerkleFrontier
    ) throws(EventLogError) -> String? {
        guard let memory = configuration.memory, let sealer = memory.sealer, memory.isSealed else {
            return nil
        }
        let size = indexed.size
        let seal = try store.seal()
        if size == 0, seal == nil { return nil }
        if let seal, seal.size > size {
            return "its last commit reached position \(seal.size), and it has \(size) events"
        }
        var tree = try frontier(at: signed)
        var vouched = signed
        var isSealed = false
        try store.leaves(from: signed, below: size) { leaf in
            if let leaf { tree.append(leaf) }
            guard let seal, seal.size == tree.size, sealer.made(seal, over: tree.root) else {
                return
            }
            vouched = seal.size
            isSealed = seal.size == size
        }
        guard vouched == size else {
            return
                "nobody vouches for positions \(vouched)..<\(size): they were not committed with this ledger's keys"
        }
        guard isSealed else {
            return
                "the seal of its last commit is gone, and with it what may have stood behind position \(size)"
        }
        guard tree == indexed else {
            return "the index does not have positions \(signed)..<\(size) as the log has them"
        }
        return nil
    }

    /// Seals what a program from before seals left, which is believed this once.
    func sealOnce(_ tree: MerkleFrontier) throws(EventLogError) {
        guard tree.size > 0, let sealer = configuration.memory?.sealer else { return }
        do {
            try store.keep(sealer.seal(tree))
        } catch {
            throw .cannotOpen(path: folder.path, reason: "its last commit was not sealed: \(error)")
        }
    }

    private func frontier(at size: UInt64) throws(EventLogError) -> MerkleFrontier {
        try asking {
            try TileBuilder(size: size) { tile in
                try self.index.tile(level: tile.level, number: tile.index) ?? []
            }.frontier
        }
    }

    /// Seals every entry that a log has for a key that begins there, in a ledger that nobody serves.
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder.
    ///   - sealer: The new key's.
    /// - Throws: ``EventLogError``, or what writing throws.
    public static func seal(_ folder: URL, with sealer: CommitSealer) throws {
        let lock = try FolderLock(folder)
        defer { lock.release() }
        let store = try EntryStore(
            path: folder.appending(path: "log").path,
            access: .readWrite,
            map: MapSize(bytes: LogLimits.mapBytes)
        )
        defer { store.environment.close() }
        var tree = MerkleFrontier()
        try store.leaves(from: 0, below: try store.size()) { leaf in
            if let leaf { tree.append(leaf) }
        }
        try store.keep(sealer.seal(tree))
    }
}

extension EntryStore {
    /// What the last commit sealed; `nil` where nothing does, or it cannot be read.
    func seal() throws(EventLogError) -> CommitSeal? {
        try fact(CommitSeal.factName).flatMap(CommitSeal.init(text:))
    }

    /// Keeps the seal over a commit, in its transaction.
    func put(_ seal: CommitSeal, in transaction: borrowing LMDBTransaction) throws(LMDBError) {
        try put(fact: seal.text, named: CommitSeal.factName, in: transaction)
    }

    /// Keeps a seal in a transaction of its own.
    fileprivate func keep(_ seal: CommitSeal) throws(LMDBError) {
        let transaction = try environment.beginWrite()
        do throws(LMDBError) {
            try put(seal, in: transaction)
        } catch {
            transaction.abort()
            throw error
        }
        try transaction.commit()
    }

    /// Shows the hashes of entries in order, and before them that nothing was shown yet.
    ///
    /// - Throws: ``EventLogError/damaged(position:detail:)`` where one is missing.
    func leaves(
        from start: UInt64,
        below size: UInt64,
        _ take: (MerkleHash?) -> Void
    ) throws(EventLogError) {
        take(nil)
        var next = start
        while next < size {
            let reached = next
            try page(from: LogPosition(next), limit: LogLimits.eventsPerIndexCommit) {
                place,
                bytes in
                guard place.rawValue == next, next < size else { return false }
                take(.leaf(bytes))
                next += 1
                return true
            }
            guard next > reached else {
                throw .damaged(position: LogPosition(next), detail: "the entry is missing")
            }
        }
    }
}
