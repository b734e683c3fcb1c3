// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import Threads

/// The folder of recordings: claims names in it, on a thread of its own, for that blocks.
actor ArchiveFolder {
    /// Its path.
    nonisolated let path: String
    private let thread = DedicatedThread(name: "archive-folder")

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(path: String) {
        self.path = path
    }

    /// Creates the folder where it is missing.
    func prepare() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Creates the file of a recording under the first free name (ruling 23).
    ///
    /// - Parameters:
    ///   - start: When the stream starts.
    ///   - timeZone: The site's.
    ///   - owner: The operator, or `0` while nobody has claimed the session.
    ///   - taken: Names that are not free, though no file has them any more.
    /// - Returns: The path below the folder.
    /// - Throws: ``RecordingError`` when no file can be made.
    func claim(
        start: Date,
        timeZone: TimeZone,
        owner: String,
        except taken: Set<String>
    ) throws(RecordingError) -> String {
        // Operators' ids may hold characters that a file name of the source's form may not.
        let speakable = owner.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        let name = try RecordingName(
            start: start,
            timeZone: timeZone,
            owner: String(String(speakable).prefix(64))
        )
        return try name.claim(in: path, except: taken)
    }

    /// Takes an empty file away whose stream did not start after all.
    func discard(_ file: String) throws {
        let full = path + "/" + file
        let size = try FileManager.default.attributesOfItem(atPath: full)[.size] as? Int
        guard size == 0 else { return }
        try FileManager.default.removeItem(atPath: full)
    }
}
