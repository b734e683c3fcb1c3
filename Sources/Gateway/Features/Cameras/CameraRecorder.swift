// SPDX-License-Identifier: Apache-2.0
import Commands
import Crypto
import Events
import Foundation
import Media
import NIOCore
import Threads

/// Keeps the footage of one camera: a file an hour, a cluster a second, an event a minute.
///
/// **Promise**: a minute in the log is synced to its file before. What a crash leaves is taken up by ``recover()``: the seal in each
/// cluster vouches for it.
actor CameraRecorder {
    nonisolated let camera: CameraID
    private let ledger: Ledger
    private let folder: FootageFolder
    private let room: ArchiveRoom
    private let signals: Signals<CameraID>
    private let thread: DedicatedThread

    private var file: OpenFile?
    private var cutter = ClusterCutter()
    /// When the stream's picture at time 0 was taken.
    private var zero: Timestamp?

    private struct OpenFile {
        let name: FootageName
        let writer: RecordingWriter
        /// The part of the file into which the stream goes, and how many bytes of it came.
        var part: UInt32
        var offset: UInt64 = 0
        /// How many of its clusters the log has.
        var logged: Int

        var unlogged: ArraySlice<ArchivedChunk> { writer.chunks.dropFirst(logged) }
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(
        _ camera: CameraID,
        ledger: Ledger,
        folder: FootageFolder,
        room: ArchiveRoom,
        signals: Signals<CameraID>,
        thread: DedicatedThread
    ) {
        self.camera = camera
        self.ledger = ledger
        self.folder = folder
        self.room = room
        self.signals = signals
        self.thread = thread
    }

    /// How far ahead of the ledger's clock pictures may be: files are named by their hours, and one of tomorrow would end today's.
    private static let aheadMax = Duration.seconds(10)

    // MARK: - The stream

    /// A new stream begins.
    func begin(at zero: Timestamp) {
        // The reader has a clock of its own, the ledger's is the one that counts.
        (cutter, self.zero) = (ClusterCutter(), min(zero, ledger.now))
    }

    /// Takes bytes of the stream.
    ///
    /// - Throws: `WebMError`, `RecordingError`, ``ArchiveError``, ``FutureFootage``, and what keeps a minute out of the log.
    func take(_ bytes: ByteBuffer) async throws {
        guard let zero else { return }
        for piece in try cutter.push(bytes.readableBytesView) {
            switch piece {
            case .cluster(let milliseconds):
                let time = Timestamp(microseconds: zero.microseconds &+ milliseconds &* 1_000)
                guard time <= ledger.now + Self.aheadMax else { throw FutureFootage(time: time) }
                try await beginCluster(at: time)
            case .bytes(let bytes): try put(bytes)
            }
        }
    }

    /// The stream has ended: what came of it is written and logged.
    func end() async throws {
        guard file != nil else { return }
        try endPart()
        try await logMinutes()
        file = nil
        zero = nil
    }

    private func beginCluster(at time: Timestamp) async throws {
        try room.check()
        if let file {
            // The cluster before it came whole.
            _ = try file.writer.flush()
            signals.raise(camera)
            if FootageName(camera, at: time) != file.name {
                try await end(of: file)
            } else if let first = file.unlogged.first,
                minute(of: first, in: file.name) != minute(of: time)
            {
                try await logMinutes()
            }
        }
        if file == nil { try begin(FootageName(camera, at: time), at: time) }
    }

    private func put(_ bytes: [UInt8]) throws {
        guard var file else { return }
        _ = try file.writer.accept(bytes, part: file.part, offset: file.offset)
        file.offset += UInt64(bytes.count)
        self.file = file
    }

    private func begin(_ name: FootageName, at time: Timestamp) throws {
        let newest = try ledger.handler.current(Camera.self, camera).newest
        let end = newest?.file == name.path ? newest.map { $0.offset + $0.length } ?? 0 : 0
        let writer = try folder.open(name, vouched: UInt64(end))
        let part = (writer.progress.keys.max() ?? 0) + 1
        let placement = PartPlacement.live(atMilliseconds: name.milliseconds(at: time))
        _ = try writer.begin(part: part, placement: placement)
        file = OpenFile(
            name: name,
            writer: writer,
            part: part,
            logged: writer.chunks.prefix { $0.end <= UInt64(end) }.count
        )
        try put(cutter.head)
    }

    private func endPart() throws {
        guard let file else { return }
        _ = try file.writer.end(part: file.part)
        signals.raise(camera)
    }

    private func end(of old: OpenFile) async throws {
        try endPart()
        try await logMinutes()
        file = nil
    }

    // MARK: - The log

    /// Takes up what a crash left: clusters that are in files and not in the log.
    func recover() async throws {
        let newest = try await ledger.handler.settled(Camera.self, camera).newest
        let known = newest.flatMap { FootageName($0.file) }
        for name in try folder.files(of: camera, from: known) {
            let end = newest?.file == name.path ? newest.map { $0.offset + $0.length } ?? 0 : 0
            let writer = try folder.open(name, vouched: UInt64(end))
            file = OpenFile(
                name: name,
                writer: writer,
                part: 0,
                logged: writer.chunks.prefix { $0.end <= UInt64(end) }.count
            )
            try await logMinutes()
            file = nil
        }
    }

    /// Records the clusters that are on disk and not in the log, minute by minute.
    private func logMinutes() async throws {
        while let open = file, let first = open.unlogged.first {
            let minute = minute(of: first, in: open.name)
            let chunks = open.unlogged.prefix { self.minute(of: $0, in: open.name) == minute }
            try await record(.of(chunks, in: open.name))
            file?.logged += chunks.count
        }
    }

    private func record(_ minute: CameraMinuteArchived) async throws {
        guard let organisation = try ledger.handler.current(Camera.self, camera).organisation else {
            return
        }
        let context = ledger.context(actor: .cameras, organisation: organisation)
        _ = try await ledger.handler.handle(ArchiveMinute(camera, minute), context)
    }

    private func minute(of chunk: ArchivedChunk, in name: FootageName) -> Int64 {
        minute(of: name.time(atMilliseconds: chunk.firstMilliseconds))
    }

    private func minute(of time: Timestamp) -> Int64 { time.microseconds / 60_000_000 }
}

/// Pictures are said to be of a time that has not come.
struct FutureFootage: Error, CustomStringConvertible {
    let time: Timestamp

    var description: String {
        "pictures of \(time) came, which is still to come; reading begins again"
    }
}

extension CameraMinuteArchived {
    /// What the log says of clusters that lie behind each other in a file.
    fileprivate static func of(
        _ chunks: ArraySlice<ArchivedChunk>,
        in name: FootageName
    ) -> CameraMinuteArchived {
        var digest = SHA256()
        var missing: Int64 = 0
        var last: Int64?
        for chunk in chunks {
            digest.update(data: Array(chunk.sha256.utf8))
            let hole = last.map { chunk.firstMilliseconds - $0 } ?? 0
            if hole * 1_000 >= holeMicrosecondsMin { missing += hole }
            last = chunk.lastMilliseconds
        }
        let (offset, end) = (chunks.first?.offset ?? 0, chunks.last?.end ?? 0)
        return CameraMinuteArchived(
            file: name.path,
            offset: Int(offset),
            length: Int(end - offset),
            clusters: chunks.count,
            frames: chunks.reduce(0) { $0 + $1.frames },
            digest: SHA256Digest(bytes: Array(digest.finalize())),
            firstAt: name.time(atMilliseconds: chunks.first?.firstMilliseconds ?? 0),
            lastAt: name.time(atMilliseconds: last ?? 0),
            missingMilliseconds: Int(missing)
        )
    }
}

extension Actor {
    /// Who records what cameras give.
    static let cameras = Actor.policy("cameras")
}
