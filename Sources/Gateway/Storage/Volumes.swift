// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Media
import Synchronization

/// A folder of recordings that is served.
struct Volume: Sendable {
    let folder: URL
    /// Whether it takes nothing new, and what it has goes to the others.
    var isDraining = false
    /// Why it is not there, and how much it takes.
    let room: ArchiveRoom
}

/// The folders of recordings that are served, as they are at the moment.
struct Volumes: Sendable {
    private let list: @Sendable () -> [Volume]

    /// - Parameter list: Answers with those of the moment, the ledger's own first; may block.
    init(_ list: @escaping @Sendable () -> [Volume]) {
        self.list = list
    }

    /// The ledger's own first.
    var all: [Volume] { list() }

    /// The volume that has a file; of two the one with more of it, and before those that are emptied (see ``VolumeList``).
    ///
    /// - Returns: The volume and the full path; `nil` where none has the file that is there.
    func place(of file: String) -> (volume: Volume, path: String)? {
        let volumes = all
        var found: (volume: Volume, path: String, bytes: off_t)?
        for volume in volumes.filter({ !$0.isDraining }) + volumes.filter(\.isDraining)
        where volume.room.fault == nil {
            let path = volume.folder.appending(path: file).path
            var facts = stat()
            guard lstat(path, &facts) == 0 else { continue }
            if found.map({ facts.st_size > $0.bytes }) ?? true {
                found = (volume, path, facts.st_size)
            }
        }
        return found.map { ($0.volume, $0.path) }
    }

    /// Where a file lies; where no volume has it, where it would lie in the ledger's own.
    func path(of file: String) -> String {
        place(of: file)?.path ?? all[0].folder.appending(path: file).path
    }

    /// Refuses a file that may lie on a volume that is not there.
    ///
    /// - Throws: ``ArchiveError/away(_:)``.
    func check(_ file: String) throws(ArchiveError) {
        guard place(of: file) == nil, let fault = away.first else { return }
        throw .away(fault)
    }

    /// Why volumes are not there, of each that is not.
    var away: [Fault] { all.compactMap(\.room.fault) }

    /// Why nothing can be recorded or read, where no volume is there.
    var fault: Fault? {
        let faults = away
        return faults.count == all.count ? faults.first : nil
    }

    /// The volume for a new file: the one with most room.
    ///
    /// - Throws: What its room says, where none has any.
    func forNew() throws(ArchiveError) -> Volume {
        let usable = all.filter { !$0.isDraining && $0.room.fault == nil }
        let best = usable.max { $0.room.freeBytes < $1.room.freeBytes }
        let volume = best ?? all[0]
        try volume.room.check()
        return volume
    }

    /// The most that any volume takes.
    ///
    /// - Throws: Where nobody can say of any.
    func freeBytes() throws(DiskRoom.Unknown) -> Int64 {
        let usable = all.filter { !$0.isDraining && $0.room.fault == nil }
        guard let first = usable.first else { return 0 }
        guard usable.count > 1 else { return try first.room.free() }
        return usable.map(\.room.freeBytes).max() ?? 0
    }
}

/// The volumes of a ledger, as `volumes.json` has them; the file is read anew whenever it is another.
///
/// Commands write it, and so do the routes: ``VolumeChanges``.
final class LedgerVolumes: Sendable {
    private let ledger: LedgerFolder
    private let own: MarkedFolder
    private let floor: Int64
    private let marked: @Sendable (URL) -> MarkedFolder
    private let known: Mutex<Known>

    private struct Known {
        var stamp: Stamp?
        var volumes: [Volume]
        /// By their paths: each looks at its mark once a second.
        var folders: [URL: MarkedFolder] = [:]
        /// Why the file cannot be read; the volumes are those of before.
        var fault: Fault?
    }

    /// What tells a file from the one that was there before.
    private struct Stamp: Hashable {
        let inode: ino_t
        let seconds: Int
        let nanoseconds: Int
    }

    /// - Parameters:
    ///   - ledger: The ledger's folder.
    ///   - own: Its own folder of recordings.
    ///   - floor: Bytes that stay free on each.
    ///   - marked: Gives the folder of another volume, with its mark.
    init(
        _ ledger: LedgerFolder,
        own: MarkedFolder,
        floor: Int64,
        marked: @escaping @Sendable (URL) -> MarkedFolder
    ) {
        (self.ledger, self.own, self.floor, self.marked) = (ledger, own, floor, marked)
        known = Mutex(Known(volumes: []))
        known.withLock { $0.volumes = [volume(own, isDraining: false)] }
    }

    var volumes: Volumes { Volumes { self.current } }

    /// Why the list cannot be read; `nil` while it can.
    var fault: Fault? {
        _ = current
        return known.withLock { $0.fault }
    }

    private var current: [Volume] {
        let stamp = stamp
        return known.withLock { known in
            guard stamp != known.stamp else { return known.volumes }
            do {
                known.volumes = try VolumeList.read(of: ledger.root).volumes.map {
                    let url = $0.folder(of: ledger.root)
                    let folder =
                        $0.path == VolumeList.own ? own : known.folders[url] ?? marked(url)
                    known.folders[url] = folder
                    return volume(folder, isDraining: $0.isDraining)
                }
                known.fault = nil
            } catch {
                known.fault = Fault(
                    code: "volumes",
                    words:
                        "\(ledger.root.path)/\(VolumeList.fileName) cannot be read: \(error); the volumes of before are served: mend the file"
                )
            }
            known.stamp = stamp
            return known.volumes
        }
    }

    private var stamp: Stamp? {
        var facts = stat()
        guard stat(ledger.root.appending(path: VolumeList.fileName).path, &facts) == 0 else {
            return nil
        }
        return Stamp(
            inode: facts.st_ino,
            seconds: facts.st_mtim.tv_sec,
            nanoseconds: facts.st_mtim.tv_nsec
        )
    }

    private func volume(_ folder: MarkedFolder, isDraining: Bool) -> Volume {
        Volume(
            folder: folder.path,
            isDraining: isDraining,
            room: ArchiveRoom(
                floor: floor,
                away: { folder.fault },
                ask: { () throws(DiskRoom.Unknown) in
                    try DiskRoom.bytesOfFiles(below: folder.path.path)
                }
            )
        )
    }
}
