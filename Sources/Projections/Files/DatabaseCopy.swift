// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A file of SQLite to look at, so that looking leaves nothing beside it.
///
/// SQLite makes files beside one in WAL mode even for readers, and takes what it finds there for the newest state. So a copy
/// of file and log is read, taken while neither changed. Only where a gateway writes faster than can be copied, the file is
/// read in its place: then everything that reading makes is there already, and is the gateway's.
package final class DatabaseCopy {
    package let path: String
    /// Whether it is the file itself, which must not be written to.
    package let isInPlace: Bool
    private let folder: URL?

    /// How often a copy is tried beside somebody who writes.
    private static let attempts = 5

    /// Copies a file, into a folder that only its owner may look into.
    ///
    /// - Throws: ``ForeignNeighbour`` where SQLite would read another file than this one with its log, as a gateway that serves
    ///   it does; ``ReadModelError`` or what copying throws.
    package init(_ file: URL) throws {
        try DatabaseNeighbours.check(file)
        let place = FileManager.default.temporaryDirectory
            .appending(path: "daybook-copy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: place,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let target = place.appending(path: "copy.sqlite")
        for _ in 0..<Self.attempts {
            let before = try Self.state(file)
            try Self.copy(file, to: target)
            guard try Self.state(file) == before else { continue }
            (path, isInPlace, folder) = (target.path, false, place)
            return
        }
        (path, isInPlace, folder) = (file.path, true, place)
    }

    deinit {
        guard let folder else { return }
        // A scratch folder that stays behind is the system's to clean up.
        _ = try? FileManager.default.removeItem(at: folder)
    }

    /// Size and time of the file and of its log.
    private static func state(_ file: URL) throws -> [Int] {
        try ["", "-wal"].flatMap { suffix -> [Int] in
            var found = stat()
            guard stat(file.path + suffix, &found) == 0 else {
                guard errno == ENOENT else {
                    throw ReadModelError.unreadable(String(cString: strerror(errno)))
                }
                return [-1]
            }
            return [found.st_mtim.tv_sec, found.st_mtim.tv_nsec, Int(found.st_size)]
        }
    }

    private static func copy(_ file: URL, to target: URL) throws {
        for suffix in ["", "-wal"] {
            let source = file.path + suffix
            let copy = URL(filePath: target.path + suffix)
            if FileManager.default.fileExists(atPath: copy.path) {
                try FileManager.default.removeItem(at: copy)
            }
            guard FileManager.default.fileExists(atPath: source) else { continue }
            // Read and written, so that the copy is the reader's own whoever owns the file.
            try Data(contentsOf: URL(filePath: source), options: .mappedIfSafe).write(to: copy)
        }
    }
}
