// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Whether this process may use what lies in a ledger's folder, and whose it is.
extension LedgerFolder {
    /// Refuses a folder with something in it that this process may not use.
    ///
    /// Before anything is read: a file that may not be read is there, and whoever took it for missing would be led to begin a
    /// new origin, and give the proof of everything before away.
    ///
    /// - Throws: ``StartError/notPermitted(_:owner:user:)``.
    func checkAccess() throws(StartError) {
        for (place, need) in needs where Foundation.access(place.path, need) != 0 {
            guard errno == EACCES else { continue }
            throw .notPermitted(
                place.path,
                owner: Self.owner(of: place).map { Int($0) },
                user: Int(geteuid())
            )
        }
    }

    /// Refuses to be served by root where the folder is another's.
    ///
    /// Recordings, pictures and read models are made for as long as it is served, and would be root's: whoever serves the
    /// folder otherwise would be kept out by them, at the next start or in the middle of a call.
    ///
    /// - Throws: ``StartError/servedByRoot(_:owner:group:)``, before anything is made; not where there is no folder yet.
    func checkServer() throws(StartError) {
        var facts = stat()
        guard geteuid() == 0, stat(root.path, &facts) == 0, facts.st_uid != 0 else { return }
        throw .servedByRoot(root.path, owner: Int(facts.st_uid), group: Int(facts.st_gid))
    }

    /// What belongs to others than the folder itself does, as paths in it.
    var strangersFiles: [String] {
        guard let owner = Self.owner(of: root) else { return [] }
        return needs.map(\.place).filter { place in
            Self.owner(of: place).map { $0 != owner } ?? false
        }.map { name(of: $0) }
    }

    /// What its own owner may not read or write as serving does, as paths in it; root, who asks, may everything.
    var filesClosedToTheirOwner: [String] {
        needs.filter { place, need in
            var facts = stat()
            guard lstat(place.path, &facts) == 0 else { return false }
            return Int32(facts.st_mode >> 6) & need != need
        }.map { name(of: $0.place) }
    }

    private func name(of place: URL) -> String {
        place == root ? "." : String(place.path.dropFirst(root.path.count + 1))
    }

    /// What lies in the folder, and what serving takes of it; recordings, pictures and read models each on their own.
    private var needs: [(place: URL, need: Int32)] {
        var needs: [(place: URL, need: Int32)] = [(root, R_OK | W_OK | X_OK)]
        for name in Self.names(in: root) {
            let place = root.appending(path: name)
            guard ["log", "index", "read", "media", "blobs"].contains(name) else {
                let isWritten = ["keys", "lock"].contains(name) || name.hasPrefix("accounts.db")
                // Whatever else somebody keeps there is not ours to ask for, nor is a file system's lost+found.
                guard isWritten || Self.replaced.contains(name) else { continue }
                needs.append((place, isWritten ? R_OK | W_OK : R_OK))
                continue
            }
            needs.append((place, R_OK | W_OK | X_OK))
            guard name == "log" || name == "index" || name == "read" else { continue }
            needs += Self.names(in: place).map {
                (place: place.appending(path: $0), need: R_OK | W_OK)
            }
        }
        return needs
    }

    /// Files that are read, and written by putting another in their place.
    private static let replaced: Set<String> = [
        "daybook.json", "origin.key", "push.key", "patrol.key", "checkpoint", "clock",
        "marked",
    ]

    private static func names(in folder: URL) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        } catch {
            // Not there yet, or refused as a whole, which its own line says.
            return []
        }
    }

    private static func owner(of place: URL) -> uid_t? {
        var facts = stat()
        return lstat(place.path, &facts) == 0 ? facts.st_uid : nil
    }
}
