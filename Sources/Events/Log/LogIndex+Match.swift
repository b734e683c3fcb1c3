// SPDX-License-Identifier: Apache-2.0
import Foundation

extension LogIndex {
    /// The index of a log, and whether it still has to take its place.
    struct Matching {
        let index: LogIndex
        /// Whether it grows beside the one that it replaces; see ``LogIndex/takePlace(in:)``.
        let isBeside: Bool
    }

    /// Opens the index of a log, or begins another one beside it where it is missing, damaged or not of this log.
    ///
    /// Foreign is an index, too, that is not as the last commit under this ledger's keys left it: it is then made from the
    /// entries, as if there were none. Nothing but that counts: an index that cannot be opened just now, for want of memory, descriptors, readers or
    /// permission, stays as it is. One that was growing when the process was killed grows on.
    ///
    /// - Throws: ``EventLogError/cannotOpen(path:reason:)`` with both untouched.
    static func matching(
        _ store: EntryStore,
        in folder: URL,
        map: MapSize,
        sealer: CommitSealer?
    ) throws(EventLogError) -> Matching {
        let place = folder.appending(path: "index")
        let beside = folder.appending(path: "index.new")
        if let index = try opened(place, of: store, map, sealer) {
            try remove(beside)
            return Matching(index: index, isBeside: false)
        }
        if let index = try opened(beside, of: store, map, sealer) {
            return Matching(index: index, isBeside: true)
        }
        try remove(beside)
        do {
            try FileManager.default.createDirectory(at: beside, withIntermediateDirectories: true)
            let index = try LogIndex(path: beside.path, map: map, sealer: sealer)
            try index.recordLinks()
            return Matching(index: index, isBeside: true)
        } catch {
            throw .cannotOpen(path: beside.path, reason: "the index cannot be made: \(error)")
        }
    }

    /// Puts an index that grew beside the old one, and is level with the log, in its place.
    static func takePlace(in folder: URL) throws(EventLogError) {
        let place = folder.appending(path: "index")
        try remove(place)
        do {
            try FileManager.default.moveItem(at: folder.appending(path: "index.new"), to: place)
            try syncFolder(folder)
        } catch {
            throw .cannotOpen(path: place.path, reason: "the index cannot take its place: \(error)")
        }
    }

    /// The index in a folder; `nil` if there is none, it is damaged, or it is not of this log.
    private static func opened(
        _ path: URL,
        of store: EntryStore,
        _ map: MapSize,
        _ sealer: CommitSealer?
    ) throws(EventLogError) -> LogIndex? {
        let file = path.appending(path: "data.mdb")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            // Whoever maps a file that was cut short is killed by its missing pages.
            guard let head = try LMDBFileHead.read(file), head.isWhole else { return nil }
            let index = try LogIndex(path: path.path, map: map, sealer: sealer)
            if try index.fits(store) {
                try index.recordLinks()
                return index
            }
            index.environment.close()
            return nil
        } catch let error as LMDBError where error.isDamage {
            return nil
        } catch {
            throw .cannotOpen(
                path: path.path,
                reason: "the index is left as it is, but cannot be opened: \(error)"
            )
        }
    }

    /// Whether the index is of this format and log: it is not ahead, and the last leaf it saw is still there.
    private func fits(_ store: EntryStore) throws -> Bool {
        guard let progress = try storedProgress() else { return try isAsSealed() }
        guard progress.format == Self.format, try hasCurrentLinks() else { return false }
        guard let last = try store.bytes(at: LogPosition(progress.size - 1)) else { return false }
        return try MerkleHash.leaf(last) == progress.leafHash && isAsSealed()
    }

    /// Whether it was made with the links that every kind has now.
    func hasCurrentLinks() throws -> Bool {
        try storedLinks().map(Self.areCurrent) ?? false
    }

    private static func remove(_ folder: URL) throws(EventLogError) {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            throw .cannotOpen(path: folder.path, reason: "it cannot be removed: \(error)")
        }
    }
}
