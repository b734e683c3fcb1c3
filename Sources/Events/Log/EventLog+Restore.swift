// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What a restored log holds.
public struct RestoredLog: Hashable, Sendable {
    public let origin: String
    public let size: UInt64
    /// The root of the tree over the entries: that of the ledger they came from.
    public let root: MerkleHash
}

extension EventLog {
    /// Writes entries that another log recorded into a ledger that has none, byte for byte.
    ///
    /// Each is checked as it goes: canonical form, envelope, a payload that can be decoded, position, revision, time,
    /// origin, and that no id and no command comes twice. They grow in a folder beside `log/` and take its place when
    /// all are on disk; if anything fails, nothing is left. The index is made when the log is opened next.
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder; made if missing. It must have no entry.
    ///   - mapBytes: How large the map is at first.
    ///   - progress: Hears now and then how many are in.
    ///   - next: Gives one entry after the other, without line ends, and `nil` behind the last.
    /// - Returns: Size and root, to be compared with a checkpoint of the ledger they came from.
    /// - Throws: ``EventLogError``, or what `next` throws.
    @discardableResult
    public static func restore(
        into folder: URL,
        mapBytes: Int = LogLimits.mapBytes,
        progress: (UInt64) -> Void = { _ in },
        entries next: () throws -> [UInt8]?
    ) throws -> RestoredLog {
        let lock = try FolderLock(folder)
        defer { lock.release() }
        let target = folder.appending(path: "log")
        let growing = folder.appending(path: "log.restoring")
        try refuseUnlessEmpty(folder, mapBytes)
        let files = FileManager.default
        // What an earlier attempt left when it was killed.
        if files.fileExists(atPath: growing.path) { try files.removeItem(at: growing) }
        do {
            try files.createDirectory(at: growing, withIntermediateDirectories: true)
            let restored = try write(next, to: growing, mapBytes, progress)
            for stale in [target] + ["index", "index.new"].map({ folder.appending(path: $0) })
            where files.fileExists(atPath: stale.path) {
                try files.removeItem(at: stale)
            }
            try files.moveItem(at: growing, to: target)
            try syncFolder(folder)
            return restored
        } catch {
            if files.fileExists(atPath: growing.path) { try files.removeItem(at: growing) }
            throw error
        }
    }

    private static func refuseUnlessEmpty(_ folder: URL, _ mapBytes: Int) throws {
        let occupied = { (reason: String) in
            EventLogError.cannotOpen(
                path: folder.path,
                reason:
                    "entries are imported into a fresh ledger only, and \(reason); use another folder"
            )
        }
        if FileManager.default.fileExists(atPath: folder.appending(path: "log/data.mdb").path) {
            let store = try EntryStore.open(folder, mapBytes: mapBytes)
            defer { store.environment.close() }
            let size = try store.size()
            guard size == 0 else { throw occupied("this one has \(size)") }
        }
        let checkpoint = folder.appending(path: "checkpoint").path
        guard !FileManager.default.fileExists(atPath: checkpoint) else {
            throw occupied("this one has signed a checkpoint")
        }
    }

    private static func write(
        _ next: () throws -> [UInt8]?,
        to folder: URL,
        _ mapBytes: Int,
        _ progress: (UInt64) -> Void
    ) throws -> RestoredLog {
        let store = try EntryStore(
            path: folder.path,
            access: .readWrite,
            map: MapSize(bytes: mapBytes)
        )
        defer { store.environment.close() }
        var check = RestoreCheck()
        var isOver = false
        while !isOver {
            store.environment.keepRoom()
            let transaction = try store.environment.beginWrite()
            do {
                isOver = try fill(transaction, from: next, store, &check)
            } catch {
                transaction.abort()
                throw error
            }
            try transaction.commit()
            progress(check.size)
        }
        guard let origin = check.origin else {
            throw EventLogError.unacceptable(reason: "there is no entry to import")
        }
        return RestoredLog(origin: origin, size: check.size, root: check.root)
    }

    /// Writes one transaction; tells whether it took the last entry.
    private static func fill(
        _ transaction: borrowing LMDBTransaction,
        from next: () throws -> [UInt8]?,
        _ store: EntryStore,
        _ check: inout RestoreCheck
    ) throws -> Bool {
        for _ in 0..<LogLimits.eventsPerIndexCommit {
            guard let bytes = try next() else { return true }
            let isFirst = check.size == 0
            let position = try check.accept(bytes)
            if isFirst, let origin = check.origin {
                try store.put(fact: origin, named: "origin", in: transaction)
                try store.put(fact: EntryStore.format, named: "format", in: transaction)
            }
            let room = try store.reserve(position, byteCount: bytes.count, in: transaction)
            bytes.withUnsafeBytes { room.copyMemory(from: $0) }
        }
        return false
    }
}
