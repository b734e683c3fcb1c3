// SPDX-License-Identifier: Apache-2.0
import Events
public import Foundation
import HTTPTypes
import Media

/// Adds folders of recordings to a ledger, empties them and takes them away, while a gateway serves it or not.
///
/// What is written is `volumes.json` in the ledger's folder, which a gateway reads anew; one change at a time.
public struct VolumeChanges: Sendable {
    private let ledger: LedgerFolder

    /// - Parameter folder: The ledger's folder.
    public init(folder: URL) {
        ledger = LedgerFolder(root: folder)
    }

    /// What is done with a volume.
    public enum Action: String, Codable, CaseIterable, Sendable {
        case add, drain
        /// It takes recordings again.
        case use
        /// It is taken off the list, drained and empty as it is.
        case remove
    }

    /// A volume as lists show it.
    public struct Listed: Codable, Hashable, Sendable {
        /// A full path; of the ledger's own one `media`.
        public let path: String
        public let draining: Bool
        public let here: Bool
        /// Why it is not here.
        public let fault: String?
        /// Recordings and what was set aside of them.
        public let files: Int
        public let bytes: Int64
        public let freeBytes: Int64
    }

    /// The volumes as they are, the ledger's own first.
    ///
    /// Blocks.
    ///
    /// - Returns: One each.
    /// - Throws: What reading the list, or listing one that is there, throws.
    public func list() throws -> [Listed] {
        let identity = try identity()
        return try VolumeList.read(of: ledger.root).volumes.map { volume in
            let folder = volume.folder(of: ledger.root)
            let fault = fault(of: folder, identity, isOwn: volume.path == VolumeList.own)
            var bytes: Int64 = 0
            let names = fault == nil ? try FileCopy.names(below: folder) : []
            for name in names {
                var facts = stat()
                guard lstat(folder.appending(path: name).path, &facts) == 0 else { continue }
                bytes += Int64(facts.st_size)
            }
            let free = fault == nil ? try? DiskRoom.bytesOfFiles(below: folder.path) : nil
            return Listed(
                path: volume.path,
                draining: volume.isDraining,
                here: fault == nil,
                fault: fault,
                files: names.count,
                bytes: bytes,
                freeBytes: free ?? 0
            )
        }
    }

    /// Changes one volume; a change that was made already changes nothing.
    ///
    /// Blocks.
    ///
    /// - Parameters:
    ///   - action: What is done.
    ///   - path: The volume's folder, a full path that is there; or `media`, the ledger's own.
    ///   - isLost: For ``Action/remove``: its disk is gone for good, with what was on it.
    /// - Throws: ``VolumeError``; what writing throws.
    public func change(_ action: Action, _ path: String, isLost: Bool = false) throws {
        let identity = try identity()
        let lock = try ChangeLock(ledger.root)
        defer { lock.release() }
        var list = try VolumeList.read(of: ledger.root)
        let name = path == VolumeList.own ? path : URL(filePath: path).standardizedFileURL.path
        guard name == VolumeList.own || path.hasPrefix("/") else { throw VolumeError.notFull(path) }
        let place = list.volumes.firstIndex { $0.path == name }
        switch (action, place) {
        case (.add, .some): return
        case (.add, nil):
            try begin(name, beside: list, identity)
            list.volumes.append(VolumeList.Volume(path: name))
        case (_, nil): throw VolumeError.unknown(name)
        case (.drain, let place?):
            let others = list.volumes.filter { $0.path != name && !$0.isDraining }
            guard !others.isEmpty else { throw VolumeError.last(name) }
            list.volumes[place].isDraining = true
        case (.use, let place?): list.volumes[place].isDraining = false
        case (.remove, let place?):
            try end(list.volumes[place], identity, isLost: isLost)
            list.volumes.remove(at: place)
        }
        let file = ledger.root.appending(path: VolumeList.fileName)
        let data = try JSONBody.encoder.encode(list)
        try DurableFile.write(data + [0x0A], to: file, permissions: 0o600)
        FolderOwner.handOver(ledger.root)
    }

    private func identity() throws -> LedgerIdentity {
        guard let identity = try LedgerIdentity.read(from: ledger.identity) else {
            throw VolumeError.noLedger(ledger.root.path)
        }
        return identity
    }

