// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// Copies files of recordings and pictures, which may be large and may grow meanwhile.
enum FileCopy {
    private static let blockBytes = 1 << 20

    /// Copies what a file has now, and when it was written.
    ///
    /// What is added meanwhile is not copied. Returns once the bytes are on disk; the name is, once its folder was synced.
    ///
    /// - Parameters:
    ///   - source: A file.
    ///   - target: One that is not there yet; folders above it are made.
    /// - Throws: ``FileFault``; the target is removed then.
    static func copy(_ source: URL, to target: URL) throws {
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let from = open(source.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        try check(from >= 0, "open", source)
        defer { close(from) }
        var facts = stat()
        try check(fstat(from, &facts) == 0, "stat", source)
        let to = open(target.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, facts.st_mode & 0o777)
        try check(to >= 0, "open", target)
        defer { close(to) }
        do {
            try copy(from, source, to, target, bytes: Int(facts.st_size))
            try check(fsync(to) == 0, "fsync", target)
            var times = [facts.st_atim, facts.st_mtim]
            try check(futimens(to, &times) == 0, "time", target)
        } catch {
            unlink(target.path)
            throw error
        }
    }

    private static func copy(
        _ from: Int32,
        _ source: URL,
        _ to: Int32,
        _ target: URL,
        bytes: Int
    ) throws {
        var block = [UInt8](repeating: 0, count: blockBytes)
        var left = bytes
        while left > 0 {
            let count = read(from, &block, min(left, blockBytes))
            if count < 0, errno == EINTR { continue }
            try check(count >= 0, "read", source)
            guard count > 0 else { return }
            var done = 0
            while done < count {
                let written = block.withUnsafeBytes { bytes in
                    write(
                        to,
                        UnsafeRawBufferPointer(rebasing: bytes[done..<count]).baseAddress,
                        count - done
                    )
                }
                if written < 0, errno == EINTR { continue }
                try check(written > 0, "write", target)
                done += written
            }
            left -= count
        }
    }

    /// Returns once the names in a folder, and in all below it, are on disk.
    static func syncFolders(below folder: URL) throws {
        try DurableFile.syncFolder(folder)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let place = folder.appending(path: name)
            var facts = stat()
            guard lstat(place.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
                continue
            }
            try syncFolders(below: place)
        }
    }

    /// Whether two files have the same length and were written at the same time, as a copy was.
    static func isSame(_ one: URL, _ other: URL) -> Bool {
        var (first, second) = (stat(), stat())
        guard lstat(one.path, &first) == 0, lstat(other.path, &second) == 0 else { return false }
        return first.st_size == second.st_size
            && first.st_mtim.tv_sec == second.st_mtim.tv_sec
            && first.st_mtim.tv_nsec == second.st_mtim.tv_nsec
    }

    /// The files below a folder, by their names below it, without those of work under way.
    ///
    /// - Parameters:
    ///   - folder: One that may be missing.
    ///   - withMarks: Whether the marks of ``MarkedFolder`` count.
    /// - Returns: The names, sorted.
    /// - Throws: ``FileFault`` where it cannot be listed.
    static func names(below folder: URL, withMarks: Bool = false) throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        guard let all = FileManager.default.enumerator(atPath: folder.path) else {
            throw FileFault(call: "list", path: folder.path, code: errno)
        }
        var names: [String] = []
        for case let name as String in all
        where all.fileAttributes?[.type] as? FileAttributeType == .typeRegular {
            let last = name.split(separator: "/").last ?? ""
            guard !last.hasPrefix("."), withMarks || name != LedgerFolder.identityName else {
                continue
            }
            names.append(name)
        }
        return names.sorted()
    }

    private static func check(_ isDone: Bool, _ call: String, _ file: URL) throws(FileFault) {
        guard isDone else { throw FileFault(call: call, path: file.path, code: errno) }
    }
}
