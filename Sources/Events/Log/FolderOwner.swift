// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Gives what root makes in a ledger's folder to the folder's owner: whoever serves it must be able to use it.
///
/// What could not be given stays as it is; `daybook doctor` names it.
package enum FolderOwner {
    /// `O_PATH` and `AT_EMPTY_PATH` of Linux on every architecture, which the C library shows to GNU sources alone.
    private static let (pathOnly, emptyPath): (Int32, Int32) = (0o10000000, 0x1000)

    /// Gives an open file that was just made to the owner of its folder; only root gives anything.
    static func give(_ descriptor: Int32, in folder: URL) {
        guard let owner = owner(of: folder) else { return }
        _ = fchown(descriptor, owner.st_uid, owner.st_gid)
    }

    /// Gives what root owns in a ledger's folder to the folder's owner; recordings and pictures are not looked through.
    package static func handOver(_ folder: URL) {
        guard let owner = owner(of: folder) else { return }
        handOver(folder, to: owner, passing: ["media", "blobs"])
    }

    /// The same for a folder that root has just made: it goes to whom the folder around it belongs.
    package static func handOver(new folder: URL) {
        guard let owner = owner(of: folder.deletingLastPathComponent()) else { return }
        _ = hand(folder, to: owner)
        handOver(folder)
    }

    /// The owner of a folder, where it is another and we are root.
    private static func owner(of folder: URL) -> stat? {
        var facts = stat()
        guard geteuid() == 0, stat(folder.path, &facts) == 0, facts.st_uid != 0 else { return nil }
        return facts
    }

    private static func handOver(_ folder: URL, to owner: stat, passing names: Set<String>) {
        let entries: [String]
        do {
            entries = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            return
        }
        for name in entries where !names.contains(name) {
            let place = folder.appending(path: name)
            guard hand(place, to: owner) else { continue }
            handOver(place, to: owner, passing: [])
        }
    }

    /// Gives one away.
    ///
    /// - Returns: Whether it is a folder.
    private static func hand(_ place: URL, to owner: stat) -> Bool {
        // Not opened for anything: closing it would let go of the locks that this process has on the file.
        let descriptor = open(place.path, Self.pathOnly | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return false }
        let isFolder = facts.st_mode & S_IFMT == S_IFDIR
        // A second name of a file may be one of the system's, put there to be given away.
        let isFile =
            [S_IFREG, S_IFLNK].contains(facts.st_mode & S_IFMT) && facts.st_nlink == 1
        if isFolder || isFile, facts.st_uid == 0 {
            _ = fchownat(descriptor, "", owner.st_uid, owner.st_gid, Self.emptyPath)
        }
        return isFolder
    }
}
