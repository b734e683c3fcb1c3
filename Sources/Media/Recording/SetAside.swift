// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Bytes that stood behind the last chunk of a recording and that nobody vouches for, in a file beside it.
///
/// They may be somebody else's, what a disk made of a power cut, or what an older version wrote, which sealed nothing.
/// Somebody has to look at them, so they are kept.
public struct SetAside: Hashable, Sendable {
    /// The file's path: that of the recording, and ``mark`` with a number.
    public let path: String
    public let bytes: UInt64

    /// What stands between the name of a recording and the number of what was set aside of it.
    public static let mark = ".set-aside-"

    /// The recording that a file was set aside of; `nil` for one that was not.
    public static func recording(of file: String) -> String? {
        guard let found = file.range(of: mark, options: .backwards),
            Int(file[found.upperBound...]) != nil
        else { return nil }
        return String(file[..<found.lowerBound])
    }

    /// What was set aside of a recording, as paths; nothing where its folder cannot be read.
    ///
    /// Blocks.
    public static func files(of recording: String) -> [String] {
        let folder = URL(filePath: recording).deletingLastPathComponent()
        let name = URL(filePath: recording).lastPathComponent
        let all = FileManager.default.enumerator(atPath: folder.path)
        return (all?.compactMap { $0 as? String } ?? [])
            .filter { Self.recording(of: $0) == name }.sorted()
            .map { folder.appending(path: $0).path }
    }
}

extension ArchiveFile {
    /// Moves what stands behind a place into a new file beside this one; returns once both are on the disk.
    ///
    /// A crash in between leaves the bytes in both, never in none.
    func setAside(from start: UInt64) throws(RecordingError) -> SetAside {
        let bytes = try size() - start
        let aside = try claimAside()
        do {
            try copy(bytes, from: start, to: aside)
        } catch {
            // Half a copy is of no use, and the next try makes another.
            unlink(aside)
            throw error
        }
        try truncate(to: start)
        return SetAside(path: aside, bytes: bytes)
    }

    private func copy(
        _ bytes: UInt64,
        from start: UInt64,
        to aside: String
    ) throws(RecordingError) {
        let copy = try ArchiveFile(aside, .write)
        var done: UInt64 = 0
        while done < bytes {
            let count = Int(min(1 << 20, bytes - done))
            try copy.write(try read(at: start + done, count: count), at: done)
            done += UInt64(count)
        }
        try copy.synchronizeData()
        try synchronizeFolder(URL(filePath: path).deletingLastPathComponent().path)
    }

    private func claimAside() throws(RecordingError) -> String {
        for attempt in 1...MediaLimits.namesakesMax {
            let aside = path + SetAside.mark + String(attempt)
            let descriptor = open(aside, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o640)
            if descriptor < 0, errno == EEXIST { continue }
            guard descriptor >= 0 else { throw .storage("creating", path: aside, code: errno) }
            close(descriptor)
            return aside
        }
        throw .namesTaken(path: path + SetAside.mark)
    }
}