    /// Marks a folder as this ledger's.
    private func begin(_ path: String, beside list: VolumeList, _ identity: LedgerIdentity) throws {
        let folder = URL(filePath: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            isFolder.boolValue
        else { throw VolumeError.notThere(path) }
        let real = folder.resolvingSymlinksInPath().pathComponents
        for other in [ledger.root] + list.folders(of: ledger.root) {
            let there = other.resolvingSymlinksInPath().pathComponents
            guard !real.starts(with: there), !there.starts(with: real) else {
                throw VolumeError.within(path, other.path)
            }
        }
        let mark = folder.appending(path: LedgerFolder.identityName)
        if let found = try LedgerIdentity.read(from: mark) {
            guard found.origin == identity.origin else {
                throw VolumeError.ofAnother(path, origin: found.origin)
            }
        } else {
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { $0 != "lost+found" }
            guard names.isEmpty else { throw VolumeError.notEmpty(path) }
            try identity.write(to: mark)
        }
        guard access(path, R_OK | W_OK | X_OK) == 0 else { throw VolumeError.closed(path) }
    }

    /// Takes the mark of a folder away, which has nothing of the ledger any more.
    private func end(
        _ volume: VolumeList.Volume,
        _ identity: LedgerIdentity,
        isLost: Bool
    ) throws {
        guard volume.path != VolumeList.own else { throw VolumeError.own }
        guard !isLost else { return }
        let folder = volume.folder(of: ledger.root)
        if let fault = fault(of: folder, identity, isOwn: false) {
            throw VolumeError.away(volume.path, fault)
        }
        let left = try FileCopy.names(below: folder).count
        guard volume.isDraining, left == 0 else {
            throw VolumeError.inUse(volume.path, files: left, isDraining: volume.isDraining)
        }
        _ = try DurableFile.remove(folder.appending(path: LedgerFolder.identityName))
    }

    private func fault(of folder: URL, _ identity: LedgerIdentity, isOwn: Bool) -> String? {
        switch FolderMark(in: folder, of: ledger, identity) {
        case .ours: nil
        case .missing(let wasGiven):
            isOwn && !wasGiven ? nil : "it has no mark of this ledger: its disk may not be mounted"
        case .of(let origin): "it is of the ledger \(origin)"
        case .unreadable(let reason): reason
        }
    }
}

/// Keeps two changes of a list apart.
private struct ChangeLock {
    private let descriptor: Int32

    init(_ folder: URL) throws {
        let file = folder.appending(path: ".\(VolumeList.fileName).lock").path
        descriptor = open(file, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault(call: "open", path: file, code: errno) }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    func release() { close(descriptor) }
}

/// Why a volume stays as it is.
public enum VolumeError: Error, Hashable, Sendable {
    case noLedger(String)
    case notFull(String)
    case unknown(String)
    case notThere(String)
    case notEmpty(String)
    case closed(String)
    case within(String, String)
    case ofAnother(String, origin: String)
    case last(String)
    case own
    case away(String, String)
    case inUse(String, files: Int, isDraining: Bool)
}

extension VolumeError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noLedger(let path): "there is no ledger in \(path); check --data"
        case .notFull(let path): "\(path) is not a full path; name one that begins with /"
        case .unknown(let path):
            "\(path) is not a volume of this ledger; daybook volume list names them"
        case .notThere(let path):
            "\(path) is not a folder that is there; make it, on a disk that is mounted"
        case .notEmpty(let path): "\(path) has other things in it; name an empty folder"
        case .closed(let path): "\(path) cannot be written to; give it to the gateway's user"
        case .within(let path, let other):
            "\(path) and \(other) lie one in the other; name a folder apart"
        case .ofAnother(let path, let origin):
            "\(path) has recordings of the ledger \(origin); name another folder"
        case .last(let path):
            "\(path) is the last that takes recordings; add another volume first"
        case .own: "media is the ledger's own and stays; it can be drained"
        case .away(let path, let fault):
            "\(path) is not there: \(fault); mount it, or say that it is lost: daybook volume remove --lost"
        case .inUse(let path, let files, let isDraining):
            isDraining
                ? "\(path) still has \(files) files; wait until they are moved"
                : "\(path) takes recordings; drain it first"
        }
    }
}

extension VolumeError: ProblemRepresentable {
    /// For admins, who named the path.
    var problem: Problem { Problem(.volumeUnusable, detail: description) }
}

extension ProblemType {
    fileprivate static let volumeUnusable = Self(
        "volume-unusable",
        .conflict,
        "Not done with this folder of recordings"
    )
}
