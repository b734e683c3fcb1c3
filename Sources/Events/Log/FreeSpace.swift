// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How much a process without special rights may still write to a disk.
package enum DiskRoom {
    /// Nobody could say how much room there is; whoever counts on it has none.
    package struct Unknown: Error, Hashable, CustomStringConvertible {
        /// Below what it was asked.
        package let path: String
        /// The number of the system's error.
        package let code: Int32

        package init(path: String, code: Int32) {
            (self.path, self.code) = (path, code)
        }

        package var description: String {
            "how much room \(path) has cannot be told: \(String(cString: strerror(code)))"
        }
    }

    /// Asks the system for the free bytes below a path that new files can have.
    ///
    /// - Returns: 0 also where there is room and no inode: no file can be made any more.
    /// - Throws: ``Unknown``, also for a path that is not there.
    package static func bytesOfFiles(below path: String) throws(Unknown) -> Int64 {
        let status = try status(of: path)
        // A file system that makes inodes as it needs them tells of none.
        return status.f_files > 0 && status.f_favail == 0 ? 0 : bytes(status)
    }

    /// How many bytes are free, for people.
    package static func words(_ bytes: Int64) -> String {
        bytes > 0 ? "\(bytes >> 20) MiB are free" : "no byte is free, or no inode (df -i)"
    }

    /// Asks the system for the free bytes below a path.
    ///
    /// - Throws: ``Unknown``, also for a path that is not there.
    package static func bytes(below path: String) throws(Unknown) -> Int64 {
        bytes(try status(of: path))
    }

    private static func status(of path: String) throws(Unknown) -> statvfs {
        var status = statvfs()
        while statvfs(path, &status) != 0 {
            let code = errno
            guard code == EINTR else { throw Unknown(path: path, code: code) }
        }
        return status
    }

    private static func bytes(_ status: statvfs) -> Int64 {
        let (bytes, isTooMany) = UInt64(status.f_bavail)
            .multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isTooMany ? .max : Int64(clamping: bytes)
    }
}

/// How much room the log has left: on the disk, asked at most once a second, or in the map, whichever is less.
struct FreeSpace {
    private let path: String
    private let bytesMin: Int
    private var asked: ContinuousClock.Instant?
    private var diskBytes: Int? = .max

    /// That there is too little room.
    struct Shortage: Hashable {
        /// What is left; `nil` if nobody can say.
        let bytes: Int?
    }

    init(folder: URL, bytesMin: Int) {
        path = folder.path
        self.bytesMin = bytesMin
    }

    /// Asks whether there is too little room; room that nobody can tell is none.
    ///
    /// - Parameter mapBytes: What the map can still take.
    /// - Returns: The room if it is less than the limit, otherwise `nil`.
    mutating func shortage(mapBytes: Int) -> Shortage? {
        if asked.map({ .now - $0 >= .seconds(1) }) ?? true {
            asked = .now
            do {
                diskBytes = Int(clamping: try DiskRoom.bytes(below: path))
            } catch {
                // Whoever watches over the disk says why.
                diskBytes = nil
            }
        }
        guard min(diskBytes ?? 0, mapBytes) < bytesMin else { return nil }
        return Shortage(bytes: diskBytes.map { min($0, mapBytes) })
    }
}
