// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// Where one projector's files lie: `operator-desk-1.sqlite` names the one that serves.
///
/// That name is a link to `operator-desk-1.gN.sqlite`, so that a rebuilt file takes over by one rename while readers
/// of the old one finish undisturbed. A missing link, or one to nothing, means that there is no read model.
struct ProjectionFolder: Sendable {
    private let folder: URL
    private let identity: ProjectorIdentity
    private let stem: String
    private let held: HeldFolder?

    /// Nothing is made or removed by name while another folder has that of the ledger's, `held`.
    init(_ folder: URL, _ identity: ProjectorIdentity, in held: HeldFolder? = nil) {
        self.folder = folder
        self.held = held
        self.identity = identity
        stem = identity.fileStem
    }

    /// The name that readers of the file use.
    var link: URL { folder.appending(path: "\(stem).sqlite") }
    /// The file that a build grows in.
    var building: URL { folder.appending(path: "\(stem).building.sqlite") }
    /// The file that another process grows while an older version serves.
    var ahead: URL { folder.appending(path: "\(stem).ahead.sqlite") }

    /// Makes the folder if it is missing.
    func make() throws {
        try check()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// The file that serves, or `nil`.
    func current() -> URL? {
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link.path)
        else {
            return nil
        }
        // What lies elsewhere is nobody's: it would be read with a log that lies there, too.
        guard !target.contains("/") else { return nil }
        let file = folder.appending(path: target)
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }

    /// Makes a finished build the one that serves, in one step, and removes what served before.
    ///
    /// - Parameter build: The finished file.
    /// - Returns: The file's new place.
    /// - Throws: ``ProjectionError/cannotOpen(path:reason:)`` when the disk does not take it.
    func adopt(_ build: URL) throws -> URL {
        try check()
        let next = folder.appending(path: "\(stem).g\(try lastGeneration() + 1).sqlite")
        let spare = folder.appending(path: "\(stem).link")
        // A write-ahead log of another file would be laid over this one.
        for suffix in ["-journal", "-wal", "-shm"] { try remove(URL(filePath: next.path + suffix)) }
        try flush(build)
        try move(build, to: next)
        try? FileManager.default.removeItem(at: spare)
        try FileManager.default.createSymbolicLink(
            atPath: spare.path,
            withDestinationPath: next.lastPathComponent
        )
        try move(spare, to: link)
        try flush(folder)
        return next
    }

    /// Removes every file but the one that serves and the one that is being built.
    func removeStale() throws {
        let kept = [current(), isThere(building) ? building : nil].compactMap(\.self)
            .flatMap { file in ["", "-journal", "-wal", "-shm"].map { file.lastPathComponent + $0 }
            }
        for name in try ownNames() where name != link.lastPathComponent && !kept.contains(name) {
            try remove(folder.appending(path: name))
        }
    }

    /// Removes the file that serves, when it turned out not to fit the log.
    func discardCurrent() throws {
        try discardLink()
        try removeStale()
    }

    /// Removes the name of the file that serves, so that no start goes on with it.
    func discardLink() throws {
        try remove(link)
    }

    /// Removes the files of versions before this one, which nobody brings level or erases in any more.
    func removeOlderVersions() throws {
        let start = "\(identity.name)-"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasPrefix(start) {
            let version = name.dropFirst(start.count).prefix { $0 != "." }
            guard let version = Int(version), version < identity.version else { continue }
            try remove(folder.appending(path: name))
        }
    }

    /// Removes a build that cannot be continued.
    func discard(_ build: URL) throws {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            try remove(URL(filePath: build.path + suffix))
        }
    }

    private func remove(_ url: URL) throws {
        try check()
        guard unlink(url.path) != 0, errno != ENOENT else { return }
        throw ProjectionError.cannotOpen(path: url.path, reason: String(cString: strerror(errno)))
    }

    /// The highest number that any file here has: none is used twice, since somebody may have the old file open.
    private func lastGeneration() throws -> Int {
        try ownNames().compactMap { name in
            let rest = name.dropFirst(stem.count + 1)
            guard rest.first == "g" else { return nil }
            return Int(rest.dropFirst().prefix { $0.isNumber })
        }.max() ?? 0
    }

    private func ownNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix("\(stem).") }
    }

    /// Whether the names here are the ledger's.
    var isInPlace: Bool { held?.isInPlace ?? true }

    private func check() throws {
        do { try held?.check() } catch {
            throw ProjectionError.cannotOpen(path: folder.path, reason: "\(error)")
        }
    }

    private func isThere(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }

    private func move(_ source: URL, to target: URL) throws {
        try check()
        guard rename(source.path, target.path) == 0 else {
            throw ProjectionError.cannotOpen(
                path: target.path,
                reason: String(cString: strerror(errno))
            )
        }
    }

    private func flush(_ url: URL) throws {
        let descriptor = open(url.path, O_RDONLY)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw ProjectionError.cannotOpen(
                path: url.path,
                reason: String(cString: strerror(errno))
            )
        }
    }
}
