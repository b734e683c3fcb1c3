// SPDX-License-Identifier: Apache-2.0
import Events
public import Foundation
import GRDB
import Media

/// A copy of a ledger of one moment, made beside whoever serves it; it opens as after a power cut at that moment.
///
/// It is laid out as `PLACE/TIME/ledger`, a ledger's folder, and `PLACE/TIME/backup.json`, which says how many entries it has and their
/// root. It holds the people's keys, wrapped, and everything of accounts: with the master key whoever has it reads all.
///
/// Each part is copied at the time at which it fits the others: what may be behind the log before the log, what must not be behind it afterwards.
public struct Backup: Codable, Hashable, Sendable {
    /// The ledger's name.
    public let origin: String
    /// How many entries it has.
    public let entries: UInt64
    /// The root over them, as a checkpoint writes it.
    public let root: String
    /// When it was begun.
    public let madeAt: String
    /// Of recordings and pictures.
    public let files: Int
    /// Of recordings and pictures.
    public let bytes: Int64
    /// How many of the files were in the backup before, and take no room a second time.
    public let filesShared: Int

    static let description = "backup.json"
    static let ledger = "ledger"

    /// Left out: what is made anew from the log, what belongs to this place alone, and what is copied in its own way.
    private static let apart: Set<String> = [
        "index", "index.new", "read", "lock", "log", "keys", "accounts.db", "accounts.db-wal",
        "accounts.db-shm",
        "accounts.db-journal", "media", "blobs", VolumeList.fileName, BackupPlaces.fileName,
    ]

    /// Makes a backup.
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder, served or not.
    ///   - place: The folder of its backups, which is made where it is missing; from now on each erasure is told there.
    ///   - now: The time that names it.
    ///   - progress: Hears how many bytes of files are copied, of how many.
    /// - Returns: Where it lies and what it holds. Nothing is left of one that failed.
    /// - Throws: ``BackupError``; what reading and writing throw.
    public static func make(
        of folder: URL,
        in place: URL,
        now: Date = Date(),
        progress: (_ done: Int64, _ of: Int64) -> Void = { _, _ in }
    ) throws -> (at: URL, Backup) {
        let ledger = LedgerFolder(root: folder)
        guard let identity = try LedgerIdentity.read(from: ledger.identity) else {
            throw BackupError.noLedger(folder.path)
        }
        try ledger.checkAccess()
        try begin(place, of: ledger, identity)
        let time = Timestamp(microseconds: Int64(now.timeIntervalSince1970 * 1_000_000))
        let name = String("\(time)".prefix(19)).replacing(":", with: "-") + "Z"
        let target = place.appending(path: name)
        guard !FileManager.default.fileExists(atPath: target.path) else {
            throw BackupError.nameTaken(target.path)
        }
        let growing = place.appending(path: ".\(name)")
        if FileManager.default.fileExists(atPath: growing.path) {
            try FileManager.default.removeItem(at: growing)
        }
        do {
            var copy = Copy(
                from: ledger,
                to: growing.appending(path: Self.ledger),
                earlier: newest(in: place)?.appending(path: Self.ledger)
            )
            let backup = try copy.run(identity, at: time, progress)
            try DurableFile.write(
                try JSONBody.encoder.encode(backup) + [0x0A],
                to: growing.appending(path: description),
                permissions: 0o600
            )
            try FileCopy.syncFolders(below: growing)
            try DurableFile.move(growing, to: target)
            return (target, backup)
        } catch {
            try? FileManager.default.removeItem(at: growing)
            throw error
        }
    }

    /// Takes a place off the list: its backups are gone, and hear of no erasure any more.
    ///
    /// - Parameters:
    ///   - place: The folder of backups.
    ///   - folder: The ledger's.
    /// - Throws: ``BackupError/notAPlace(_:)``; what writing throws.
    public static func forget(_ place: URL, of folder: URL) throws {
        let ledger = LedgerFolder(root: folder)
        var places = try BackupPlaces.read(of: ledger)
        let path = place.standardizedFileURL.path
        guard places.folders.contains(path) else { throw BackupError.notAPlace(path) }
        places.folders.removeAll { $0 == path }
        try places.write(to: ledger)
    }

