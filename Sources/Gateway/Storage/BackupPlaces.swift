// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// The folders with backups of a ledger, as `DIR/backups.json` lists them: each erasure is told to every one of them.
///
/// A backup still has whom somebody erased behind it. Beside the backups of a place lies therefore a list of the entries that
/// say so, and of the lifting of holds, which makes way for them: `erasures-KEY.jsonl`, an entry a line, for each key that the ledger signed
/// with. A restore carries them out before anything is served.
struct BackupPlaces: Codable, Hashable, Sendable {
    /// Full paths.
    var folders: [String] = []

    static let fileName = "backups.json"

    /// The kinds of entries that are told.
    private static let kinds = [PersonErased.kind, HoldLifted.kind]

    /// The places of a ledger; none where nothing was backed up yet.
    static func read(of ledger: LedgerFolder) throws -> BackupPlaces {
        let file = ledger.root.appending(path: fileName)
        guard FileManager.default.fileExists(atPath: file.path) else { return BackupPlaces() }
        return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    }

    /// Keeps them; returns once they are on disk.
    func write(to ledger: LedgerFolder) throws {
        let file = ledger.root.appending(path: Self.fileName)
        let data = try JSONBody.encoder.encode(self)
        try DurableFile.write(data + [0x0A], to: file, permissions: 0o600)
    }

    /// Tells every place of the erasures that it has not heard of.
    ///
    /// - Parameters:
    ///   - log: Which has them.
    ///   - identity: Whose key names the list.
    /// - Returns: Why a place could not be told, for each that could not; it is tried again with the next erasure and start.
    func tell(_ log: EventLog, of identity: LedgerIdentity) -> [Fault] {
        folders.compactMap { folder in
            do {
                try Self.tell(URL(filePath: folder), log, identity)
                return nil
            } catch {
                return Fault(
                    code: "backups \(folder)",
                    words:
                        "the backups in \(folder) were not told of an erasure: \(error); mount their disk, or say that they are gone: daybook backup --forget \(folder)"
                )
            }
        }
    }

    private static func tell(
        _ place: URL,
        _ log: EventLog,
        _ identity: LedgerIdentity
    ) throws {
        // Where its disk is not mounted, an empty folder must not hear of them in its stead.
        guard try LedgerIdentity.read(from: mark(in: place))?.origin == identity.origin else {
            throw StartError.folder(place.path, reason: "it is not the folder of the backups")
        }
        let list = try ErasureList(place.appending(path: ErasureList.name(of: identity)))
        var news: [(position: LogPosition, line: [UInt8])] = []
        for kind in kinds {
            var next = list.last?.next ?? LogPosition(0)
            while true {
                let page = try log.entries(of: kind, from: next)
                guard let last = page.last else { break }
                news += page.map { ($0.envelope.position, $0.bytes) }
                next = last.envelope.position.next
            }
        }
        try list.append(news.sorted { $0.position < $1.position }.map(\.line))
    }

    /// What says whose backups lie in a folder: a copy of `daybook.json`.
    static func mark(in place: URL) -> URL { place.appending(path: LedgerFolder.identityName) }
}

/// A list of entries beside backups, an entry a line in the order of the log.
struct ErasureList {
    private let file: URL
    /// The position of its last entry; `nil` while it has none.
    let last: LogPosition?
    /// Its bytes up to the end of the last whole line.
    private let wholeBytes: Int

    /// The name of the list for the key that the ledger signs with.
    static func name(of identity: LedgerIdentity) -> String {
        let key = SHA256Digest(of: Array(identity.vkey.utf8)).text.prefix(12)
        return "erasures-\(key).jsonl"
    }

    /// Opens a list, or begins it.
    ///
    /// - Throws: `EntryError` for a line that is no entry; what reading throws.
    init(_ file: URL) throws {
        self.file = file
        guard FileManager.default.fileExists(atPath: file.path) else {
            (last, wholeBytes) = (nil, 0)
            return
        }
        let bytes = [UInt8](try Data(contentsOf: file))
        // A crash may have cut the last one off; it is told again.
        wholeBytes = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        last = try Self.entries(in: bytes[..<wholeBytes]).last?.envelope.position
    }

    /// The entries of a list, in its order.
    static func entries(in file: URL) throws -> [Entry] {
        let bytes = [UInt8](try Data(contentsOf: file))
        let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return try entries(in: bytes[..<end])
    }

    private static func entries(in bytes: ArraySlice<UInt8>) throws -> [Entry] {
        try bytes.split(separator: 0x0A).map { try Entry(parsing: Array($0)) }
    }

    /// Adds entries; returns once they are on disk.
    func append(_ lines: [[UInt8]]) throws {
        let isNew = !FileManager.default.fileExists(atPath: file.path)
        guard isNew || !lines.isEmpty else { return }
        let descriptor = open(file.path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault(call: "open", path: file.path, code: errno) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.truncate(atOffset: UInt64(wholeBytes))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(lines.flatMap { $0 + [0x0A] }))
        try handle.synchronize()
        if isNew { try DurableFile.syncFolder(file.deletingLastPathComponent()) }
    }
}
