// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Logging
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise9), .timeLimit(.minutes(10))) struct `Inspecting what arrives` {
    /// The tool that the package builds beside its tests.
    private func worker() throws -> InspectionService.Worker {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return InspectionService.Worker(
            executable: URL(filePath: own).deletingLastPathComponent()
                .appending(path: "daybook-media").path
        )
    }

    private var limits: ArchiveLimits {
        var limits = ArchiveLimits()
        limits.inspectionDelay = .milliseconds(200)
        return limits
    }

    private func service(
        _ scene: ArchiveScene,
        _ archive: Archive,
        worker: InspectionService.Worker
    ) -> InspectionService {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return InspectionService(
            archive: archive,
            blobs: BlobFolder(path: scene.folder.url.appending(path: "blobs"), keys: scene.keys),
            worker: worker,
            logger: logger
        )
    }

    private func findings(_ scene: ArchiveScene, _ stream: StreamID) throws
        -> [StreamChunksInspected]
    {
        try scene.events(of: stream).compactMap {
            if case .chunksInspected(let event) = $0 { event } else { nil }
        }
    }

    @Test func `reports every chunk once and in order, goes on after a restart, keeps pictures`()
        async throws
    {
        let scene = try await ArchiveScene(limits: limits)
        let stream = try await scene.stream().stream
        let parts = try Videos.parts()
        try await scene.archive.recording(of: stream).send(parts[0], part: 0)
        _ = try await scene.archive.recording(of: stream).end(part: 0)
        try await untilAllInspected(scene, scene.archive, stream)
        let first = try scene.chunks(of: stream).count
        // The gateway is started again while more has come that nobody looked at.
        for part in 1...2 {
            try await scene.archive.recording(of: stream).send(parts[part], part: UInt32(part))
            _ = try await scene.archive.recording(of: stream).end(part: UInt32(part))
        }
        try await scene.archive.recording(of: stream).close()
        let archive = scene.archiveAnew(limits: limits)
        try await untilAllInspected(scene, archive, stream)
        let findings = try findings(scene, stream)
        let chunks = try scene.chunks(of: stream)
        #expect(findings.flatMap { Array($0.firstChunk...$0.lastChunk) } == Array(0..<chunks.count))
        #expect(findings.contains { $0.firstChunk == first })
        #expect(findings.reduce(0) { $0 + $1.frames } == 150)
        #expect(findings.allSatisfy { $0.outcome == .decoded && $0.undecodable == 0 })
        let digest = try #require(findings.first?.thumbnail)
        let blobs = BlobFolder(path: scene.folder.url.appending(path: "blobs"), keys: scene.keys)
        let picture = try #require(try await blobs.open(digest, of: scene.caller))
        #expect(picture.starts(with: [0xFF, 0xD8, 0xFF]))
    }

    @Test
    func `keeps no picture where that would take the log's room, nor where nobody can tell it`()
        async throws
    {
        let scene = try await ArchiveScene(limits: limits)
        let path = scene.folder.url.appending(path: "few")
        for room in [Int64(LogLimits.freeBytesMin) - 1, nil] {
            let blobs = BlobFolder(
                path: path,
                keys: scene.keys,
                free: {
                    guard let room else { throw DiskRoom.Unknown(path: path.path, code: EIO) }
                    return room
                }
            )
            await #expect(throws: StartError.self) {
                _ = try await blobs.hold([1, 2, 3], for: scene.caller)
            }
        }
        let left = try FileManager.default.subpathsOfDirectory(atPath: path.path)
        #expect(left.allSatisfy { !$0.contains(/[0-9a-f]{64}/) })
    }

    @Test func `looks again, by itself, at what it had no room to report`() async throws {
        var soon = limits
        soon.inspectionRetry = .milliseconds(10)
        let scene = try await ArchiveScene(limits: soon)
        let stream = try await scene.stream().stream
        try await scene.archive.recording(of: stream).send(try Videos.parts()[0], part: 0)
        _ = try await scene.archive.recording(of: stream).end(part: 0)
        let disk = DiskFaults(at: scene.folder.url.appending(path: "blobs"))
        disk.fail(.write, with: ENOSPC)
        let service = service(scene, scene.archive, worker: try worker())
        let running = Task { try await service.run() }
        try await eventually("an inspection is owed") { !service.faults.owed.isEmpty }
        #expect(try findings(scene, stream).isEmpty)
        disk.heal()
        for try await _ in scene.log.follow(from: LogPosition(0)) {
            let standing = try scene.archive.ledger.standing(of: stream)
            if standing.inspected == standing.chunks { break }
        }
        running.cancel()
        _ = await running.result
        #expect(try findings(scene, stream).contains { $0.thumbnail != nil })
    }

    @Test func `records nothing of bytes that are not those that were logged`() async throws {
        var soon = limits
        soon.inspectionRetry = .milliseconds(10)
        let scene = try await ArchiveScene(limits: soon)
        let stream = try await scene.stream().stream
        try await scene.archive.recording(of: stream).send(try Videos.parts()[0], part: 0)
        _ = try await scene.archive.recording(of: stream).end(part: 0)
        try await scene.archive.recording(of: stream).close()
        let path = URL(filePath: try scene.path(of: stream))
        let honest = try Data(contentsOf: path)
        var altered = honest
        for chunk in try scene.chunks(of: stream) {
            altered[chunk.offset + chunk.length / 2] ^= 1
        }
        try altered.write(to: path)
        let service = service(scene, scene.archive, worker: try worker())
        let running = Task { try await service.run() }
        try await eventually("an inspection is owed") { !service.faults.owed.isEmpty }
        #expect(try findings(scene, stream).isEmpty)
        try honest.write(to: path)
        for try await _ in scene.log.follow(from: LogPosition(0)) {
            let standing = try scene.archive.ledger.standing(of: stream)
            if standing.inspected == standing.chunks { break }
        }
        running.cancel()
        _ = await running.result
        #expect(try findings(scene, stream).allSatisfy { $0.outcome == .decoded })
    }

    @Test func `marks the chunk that the child dies of, and goes on`() async throws {
        let scene = try await ArchiveScene(limits: limits)
        let stream = try await scene.stream().stream
        try await scene.archive.recording(of: stream).send(try Videos.parts()[0], part: 0)
        _ = try await scene.archive.recording(of: stream).end(part: 0)
        let dying = InspectionService.Worker(executable: "/bin/false", arguments: [])
        try await untilAllInspected(scene, scene.archive, stream, worker: dying)
        let findings = try findings(scene, stream)
        #expect(!findings.isEmpty && findings.allSatisfy { $0.outcome == .crashed })
        #expect(findings.last?.lastChunk == (try scene.chunks(of: stream).count) - 1)
    }

    @Test func `looks at six live streams with one turn and two children`() async throws {
        var few = limits
        (few.inspections, few.inspectionsOfSession, few.inspectionChildren) = (1, 1, 2)
        let scene = try await ArchiveScene(limits: few)
        let video = try Videos.parts()[0]
        var streams: [StreamID] = []
        for _ in 0..<6 {
            let stream = try await scene.stream().stream
            // The sender stays: nothing is stopped before all have been looked at.
            _ = try await scene.archive.recording(of: stream).connected()
            try await scene.archive.recording(of: stream).send(video, part: 0)
            try await scene.archive.recording(of: stream).flush()
            streams.append(stream)
        }
        try await untilAllInspected(scene, scene.archive, streams)
        for stream in streams {
            let findings = try findings(scene, stream)
            #expect(findings.reduce(0) { $0 + $1.frames } == 50)
            #expect(findings.allSatisfy { $0.outcome == .decoded && $0.undecodable == 0 })
        }
    }

    /// Runs the service until the log says that every chunk was looked at.
    private func untilAllInspected(
        _ scene: ArchiveScene,
        _ archive: Archive,
        _ streams: StreamID...,
        worker: InspectionService.Worker? = nil
    ) async throws {
        try await untilAllInspected(scene, archive, streams, worker: worker)
    }

    private func untilAllInspected(
        _ scene: ArchiveScene,
        _ archive: Archive,
        _ streams: [StreamID],
        worker: InspectionService.Worker? = nil
    ) async throws {
        let service = service(scene, archive, worker: try worker ?? self.worker())
        let running = Task { try await service.run() }
        for try await page in scene.log.follow(from: LogPosition(0)) {
            guard page.contains(where: { $0.envelope.kind == StreamChunksInspected.kind }) else {
                continue
            }
            let isLevel = try streams.allSatisfy { stream in
                let standing = try archive.ledger.standing(of: stream)
                return standing.inspected == standing.chunks
            }
            if isLevel { break }
        }
        running.cancel()
        _ = await running.result
    }
}
