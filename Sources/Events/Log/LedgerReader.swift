// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Synchronization

/// Reads a ledger beside whoever serves it, or a read-only copy of it: needs no key, writes nothing.
///
/// Where `index/` is there and fits, it is asked; what it does not have is scanned once and remembered. Reads block the
/// caller's thread. Not for the process that has the same folder open as an ``EventLog``.
public final class LedgerReader: Sendable {
    /// The ledger's folder.
    public let folder: URL
    /// The ledger's name; `nil` in a log that never was written to.
    public let origin: String?
    let store: EntryStore
    let index: LogIndex?
    /// Everything before this position is answered by the index.
    let indexed: UInt64
    let tail: Mutex<ScannedTail>
    /// Whether entries that cannot be read are left out; otherwise the first of them ends what is asked.
    public let goesPastDamage: Bool

    /// Opens a ledger for reading.
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder.
    ///   - usingIndex: Whether `index/` may be asked; without it everything is scanned.
    ///   - pastDamage: Whether entries that cannot be read are left out, and named by ``unreadableEntries()``; only what is
    ///     scanned is, so no index is asked then.
    ///   - mapBytes: How large the maps are at first; they follow when the writer outgrows them.
    /// - Returns: The reader, which follows what others append.
    /// - Throws: ``EventLogError/cannotOpen(path:reason:)`` when there is no ledger, it may not be read, or its file is
    ///   shorter than it says.
    public static func open(
        _ folder: URL,
        usingIndex: Bool = true,
        pastDamage: Bool = false,
        mapBytes: Int = LogLimits.mapBytes
    ) throws(EventLogError) -> LedgerReader {
        try LMDBFileHead.check(folder.appending(path: "log/data.mdb"))
        let store = try EntryStore.open(folder, mapBytes: mapBytes)
        let index = usingIndex && !pastDamage ? fittingIndex(folder, store, mapBytes) : nil
        return try LedgerReader(folder, store, index, goesPastDamage: pastDamage)
    }

    private init(
        _ folder: URL,
        _ store: EntryStore,
        _ index: (index: LogIndex, size: UInt64)?,
        goesPastDamage: Bool
    ) throws(EventLogError) {
        self.goesPastDamage = goesPastDamage
        self.folder = folder
        self.store = store
        origin = try store.origin()
        self.index = index?.index
        indexed = index?.size ?? 0
        tail = Mutex(ScannedTail(next: index?.size ?? 0))
    }

    /// Whether answers come from the index, but for what was appended since it was written.
    public var usesIndex: Bool { index != nil }

    /// How many entries are committed now.
    public func size() throws(EventLogError) -> UInt64 { try store.size() }

    /// The signed checkpoints in the log, oldest first.
    public func checkpointNotes() throws(EventLogError) -> [(size: UInt64, note: String)] {
        try store.checkpointNotes()
    }

    /// How many entries are committed, and what stands where their last commit put its seal: both of one moment.
    public func sealedEnd() throws(EventLogError) -> (size: UInt64, seal: String?) {
        try store.sealedEnd()
    }

    /// The root of the tree over the first entries, each read and hashed as it stands in the log.
    ///
    /// - Throws: ``EventLogError/damaged(position:detail:)`` where one is missing.
    /// - Complexity: O(size).
    public func root(over size: UInt64) throws(EventLogError) -> MerkleHash {
        var tree = MerkleFrontier()
        try store.leaves(from: 0, below: size) { leaf in
            if let leaf { tree.append(leaf) }
        }
        return tree.root
    }

    /// The newest signed checkpoint in the log.
    public func newestCheckpointNote() throws(EventLogError) -> String? {
        try store.newestCheckpointNote()
    }

    /// Ends reading; what is asked afterwards throws.
    public func close() {
        store.environment.close()
        index?.environment.close()
    }

    private static func fittingIndex(
        _ folder: URL,
        _ store: EntryStore,
        _ mapBytes: Int
    ) -> (index: LogIndex, size: UInt64)? {
        // An index that cannot be used, whatever the reason, only makes reading slower; verify tells what it lacks.
        guard let index = try? openIndex(folder, mapBytes: mapBytes),
            let progress = try? index.progress(),
            progress.size > 0, (try? index.hasCurrentLinks()) == true,
            let last = try? store.bytes(at: LogPosition(progress.size - 1)),
            MerkleHash.leaf(last) == progress.leafHash
        else { return nil }
        return (index, progress.size)
    }

    static func openIndex(
        _ folder: URL,
        mapBytes: Int = LogLimits.mapBytes
    ) throws -> LogIndex {
        let path = folder.appending(path: "index").path
        try LMDBFileHead.check(URL(fileURLWithPath: path + "/data.mdb"))
        let writable =
            FolderLock.isHeld(folder)
            && FileManager.default.isWritableFile(atPath: path + "/lock.mdb")
        return try LogIndex(
            path: path,
            map: MapSize(bytes: mapBytes),
            access: writable ? .readOnly : .readOnlyWithoutLock
        )
    }
}
