// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import Threads

/// The folders of recordings: claims names in them, on a thread of its own, for that blocks.
actor ArchiveFolder {
    nonisolated let volumes: Volumes
    private let thread = DedicatedThread(name: "archive-folder")

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ volumes: Volumes) {
        self.volumes = volumes
    }

    /// Creates the folders where they are missing and nothing speaks against it.
    func prepare() throws {
        for volume in volumes.all where volume.room.fault == nil {
            try FileManager.default.createDirectory(
                at: volume.folder,
                withIntermediateDirectories: true
            )
        }
    }

    /// Creates the file of a recording under the first free name (ruling 23), on the volume with most room.
    ///
    /// - Parameters:
    ///   - start: When the stream starts.
    ///   - timeZone: The site's.
    ///   - owner: The operator, or `0` while nobody has claimed the session.
    ///   - taken: Names that are not free, though no file has them any more.
    /// - Returns: The path below its volume.
    /// - Throws: ``RecordingError`` when no file can be made; ``ArchiveError`` where no volume takes any.
    func claim(
        start: Date,
        timeZone: TimeZone,
        owner: String,
        except taken: Set<String>
    ) throws -> String {
        // Operators' ids may hold characters that a file name of the source's form may not.
        let speakable = owner.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        let name = try RecordingName(
            start: start,
            timeZone: timeZone,
            owner: String(String(speakable).prefix(64))
        )
        let volume = try volumes.forNew().folder
        var taken = taken
        while true {
            let file = try name.claim(in: volume.path, except: taken)
            let others = volumes.all.map(\.folder).filter { $0 != volume }
            guard
                others.contains(where: {
                    FileManager.default.fileExists(atPath: $0.appending(path: file).path)
                })
            else { return file }
            // Another volume has a recording of that name, which the log need not know yet.
            taken.insert(file)
            _ = try DurableFile.remove(volume.appending(path: file))
        }
    }

    /// Takes an empty file away whose stream did not start after all.
    func discard(_ file: String) throws {
        let full = volumes.path(of: file)
        let size = try FileManager.default.attributesOfItem(atPath: full)[.size] as? Int
        guard size == 0 else { return }
        try FileManager.default.removeItem(atPath: full)
    }
}
