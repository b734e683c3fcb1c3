// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Media
import Threads

/// The name of a file of footage: `cameras/ID/2026-11-28/13.webm`, by the hour in UTC.
struct FootageName: Sendable, Hashable {
    let camera: CameraID
    /// The hour's beginning, which is 0 on the file's timeline.
    let hour: Timestamp

    private static let hourMicroseconds: Int64 = 3_600_000_000

    /// The file in which pictures of a time stand.
    init(_ camera: CameraID, at time: Timestamp) {
        self.camera = camera
        let microseconds = time.microseconds
        hour = Timestamp(microseconds: microseconds - microseconds % Self.hourMicroseconds)
    }

    /// Reads a path; `nil` for one that names no file of footage.
    init?(_ path: String) {
        let parts = path.split(separator: "/")
        guard parts.count == 4, parts[0] == "cameras", let camera = CameraID(String(parts[1])),
            let hour = Timestamp("\(parts[2])T\(parts[3].prefix(2)):00:00.000000Z")
        else { return nil }
        (self.camera, self.hour) = (camera, hour)
        guard self.path == path else { return nil }
    }

    /// Below the media folder.
    var path: String {
        let text = "\(hour)"
        return "\(folder)/\(text.dropFirst(11).prefix(2)).webm"
    }

    var folder: String { "cameras/\(camera)/\("\(hour)".prefix(10))" }

    /// A time on the file's timeline.
    func milliseconds(at time: Timestamp) -> Int64 {
        (time.microseconds - hour.microseconds) / 1_000
    }

    func time(atMilliseconds milliseconds: Int64) -> Timestamp {
        Timestamp(microseconds: hour.microseconds + milliseconds * 1_000)
    }
}

/// Where footage lies, and what vouches for it before the log does.
struct FootageFolder: Sendable {
    let volumes: Volumes
    let keys: RecordingKeys

    func seal(of name: FootageName) -> RecordingSeal {
        RecordingSeal(key: keys.key(ofFootage: name.path))
    }

    func fullPath(of name: FootageName) -> String { volumes.path(of: name.path) }

    /// Throws while no volume is there.
    func check() throws(ArchiveError) {
        if let fault = volumes.fault { throw .away(fault) }
    }

    /// The files of a camera from an hour on, in the order of time.
    func files(of camera: CameraID, from first: FootageName?) throws -> [FootageName] {
        try check()
        let own = "cameras/\(camera)"
        let days = try list(own).filter { day in first.map { "\(own)/\(day)" >= $0.folder } ?? true
        }
        return try days.sorted().flatMap { day in
            try list("\(own)/\(day)").compactMap { FootageName("\(own)/\(day)/\($0)") }
        }.filter { name in first.map { name.hour >= $0.hour } ?? true }
            .sorted { $0.hour < $1.hour }
    }

    private func list(_ folder: String) throws -> [String] {
        var names: Set<String> = []
        for volume in volumes.all where volume.room.fault == nil {
            let full = volume.folder.appending(path: folder).path
            guard FileManager.default.fileExists(atPath: full) else { continue }
            names.formUnion(try FileManager.default.contentsOfDirectory(atPath: full))
        }
        return Array(names)
    }

    /// Opens a file for writing; makes it where it is missing.
    ///
    /// - Parameters:
    ///   - name: Which one.
    ///   - vouched: The byte up to which the log has it.
    /// - Returns: Its writer.
    /// - Throws: `RecordingError`; what the folder's check throws.
    func open(_ name: FootageName, vouched: UInt64) throws -> RecordingWriter {
        try check()
        // What the log has of it may lie where nobody can look; it goes on there.
        if vouched > 0 { try volumes.check(name.path) }
        let full: String
        if let found = volumes.place(of: name.path) {
            full = found.path
        } else {
            let volume = try volumes.forNew().folder
            full = volume.appending(path: name.path).path
            try FileManager.default.createDirectory(
                at: volume.appending(path: name.folder),
                withIntermediateDirectories: true
            )
            let descriptor = Foundation.open(full, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw RecordingError.storage("opening", path: full, code: errno)
            }
            close(descriptor)
        }
        return try RecordingWriter.open(
            full,
            seal: seal(of: name),
            start: Date(timeIntervalSince1970: Double(name.hour.microseconds) / 1_000_000),
            vouched: vouched
        ).writer
    }

    /// Removes a file; one that is not there is removed already.
    func remove(_ name: FootageName) throws {
        if let fault = volumes.away.first { throw ArchiveError.away(fault) }
        for volume in volumes.all {
            let full = volume.folder.appending(path: name.path).path
            guard unlink(full) == 0 || errno == ENOENT else {
                throw RecordingError.storage("removing", path: full, code: errno)
            }
        }
    }
}

/// Reads a file of footage for viewers, while it grows or afterwards: only clusters that carry the file's seal.
actor FootageReader {
    nonisolated let name: FootageName
    private let folder: FootageFolder
    private let thread: DedicatedThread
    private var reader: RecordingReader?

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ name: FootageName, in folder: FootageFolder, thread: DedicatedThread) {
        (self.name, self.folder, self.thread) = (name, folder, thread)
    }

    /// Its clusters, as far as it has grown.
    ///
    /// - Throws: ``RecordingFileFault/missing``; `RecordingError`.
    func chunks() throws -> [ChunkPlace] {
        if let reader {
            try reader.refresh()
            return reader.chunks
        }
        try folder.check()
        let path = folder.fullPath(of: name)
        guard FileManager.default.fileExists(atPath: path) else { throw RecordingFileFault.missing }
        let fresh = try RecordingReader(path: path)
        reader = fresh
        return fresh.chunks
    }

    /// What a player needs before any cluster; `nil` before the first.
    func initialisation() throws -> [UInt8]? {
        _ = try chunks()
        return reader?.initialisation
    }

    /// The bytes of a cluster.
    ///
    /// - Throws: ``RecordingFileFault/changed(_:)`` where they are not what was archived.
    func cluster(_ chunk: ChunkPlace) throws -> [UInt8] {
        guard let reader else { throw RecordingFileFault.missing }
        guard let bytes = try reader.cluster(chunk, sealedBy: folder.seal(of: name)) else {
            throw RecordingFileFault.changed(chunk.bytes)
        }
        return bytes
    }
}
