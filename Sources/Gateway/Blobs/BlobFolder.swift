// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Threads

/// Files too large for an event, each sealed for a person: `DIR/blobs/ab/<SHA-256 of the sealed file>`.
///
/// A file that an event is to name begins in `DIR/blobs/new`, where it is on disk before the event is
/// appended; behind the event it moves to its place. What a crash leaves in `new` is told apart at the next
/// start: an event names it, or nobody ever will.
actor BlobFolder {
    private let path: URL
    private let keys: any PersonKeys
    /// Throws while another folder stands in its place.
    private let check: @Sendable () throws(FolderAway) -> Void
    private let free: @Sendable () throws -> Int64
    private let thread = DedicatedThread(name: "blobs")
    /// What this process holds and has not settled; no leftover of a crash.
    private var mine: Set<SHA256Digest> = []
    private var opened: OpenedBlobs

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// A sealed file.
    struct Blob: Sendable, Hashable {
        let digest: SHA256Digest
        /// Its length.
        let bytes: Int
    }

    /// - Parameters:
    ///   - path: The folder.
    ///   - keys: Those of people.
    ///   - openedBytes: Bytes of opened files that are kept at most for whoever reads them piece by piece.
    ///   - check: Throws while another folder stands in its place; asked before anything is read, written or deleted.
    ///   - free: Bytes that its disk has; ``LogLimits/freeBytesMin`` of them are left for the log, which may lie there, too.
    init(
        path: URL,
        keys: any PersonKeys,
        openedBytes: Int = 32 << 20,
        check: @escaping @Sendable () throws(FolderAway) -> Void = {},
        free: (@Sendable () throws -> Int64)? = nil
    ) {
        opened = OpenedBlobs(bytesMax: openedBytes)
        self.path = path
        self.keys = keys
        self.free = free ?? { try DiskRoom.bytesOfFiles(below: path.path) }
        self.check = check
    }

    /// Seals bytes for a person and puts them on disk, before an event names them.
    ///
    /// - Returns: What the event says of it; `nil` if the person was erased.
    /// - Throws: ``StartError`` when the disk does not take it; ``FolderAway``.
    func hold(_ plain: [UInt8], for person: PersonID) throws -> Blob? {
        try check()
        guard let key = keys.key(of: person) else { return nil }
        let sealed = SealedBlob.seal(plain, with: key)
        let blob = Blob(
            digest: SHA256Digest(of: sealed),
            bytes: sealed.count
        )
        let file = held(blob.digest)
        try make(file.deletingLastPathComponent())
        // Room that nobody can tell is none.
        guard (try? free()) ?? 0 >= Int64(LogLimits.freeBytesMin) else {
            throw StartError.noRoom(file.path)
        }
        mine.insert(blob.digest)
        try DurableFile.write(Data(sealed), to: file, permissions: 0o600)
        return blob
    }

    /// An event names the file: it moves to its place.
    ///
    /// Doing it again changes nothing.
    func settle(_ digest: SHA256Digest) throws {
        try check()
        let (from, to) = (held(digest), settled(digest))
        guard exists(from) else { return }
        try make(to.deletingLastPathComponent())
        try DurableFile.move(from, to: to)
        mine.remove(digest)
    }

    /// No event will name the file.
    func drop(_ digest: SHA256Digest) throws {
        try check()
        try remove(held(digest))
        mine.remove(digest)
    }

    /// The same in one step, for what may be lost with the event that would name it.
    func keep(_ plain: [UInt8], for person: PersonID) throws -> SHA256Digest? {
        guard let blob = try hold(plain, for: person) else { return nil }
        try settle(blob.digest)
        return blob.digest
    }

    /// What is in a file; `nil` if the person was erased.
    ///
    /// - Throws: ``BlobFault`` when it is not there, or is not what was sealed; ``FolderAway``.
    func open(_ digest: SHA256Digest, of person: PersonID) throws -> [UInt8]? {
        guard let key = keys.key(of: person) else { return nil }
        try check()
        let manager = FileManager.default
        // It may move between two looks.
        let places = [settled(digest), held(digest), settled(digest)]
        guard let data = places.lazy.compactMap({ manager.contents(atPath: $0.path) }).first else {
            throw BlobFault(digest: digest, reason: "it is not there; restore it from a backup")
        }
        guard SHA256Digest(of: data) == digest else {
            throw BlobFault(
                digest: digest,
                reason: "its bytes were changed; restore it from a backup"
            )
        }
        do {
            return try SealedBlob.open(Array(data), with: key)
        } catch {
            throw BlobFault(digest: digest, reason: "\(error)")
        }
    }

    /// How many bytes are in a file; `nil` if the person was erased.
    ///
    /// - Throws: See ``open(_:of:)``.
    func length(_ digest: SHA256Digest, of person: PersonID) throws -> Int? {
        try kept(digest, of: person)?.count
    }

    /// Some of the bytes in a file; `nil` if the person was erased meanwhile.
    ///
    /// The file is opened whole each time that others were read in between: no piece of it can be checked by itself.
    func piece(
        _ range: Range<Int>,
        of digest: SHA256Digest,
        of person: PersonID
    ) throws -> [UInt8]? {
        try kept(digest, of: person).map { Array($0[range]) }
    }

    private func kept(_ digest: SHA256Digest, of person: PersonID) throws -> [UInt8]? {
        guard keys.key(of: person) != nil else {
            opened.forget(digest)
            return nil
        }
        if let bytes = opened.bytes(of: digest) { return bytes }
        guard let bytes = try open(digest, of: person) else { return nil }
        opened.add(bytes, of: digest)
        return bytes
    }

    /// Removes a file wherever it is.
    ///
    /// - Throws: ``FolderAway``, for what is not mounted is not deleted; what keeps the file from being deleted.
    func delete(_ digest: SHA256Digest) throws {
        try check()
        opened.forget(digest)
        try remove(settled(digest))
        try remove(held(digest))
    }

    /// Tells apart what a crash left: what an event names moves to its place, the rest goes.
    ///
    /// - Parameter named: Which of these files events name; asked only if there are any.
    /// - Throws: What asking throws, and when the folder cannot be read or changed.
    func sweep(named: (Set<SHA256Digest>) throws -> Set<SHA256Digest>) throws {
        try check()
        let folder = path.appending(path: "new")
        guard exists(folder) else { return }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { !(SHA256Digest($0).map(mine.contains) ?? false) }
        let found = Set(names.compactMap { SHA256Digest($0) })
        let kept = found.isEmpty ? [] : try named(found)
        for digest in kept { try settle(digest) }
        for name in names where !(SHA256Digest(name).map(kept.contains) ?? false) {
            try remove(folder.appending(path: name))
        }
    }

    // MARK: - Files

    /// Where a file lies that an event names.
    static func place(of digest: SHA256Digest, in folder: URL) -> URL {
        folder.appending(path: String(digest.text.prefix(2))).appending(path: digest.text)
    }

    private func settled(_ digest: SHA256Digest) -> URL { Self.place(of: digest, in: path) }

    private func held(_ digest: SHA256Digest) -> URL {
        path.appending(path: "new").appending(path: digest.text)
    }

    /// Whether the file of a picture is there.
    func has(_ digest: SHA256Digest) throws -> Bool {
        try check()
        return exists(settled(digest)) || exists(held(digest))
    }

    private func exists(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }

    private func make(_ folder: URL) throws {
        guard !exists(folder) else { return }
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        // The names of the folders must last as the files do.
        try DurableFile.syncFolder(path)
        try DurableFile.syncFolder(path.deletingLastPathComponent())
    }

    private func remove(_ file: URL) throws {
        _ = try DurableFile.remove(file)
    }
}

/// A blob that the log names and the disk does not give.
struct BlobFault: Error, CustomStringConvertible, ProblemRepresentable {
    let digest: SHA256Digest
    let reason: String

    var description: String { "blob \(digest) could not be read: \(reason)" }

    var problem: Problem { Problem(.blobDamaged, detail: description) }
}

extension ProblemType {
    static let blobDamaged = Self("blob-damaged", .internalServerError, "The file is damaged")
}
