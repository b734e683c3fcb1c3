// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The name of a recording's file: `2015-04-21-13-11-123456789.webm`.
///
/// Year to minute are in the site's zone; then the operator, or `0` while nobody has claimed the session.
/// The name never changes.
public struct RecordingName: Hashable, Sendable {
    private let stem: String

    /// Names a recording.
    ///
    /// - Parameters:
    ///   - start: When the stream started.
    ///   - timeZone: The site's zone.
    ///   - owner: The operator's number; `0` for nobody yet.
    /// - Throws: ``RecordingError/invalidName(_:)`` when the owner cannot be part of a file name.
    public init(start: Date, timeZone: TimeZone = .gmt, owner: String = "0") throws(RecordingError)
    {
        let allowed = owner.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard allowed, (1...64).contains(owner.utf8.count) else {
            throw .invalidName(String(owner.prefix(64)))
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: start)
        let numbers = [
            (parts.year, 4), (parts.month, 2), (parts.day, 2), (parts.hour, 2), (parts.minute, 2),
        ]
        let digits = numbers.map { number, width in
            let text = String(number ?? 0)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        stem = digits.joined(separator: "-") + "-" + owner
    }

    /// The folder within the archive: `2015/04`.
    public var folder: String { stem.split(separator: "-").prefix(2).joined(separator: "/") }

    /// The file's name on the given try, from 1: the second has `-2` behind the owner.
    public func file(attempt: Int = 1) -> String {
        stem + (attempt == 1 ? "" : "-\(attempt)") + ".webm"
    }

    /// Creates the empty file under the first free name, and makes that name durable.
    ///
    /// Blocks.
    ///
    /// - Parameters:
    ///   - archive: The archive's folder; it and the folders below are created where missing.
    ///   - taken: Names that are not free, though no file has them any more.
    /// - Throws: ``RecordingError`` when a folder or the file cannot be made.
    /// - Returns: The path below the archive: `2015/04/2015-04-21-13-11-123456789.webm`.
    public func claim(
        in archive: String,
        except taken: Set<String> = []
    ) throws(RecordingError) -> String {
        let below = archive + "/" + folder
        do {
            try FileManager.default.createDirectory(
                atPath: below,
                withIntermediateDirectories: true
            )
        } catch {
            throw .storage("creating the folder", path: below, code: errno)
        }
        for attempt in 1...MediaLimits.namesakesMax
        where !taken.contains(folder + "/" + file(attempt: attempt)) {
            let path = below + "/" + file(attempt: attempt)
            let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o640)
            if descriptor < 0, errno == EEXIST { continue }
            guard descriptor >= 0 else { throw .storage("creating", path: path, code: errno) }
            close(descriptor)
            for made in [below, below + "/..", archive] { try synchronizeFolder(made) }
            return folder + "/" + file(attempt: attempt)
        }
        throw .namesTaken(path: below + "/" + file())
    }
}
