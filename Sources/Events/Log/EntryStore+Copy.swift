// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension EntryStore {
    /// Copies the log as its newest commit left it: `log/data.mdb` below another folder.
    ///
    /// Whoever serves the ledger goes on meanwhile, and what is recorded from now on is not in the copy.
    ///
    /// - Parameter folder: Where `log/` is made; it has none yet.
    /// - Returns: What the copy holds, read from the copy.
    /// - Throws: ``EventLogError``; what making the file throws.
    public func copy(to folder: URL) throws -> RestoredLog {
        let log = folder.appending(path: "log")
        let file = log.appending(path: "data.mdb")
        try FileManager.default.createDirectory(
            at: log,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let descriptor = Foundation.open(
            file.path,
            O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC,
            0o640
        )
        guard descriptor >= 0 else { throw FileFault(call: "open", path: file.path, code: errno) }
        do {
            defer { close(descriptor) }
            try environment.copy(to: descriptor)
            guard fsync(descriptor) == 0 else {
                throw FileFault(call: "fsync", path: file.path, code: errno)
            }
        }
        let copy = try EntryStore.open(folder)
        defer { copy.environment.close() }
        return try copy.contents()
    }

    /// What the log holds, with the root over all of its entries.
    ///
    /// - Throws: ``EventLogError``, also for a log without any entry.
    public func contents() throws(EventLogError) -> RestoredLog {
        guard let origin = try origin() else {
            throw .unacceptable(reason: "there is no entry")
        }
        var tree = MerkleFrontier()
        try leaves(from: 0, below: try size()) { leaf in
            if let leaf { tree.append(leaf) }
        }
        return RestoredLog(origin: origin, size: tree.size, root: tree.root)
    }
}
