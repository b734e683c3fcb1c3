// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How much room the file system has left, asked at most once a second.
struct FreeSpace {
    private let path: String
    private let bytesMin: Int
    private var asked: ContinuousClock.Instant?
    private var bytes = Int.max

    init(folder: URL, bytesMin: Int) {
        path = folder.path
        self.bytesMin = bytesMin
    }

    /// The free bytes if they are fewer than the limit, otherwise `nil`.
    mutating func shortage() -> Int? {
        if asked.map({ .now - $0 >= .seconds(1) }) ?? true {
            asked = .now
            var info = statvfs()
            bytes = statvfs(path, &info) == 0 ? Int(info.f_bavail) * Int(info.f_frsize) : .max
        }
        return bytes < bytesMin ? bytes : nil
    }
}
