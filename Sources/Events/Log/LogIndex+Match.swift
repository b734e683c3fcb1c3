// SPDX-License-Identifier: Apache-2.0
import Foundation

extension LogIndex {
    /// Opens the index of a log, or a new one where it is missing, unreadable or not of this log.
    ///
    /// A new one grows in place: its progress commits with its rows, so being killed only leaves it behind.
    static func matching(
        _ store: EntryStore,
        in folder: URL,
        mapBytes: Int
    ) throws(EventLogError) -> LogIndex {
        let path = folder.appending(path: "index")
        do {
            if FileManager.default.fileExists(atPath: path.path + "/data.mdb") {
                if let index = try? LogIndex(path: path.path, mapBytes: mapBytes),
                    try index.fits(store)
                {
                    return index
                }
                try FileManager.default.removeItem(at: path)
            }
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            return try LogIndex(path: path.path, mapBytes: mapBytes)
        } catch let error as EventLogError {
            throw error
        } catch {
            throw .cannotOpen(path: path.path, reason: "\(error)")
        }
    }

    /// Whether the index was made from this log: it is not ahead, and the last leaf it saw is still there.
    private func fits(_ store: EntryStore) throws -> Bool {
        let progress = try progress()
        guard progress.size > 0 else { return true }
        guard let last = try store.bytes(at: LogPosition(progress.size - 1)) else { return false }
        return MerkleHash.leaf(last) == progress.leafHash
    }
}
