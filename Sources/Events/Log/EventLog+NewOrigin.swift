// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension EventLog {
    /// Takes away the signed checkpoints of a ledger that nobody serves, so that another key can begin to sign.
    ///
    /// They are kept in `DIR/checkpoints.former-<size>`, one note behind the other, for whoever wants to know what the
    /// former key signed. The index is made anew from the entries, since a new signature must rest on them alone.
    /// Doing it again after a crash loses nothing.
    ///
    /// - Parameter folder: The ledger's folder.
    /// - Returns: How many entries the log has: where the new key begins.
    /// - Throws: ``EventLogError``, or what writing a file throws.
    public static func retireCheckpoints(in folder: URL) throws -> UInt64 {
        let lock = try FolderLock(folder)
        defer { lock.release() }
        let store = try EntryStore(
            path: folder.appending(path: "log").path,
            access: .readWrite,
            map: MapSize(bytes: LogLimits.mapBytes)
        )
        defer { store.environment.close() }
        let size = try store.size()
        let file = folder.appending(path: "checkpoint")
        var notes = try store.checkpointNotes().map(\.note)
        let files = FileManager.default
        if files.fileExists(atPath: file.path) {
            notes.append(String(decoding: try Data(contentsOf: file), as: UTF8.self))
        }
        if !notes.isEmpty {
            try writeDurably(Data(notes.joined(separator: "\n").utf8), to: former(folder, size))
        }
        try store.removeCheckpoints()
        for stale in [file] + ["index", "index.new"].map({ folder.appending(path: $0) })
        where files.fileExists(atPath: stale.path) {
            try files.removeItem(at: stale)
        }
        return size
    }

    /// A name that no earlier retirement took.
    private static func former(_ folder: URL, _ size: UInt64) -> URL {
        let names = (1...).lazy.map { number in
            folder.appending(
                path: "checkpoints.former-\(size)\(number == 1 ? "" : "-\(number)")"
            )
        }
        return names.first { !FileManager.default.fileExists(atPath: $0.path) } ?? folder
    }
}
