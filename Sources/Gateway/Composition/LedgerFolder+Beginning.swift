// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// Whether a ledger may begin in a folder (decision 0056): a second, empty one beside the first would be served as well.
extension LedgerFolder {
    /// Refuses to begin a ledger where another was, or may be on a disk that is not mounted; before anything is made.
    ///
    /// A master key that was there before tells that there was a ledger, or that somebody made it for a first one: that is
    /// for whoever starts it to say. Where no key is anywhere the start makes it, and nothing is asked.
    ///
    /// - Parameters:
    ///   - isFirst: Whether whoever starts it says that there is no ledger yet.
    ///   - place: Where the master key comes from.
    /// - Throws: ``StartError/remnants(_:names:)``, ``StartError/noLedgerYet(_:masterKey:)``.
    func checkBeginning(isFirst: Bool, masterKey place: MasterKeyPlace) throws(StartError) {
        guard !hasLedger else { return }
        let remnants = remnants
        guard remnants.isEmpty else { throw .remnants(root.path, names: remnants) }
        guard isFirst || !place.isThere else {
            throw .noLedgerYet(root.path, masterKey: "\(place)")
        }
    }

    /// Whether there is a ledger to open, whole or not.
    var hasLedger: Bool {
        if [identity, log].contains(where: isThere) { return true }
        // A first start that was killed leaves its key alone. With anything else it is what is left of a ledger.
        return isThere(originKey) && remnants.isEmpty
    }

    /// Refuses a key that signed entries where nothing else tells of a ledger: it was left here, or the rest is gone.
    func checkBeginning(with key: OriginKey) throws(StartError) {
        guard let signed = key.signed, signed.size > 0, !isThere(identity), !isThere(log) else {
            return
        }
        throw .remnants(root.path, names: [originKey.lastPathComponent])
    }

    private var log: URL { root.appending(path: "log/data.mdb") }

    private func isThere(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }

    /// What only a ledger leaves, by name; an empty folder may be where somebody mounts a disk.
    private var remnants: [String] {
        Self.remnantNames.filter { name in
            let path = root.appending(path: name).path
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                return false
            }
            guard isFolder.boolValue else { return true }
            do {
                let names = try FileManager.default.contentsOfDirectory(atPath: path)
                return names.contains { $0 != "lost+found" }
            } catch {
                // What cannot be looked into may be anything.
                return true
            }
        }
    }

    private static let remnantNames = [
        "log", "index", "read", "media", "blobs", "keys", "accounts.db", "push.key", "patrol.key",
        "checkpoint", "clock", "marked",
    ]
}