    /// Reads what a backup says of itself.
    static func read(_ backup: URL) throws -> Backup {
        let file = backup.appending(path: description)
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw BackupError.noBackup(backup.path)
        }
        return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    }

    /// The newest backup of a place.
    private static func newest(in place: URL) -> URL? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted().last { name in
            FileManager.default.fileExists(
                atPath: place.appending(path: "\(name)/\(description)").path
            )
        }.map { place.appending(path: $0) }
    }

    /// Marks a folder as that of this ledger's backups, lists it, and begins its list of erasures.
    private static func begin(
        _ place: URL,
        of ledger: LedgerFolder,
        _ identity: LedgerIdentity
    ) throws {
        guard !ledger.contains(place) else { throw BackupError.inside(place.path) }
        try FileManager.default.createDirectory(
            at: place,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let mark = BackupPlaces.mark(in: place)
        let found = try LedgerIdentity.read(from: mark)
        if let found, found.origin != identity.origin {
            throw BackupError.ofAnother(place.path, origin: found.origin)
        }
        if found == nil {
            let others = try FileManager.default.contentsOfDirectory(atPath: place.path)
                .filter { $0 != "lost+found" }
            guard others.isEmpty else { throw BackupError.notEmpty(place.path) }
            try identity.write(to: mark)
        }
        try ErasureList(place.appending(path: ErasureList.name(of: identity))).append([])
        var places = try BackupPlaces.read(of: ledger)
        let path = place.standardizedFileURL.path
        if !places.folders.contains(path) {
            // Before the first copy: no erasure comes in between.
            places.folders.append(path)
            try places.write(to: ledger)
            FolderOwner.handOver(ledger.root)
        }
    }

    /// One copy under way.
    private struct Copy {
        let from: LedgerFolder
        let to: URL
        /// The backup before, whose files are shared where they are the same.
        let earlier: URL?
        var files = 0
        var bytes: Int64 = 0
        var shared = 0

        mutating func run(
            _ identity: LedgerIdentity,
            at time: Timestamp,
            _ progress: (Int64, Int64) -> Void
        ) throws -> Backup {
            try FileManager.default.createDirectory(
                at: to,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let store = try EntryStore.open(from.root)
            let volumes = try VolumeList.read(of: from.root).folders(of: from.root)
            try checkRoom([from.blobs] + volumes + [from.root.appending(path: "log")])
            // What was signed, who has an account, and the keys of before: the log has all that they rest on, and may have more.
            try copySmallFiles()
            try copyAccounts()
            let keys = try [UInt8](Data(contentsOf: from.personKeys))
            let log = try store.copy(to: to)
            try copyKeys(keys)
            try copyFiles([("blobs", from.blobs)] + volumes.map { ("media", $0) }, progress)
            return Backup(
                origin: identity.origin,
                entries: log.size,
                root: log.root.description,
                madeAt: "\(time)",
                files: files,
                bytes: bytes,
                filesShared: shared
            )
        }

        private func checkRoom(_ folders: [URL]) throws {
            var needed: Int64 = 0
            for folder in folders {
                for name in try FileCopy.names(below: folder) {
                    var facts = stat()
                    guard lstat(folder.appending(path: name).path, &facts) == 0 else { continue }
                    let isShared = isThere(facts, earlierNames(of: name))
                    if !isShared { needed += Int64(facts.st_size) }
                }
            }
            let free = try DiskRoom.bytesOfFiles(
                below: to.deletingLastPathComponent().deletingLastPathComponent().path
            )
            guard free > needed else {
                throw BackupError.noRoom(to.path, needed: needed, free: free)
            }
        }

        private func earlierNames(of name: String) -> [URL] {
            guard let earlier else { return [] }
            return ["media", "blobs"].map { earlier.appending(path: "\($0)/\(name)") }
        }

        private func isThere(_ facts: stat, _ places: [URL]) -> Bool {
            places.contains { place in
                var other = stat()
                return lstat(place.path, &other) == 0 && other.st_size == facts.st_size
                    && other.st_mtim.tv_sec == facts.st_mtim.tv_sec
                    && other.st_mtim.tv_nsec == facts.st_mtim.tv_nsec
            }
        }

        private func copySmallFiles() throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: from.root.path)
            where !Backup.apart.contains(name) && !name.hasPrefix(".") {
                let source = from.root.appending(path: name)
                var facts = stat()
                guard lstat(source.path, &facts) == 0 else { continue }
                if facts.st_mode & S_IFMT == S_IFREG {
                    try FileCopy.copy(source, to: to.appending(path: name))
                }
            }
        }

        private func copyAccounts() throws {
            guard FileManager.default.fileExists(atPath: from.accounts.path) else { return }
            var configuration = Configuration()
            configuration.readonly = true
            let accounts = try DatabaseQueue(path: from.accounts.path, configuration: configuration)
            let copy = try DatabaseQueue(path: to.appending(path: "accounts.db").path)
            try accounts.backup(to: copy)
            try accounts.close()
            try copy.close()
        }

        /// The keys as they were before the log was copied, and those that came since: nobody of the log is without one, and
        /// whoever is erased meanwhile is told to the place.
        private func copyKeys(_ before: [UInt8]) throws {
            let now = [UInt8](try Data(contentsOf: from.personKeys))
            let keys = before + now.dropFirst(before.count)
            try DurableFile.write(
                Data(keys),
                to: to.appending(path: "keys"),
                permissions: 0o600
            )
        }

        private mutating func copyFiles(
            _ folders: [(name: String, folder: URL)],
            _ progress: (Int64, Int64) -> Void
        ) throws {
            var all: [(source: URL, name: String)] = []
            var total: Int64 = 0
            for (name, folder) in folders {
                for file in try FileCopy.names(below: folder) {
                    // What is being stored just now is of no entry yet.
                    if name == "blobs", file.hasPrefix("new/") { continue }
                    let source = folder.appending(path: file)
                    var facts = stat()
                    guard lstat(source.path, &facts) == 0 else { continue }
                    total += Int64(facts.st_size)
                    all.append((source, "\(name)/\(file)"))
                }
            }
            var gone: Set<String> = []
            for (source, name) in all {
                if try take(source, as: name) { progress(bytes, total) } else { gone.insert(name) }
            }
            // From one volume to another, while this went on; or an erasure removed them, of which the place is told.
            for (name, folder) in folders where !gone.isEmpty {
                for file in try FileCopy.names(below: folder) where gone.contains("\(name)/\(file)")
                {
                    _ = try take(folder.appending(path: file), as: "\(name)/\(file)")
                }
            }
        }

        /// - Returns: Whether it is in the copy now.
        private mutating func take(_ source: URL, as name: String) throws -> Bool {
            let target = to.appending(path: name)
            // A file that is moved from one volume to another is met twice.
            guard !FileManager.default.fileExists(atPath: target.path) else { return true }
            var facts = stat()
            guard lstat(source.path, &facts) == 0 else { return false }
            files += 1
            bytes += Int64(facts.st_size)
            if let earlier = earlier?.appending(path: name), isThere(facts, [earlier]) {
                try FileManager.default.createDirectory(
                    at: target.deletingLastPathComponent(),
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
                if link(earlier.path, target.path) == 0 {
                    shared += 1
                    return true
                }
            }
            do {
                try FileCopy.copy(source, to: target)
            } catch let fault as FileFault where fault.code == ENOENT && fault.path == source.path {
                (files, bytes) = (files - 1, bytes - Int64(facts.st_size))
                return false
            }
            return true
        }
    }
}

