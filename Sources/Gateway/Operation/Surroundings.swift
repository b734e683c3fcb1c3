// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// What of a ledger's place and settings works today and lets somebody down later; `/readyz` and `daybook doctor` say the same of it.
enum Surroundings {
    // MARK: File systems

    /// That a folder lies where what is written does not last, or where locks do not hold.
    static func fileSystemFault(
        of folders: [URL],
        mounts: String? = try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
    ) -> Fault? {
        let mounts = (mounts ?? "").split(separator: "\n").map { $0.split(separator: " ") }
            .filter { $0.count > 2 }
        for folder in folders {
            let path = folder.resolvingSymlinksInPath().path + "/"
            // What is mounted last on a place hides what was there.
            let mount = mounts.filter { path.hasPrefix($0[1] == "/" ? "/" : $0[1] + "/") }
                .max { $0[1].utf8.count < $1[1].utf8.count }
            guard let kind = mount.map({ String($0[2]) }) else { continue }
            let reason: String
            switch kind {
            case "tmpfs", "ramfs":
                reason = "it is empty after a restart of the machine or container"
            case "overlay": reason = "what a container writes goes with the container"
            case "9p", "afs", "ceph", "cifs", "glusterfs", "nfs", "nfs4", "smb3", "vboxsf",
                _ where kind.hasPrefix("fuse."):
                reason = "locks and syncs there do not promise what a ledger needs"
            default: continue
            }
            return Fault(
                code: "file system \(kind)",
                words: "\(folder.path) lies on \(kind): \(reason); put it on a local disk"
            )
        }
        return nil
    }

    // MARK: Journals of SQLite

    /// That the journal of a database grows, since somebody else reads it and does not end.
    static func journalFault(in folder: LedgerFolder, bytesMax: Int = 64 << 20) -> Fault? {
        let models = FileManager.default.enumerator(
            at: folder.readModels,
            includingPropertiesForKeys: [.fileSizeKey]
        )
        let journals =
            [URL(filePath: folder.accounts.path + "-wal")]
            + (models?.compactMap { $0 as? URL } ?? []).filter { $0.path.hasSuffix("-wal") }
        for journal in journals {
            guard let bytes = try? journal.resourceValues(forKeys: [.fileSizeKey]).fileSize,
                bytes > bytesMax
            else { continue }
            return Fault(
                code: "journal",
                words:
                    "\(journal.path) has grown to \(bytes >> 20) MiB: another program reads its database and does not end, a backup or a monitor; end that one (fuser \(journal.path))"
            )
        }
        return nil
    }

    // MARK: Push

    /// That iPhones hear nothing: Apple refuses a contact that nobody outside can reach.
    static func contactFault(_ contact: String) -> Fault? {
        let address = contact.hasPrefix("mailto:") ? contact.split(separator: "@").last : nil
        let host = address.map { String($0) } ?? URL(string: contact)?.host() ?? ""
        let name = host.lowercased()
        let last = name.split(separator: ".").last.map { String($0) } ?? ""
        let isReachable =
            name.contains(".") && name.allSatisfy { $0.isASCII && !" <>()[]".contains($0) }
            && !["localhost", "local", "internal", "example", "test", "invalid", "lan", "home"]
                .contains(last)
            && !name.hasPrefix("example.") && !name.contains(".example.")
        guard !isReachable else { return nil }
        return Fault(
            code: "push contact",
            words:
                "push services are told to turn to \(contact), which nobody outside reaches, and Apple refuses that: iPhones hear nothing; give --push-contact mailto: with an address of the site"
        )
    }
}
