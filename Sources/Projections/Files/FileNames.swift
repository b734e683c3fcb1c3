// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Which files lay under the names of a database when it was opened.
///
/// An open file lives on when its name is removed, or given to another file; what SQLite writes then is lost, or lies
/// beside what others read.
struct FileNames: Sendable {
    private struct Mark: Equatable {
        let device: dev_t
        let number: ino_t

        init?(_ path: String) {
            var facts = stat()
            guard stat(path, &facts) == 0 else { return nil }
            device = facts.st_dev
            number = facts.st_ino
        }
    }

    private let marks: [String: Mark]

    /// Looks at a database and the files that stand beside it now.
    init(ofDatabase path: String) {
        marks = Self.suffixes.reduce(into: [:]) { $0[path + $1] = Mark(path + $1) }
    }

    /// Whether each name still stands for the file that it stood for.
    var hold: Bool { marks.allSatisfy { Mark($0.key) == $0.value } }

    private static let suffixes = ["", "-wal", "-shm"]
}