/// Why there is no backup, or none was restored.
public enum BackupError: Error, Hashable, Sendable {
    case noLedger(String)
    case inside(String)
    case notEmpty(String)
    case ofAnother(String, origin: String)
    case nameTaken(String)
    case noRoom(String, needed: Int64, free: Int64)
    case notAPlace(String)
    case noBackup(String)
    case notWhole(String, found: String, wanted: String)
    case noErasures(String)
    case occupied(String)
    case erasedSince(Int)
}

extension BackupError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noLedger(let path): "there is no ledger in \(path); check --data"
        case .inside(let path):
            "\(path) lies in the ledger's folder, and would be lost with it; name one on another disk"
        case .notEmpty(let path):
            "\(path) has other things in it; name a new folder, or the one of this ledger's backups"
        case .ofAnother(let path, let origin):
            "\(path) has the backups of the ledger \(origin); name another folder"
        case .nameTaken(let path): "there is a backup \(path) already; wait a second"
        case .noRoom(let path, let needed, let free):
            "no room for \(path): \(needed >> 20) MiB are needed and \(free >> 20) MiB are free; make room, or remove old backups"
        case .notAPlace(let path):
            "\(path) is not on the list of this ledger's backups; DIR/\(BackupPlaces.fileName) has them"
        case .noBackup(let path):
            "there is no backup in \(path); name a folder that daybook backup made, with \(Backup.description) in it"
        case .notWhole(let path, let found, let wanted):
            "\(path) is not what was backed up: its log has \(found), and \(Backup.description) says \(wanted); take another backup"
        case .noErasures(let path):
            "nothing tells who was erased since this backup: there is no list of erasures beside \(path); name one with --erasures FILE, or say --erasures none if nobody was"
        case .occupied(let path): "\(path) is not empty; name a new folder for what is restored"
        case .erasedSince(let count):
            "\(count) people were erased since this backup, which the ledger has to record: --same-key, which says that nothing was recorded since, cannot be meant"
        }
    }
}
