// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// Where things lie in a ledger's folder; one process serves it.
struct LedgerFolder: Sendable, Hashable {
    /// The folder itself.
    let root: URL

    /// The ledger's name and public key, for everybody.
    var identity: URL { root.appending(path: Self.identityName) }
    /// The key that signs checkpoints, wrapped.
    var originKey: URL { root.appending(path: "origin.key") }
    /// The key that push services know us by, wrapped.
    var pushKey: URL { root.appending(path: "push.key") }
    /// The keys of people, wrapped.
    var personKeys: URL { root.appending(path: "keys") }
    /// Passwords and tokens, hashed.
    var accounts: URL { root.appending(path: "accounts.db") }
    /// Read models, disposable.
    var readModels: URL { root.appending(path: "read") }
    /// Recordings.
    var media: URL { root.appending(path: "media") }
    /// Pictures and uploads.
    var blobs: URL { root.appending(path: "blobs") }
    /// Which of the folders were marked as this ledger's; see ``MarkedFolder``.
    var marked: URL { root.appending(path: "marked") }

    static let identityName = LedgerDescription.fileName

    /// Makes the folder, for its owner alone, if it is not there.
    func make() throws(StartError) {
        do {
            try FileManager.default.createDirectory(
                at: root,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .folder(root.path, reason: error.localizedDescription)
        }
    }

    /// Refuses to begin a ledger where there is no room to go on: its first events would not be taken.
    ///
    /// - Parameter free: How many bytes are free below a path.
    /// - Throws: ``StartError/tooLittleRoom(_:mebibytes:needed:)``, or ``StartError/folder(_:reason:)`` where nobody can say
    ///   how much there is; before anything is made.
    func checkRoom(
        free: (String) throws(DiskRoom.Unknown) -> Int64 = DiskRoom.bytes(below:)
    ) throws(StartError) {
        let files = FileManager.default
        guard !files.fileExists(atPath: identity.path) else { return }
        var place = root.standardizedFileURL
        while !files.fileExists(atPath: place.path), place.pathComponents.count > 1 {
            place.deleteLastPathComponent()
        }
        let bytes: Int64
        do throws(DiskRoom.Unknown) {
            bytes = try free(place.path)
        } catch {
            throw .folder(root.path, reason: "\(error)")
        }
        guard bytes < Int64(LogLimits.freeBytesMin) else { return }
        throw .tooLittleRoom(
            root.path,
            mebibytes: bytes >> 20,
            needed: LogLimits.freeBytesMin >> 20
        )
    }

    /// Whether a file lies inside the folder.
    func contains(_ file: URL) -> Bool {
        let inner = file.standardizedFileURL.resolvingSymlinksInPath().pathComponents
        return inner.starts(with: root.standardizedFileURL.resolvingSymlinksInPath().pathComponents)
    }
}
