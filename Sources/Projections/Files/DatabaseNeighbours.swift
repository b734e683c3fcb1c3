// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Why a file of SQLite is not to be read as it lies there: SQLite would read another one, or lay something over it.
///
/// Our files are written with a write-ahead log, under names of their own. SQLite follows a link to the file that it names, and
/// to the log beside that; and it plays a journal into the file whose name it bears, before anything else. Neither is ours.
package struct ForeignNeighbour: Error, Hashable, CustomStringConvertible {
    package let description: String
}

/// What lies beside a file of SQLite.
package enum DatabaseNeighbours {
    /// Looks at a file, and at what lies beside it.
    ///
    /// - Throws: ``ForeignNeighbour``.
    package static func check(_ file: URL) throws(ForeignNeighbour) {
        try checkKind(file)
        let journal = journal(of: file)
        guard kind(journal) == nil else {
            throw ForeignNeighbour(
                description:
                    "\(journal.lastPathComponent) lies beside it, which SQLite would play into it, and nothing of ours leaves one"
            )
        }
    }

    /// Checks that a file, and its log, are files of their own, and no links.
    ///
    /// - Throws: ``ForeignNeighbour``.
    package static func checkKind(_ file: URL) throws(ForeignNeighbour) {
        for part in [file, URL(filePath: file.path + "-wal")] {
            guard let kind = kind(part), kind != S_IFREG else { continue }
            let words = kind == S_IFLNK ? "a link, and must be the file itself" : "no file"
            throw ForeignNeighbour(description: "\(part.lastPathComponent) is \(words)")
        }
    }

    /// Moves a journal away, so that nothing plays it into the file.
    ///
    /// - Returns: Where it is now; `nil` if there was none.
    package static func setJournalAside(of file: URL) throws -> URL? {
        let journal = journal(of: file)
        guard kind(journal) != nil else { return nil }
        let aside = URL(filePath: "\(journal.path).foreign-\(UUID().uuidString.lowercased())")
        try FileManager.default.moveItem(at: journal, to: aside)
        return aside
    }

    private static func journal(of file: URL) -> URL { URL(filePath: file.path + "-journal") }

    /// What is there, links themselves and not what they name; `nil` for nothing.
    private static func kind(_ file: URL) -> mode_t? {
        var found = stat()
        guard lstat(file.path, &found) == 0 else { return nil }
        return found.st_mode & S_IFMT
    }
}
