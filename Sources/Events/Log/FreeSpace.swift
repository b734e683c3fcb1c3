// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How much room the log has left: on the disk, asked at most once a second, or in the map, whichever is less.
struct FreeSpace {
    private let path: String
    private let bytesMin: Int
    private var asked: ContinuousClock.Instant?
    private var diskBytes = Int.max

    init(folder: URL, bytesMin: Int) {
        path = folder.path
        self.bytesMin = bytesMin
    }

    /// Asks whether there is too little room.
    ///
    /// - Parameter mapBytes: What the map can still take.
    /// - Returns: The room if it is less than the limit, otherwise `nil`.
    mutating func shortage(mapBytes: Int) -> Int? {
        if asked.map({ .now - $0 >= .seconds(1) }) ?? true {
            asked = .now
            var info = statvfs()
            diskBytes =
                statvfs(path, &info) == 0 ? Int(info.f_bavail) * Int(info.f_frsize) : .max
        }
        let bytes = min(diskBytes, mapBytes)
        return bytes < bytesMin ? bytes : nil
    }
}
