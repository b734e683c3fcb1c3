// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Synchronization

extension EventLog {
    /// Whether something speaks against a log that nobody serves: it would open for reading only, or has an entry that is not the
    /// one that was committed.
    ///
    /// An entry that cannot be read speaks against it, too, unless its key began with it. Every entry is read; nothing is signed.
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder.
    ///   - configuration: What it would be opened with; what is signed is not kept.
    /// - Returns: Whether anything does.
    /// - Throws: ``EventLogError`` where it could not be opened.
    public static func isDoubted(
        _ folder: URL,
        configuration: LogConfiguration
    ) throws(EventLogError) -> Bool {
        var configuration = configuration
        configuration.memory?.keep = { _ in }
        let log = try EventLog(folder, configuration)
        defer {
            log.store.environment.close()
            log.index.environment.close()
            // What a failure left unfinished is nobody's.
            try? FileManager.default.removeItem(at: folder.appending(path: "index.new"))
            log.lock.release()
        }
        do throws(EventLogError) {
            _ = try log.prepare()
        } catch {
            // A newer program's entries speak against this one.
            guard case .damaged = error, log.state.withLock({ $0.unknownKind }) == nil else {
                throw error
            }
            return true
        }
        guard !log.isDoubted else { return true }
        return try log.hasChangedEntry()
    }

    private func hasChangedEntry() throws(EventLogError) -> Bool {
        let begun = configuration.memory?.begun ?? 0
        var next: UInt64 = 0
        while next < size {
            var leaves: [MerkleHash] = []
            var isUnreadable = false
            try store.page(from: LogPosition(next)) { place, bytes in
                guard place.rawValue == next + UInt64(leaves.count) else { return false }
                leaves.append(.leaf(bytes))
                var run = ReadableRun(next: place.rawValue)
                run.take(place.rawValue, bytes)
                isUnreadable = isUnreadable || place.rawValue >= begun && run.entries.isEmpty
                return true
            }
            guard !isUnreadable, !leaves.isEmpty else { return true }
            for leaf in leaves {
                guard try asking({ try index.leaf(at: LogPosition(next)) }) == leaf else {
                    return true
                }
                next += 1
            }
        }
        return false
    }

    /// Takes away the signed checkpoints of a ledger that nobody serves, so that another key can begin to sign.
    ///
    /// They are kept in `DIR/checkpoints.former-<size>`, one note behind the other, for whoever wants to know what the
    /// former key signed, and the former `origin.key` as `DIR/origin.key.former-<size>`. The index is made anew from the entries, since a
    /// new signature must rest on them alone. Before anything is written every entry is read: where one is missing, nothing is.
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
        try store.leaves(from: 0, below: size) { _ in }
        let file = folder.appending(path: "checkpoint")
        var notes = try store.checkpointNotes().map(\.note)
        let files = FileManager.default
        if files.fileExists(atPath: file.path) {
            notes.append(String(decoding: try Data(contentsOf: file), as: UTF8.self))
        }
        if !notes.isEmpty {
            try writeDurably(
                Data(notes.joined(separator: "\n").utf8),
                to: former("checkpoints", folder, size)
            )
        }
        let key = folder.appending(path: OriginKey.fileName)
        if files.fileExists(atPath: key.path) {
            try writeDurably(
                Data(contentsOf: key),
                to: former(OriginKey.fileName, folder, size),
                permissions: 0o600
            )
        }
        try store.removeCheckpoints()
        for stale in [file] + ["index", "index.new"].map({ folder.appending(path: $0) })
        where files.fileExists(atPath: stale.path) {
            try files.removeItem(at: stale)
        }
        return size
    }

    /// A name that no earlier retirement took.
    private static func former(_ name: String, _ folder: URL, _ size: UInt64) -> URL {
        let names = (1...).lazy.map { number in
            folder.appending(
                path: "\(name).former-\(size)\(number == 1 ? "" : "-\(number)")"
            )
        }
        return names.first { !FileManager.default.fileExists(atPath: $0.path) } ?? folder
    }
}
