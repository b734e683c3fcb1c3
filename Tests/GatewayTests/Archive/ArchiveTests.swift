// SPDX-License-Identifier: Apache-2.0
import Commands
import Crypto
import Events
import Foundation
import HTTPTypes
import Media
import MediaTesting
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise9), .timeLimit(.minutes(10))) struct `The archive` {
    @Test func `does not go on without the log, so that it is begun again`() async throws {
        let scene = try await ArchiveScene()
        await scene.log.close()
        await #expect(throws: (any Error).self) { try await scene.archive.run() }
    }

    @Test
    func `records what the sender says of its picture as the sender's, in whose budget it is`()
        async throws
    {
        let scene = try await ArchiveScene()
        let stream = try await scene.stream().stream
        let recording = try scene.archive.recording(of: stream)
        let sender = Actor.device(scene.device)
        let settings = StreamSettings(
            quality: .low,
            width: 320,
            height: 180,
            framesPerSecond: 25,
            kilobitsPerSecond: 500,
            camera: "front"
        )
        for _ in 0..<2 { try await recording.change(to: settings, cause: .user, by: sender) }
        let changes = try scene.log.entries(of: StreamQualityChanged.kind)
        #expect(changes.map(\.envelope.actor) == [sender])
    }

    @Test func `records another camera and the light as what they are, each once`() async throws {
        let scene = try await ArchiveScene()
        let stream = try await scene.stream().stream
        let recording = try scene.archive.recording(of: stream)
        let sender = Actor.device(scene.device)
        func say(_ camera: String?, isLit: Bool?) async throws {
            let settings = StreamSettings(
                quality: .low,
                width: 320,
                height: 180,
                framesPerSecond: 25,
                kilobitsPerSecond: 750,
                camera: camera,
                isLit: isLit
            )
            try await recording.change(to: settings, cause: .user, by: sender)
        }
        for camera in ["rear", "rear", "front", nil, "front"] { try await say(camera, isLit: nil) }
        for isLit in [false, true, true, nil, true, false] { try await say("front", isLit: isLit) }
        let cameras = try scene.log.entries(of: StreamCameraSwitched.kind)
        let lights = try scene.log.entries(of: StreamTorchToggled.kind)
        #expect(cameras.count == 1 && lights.count == 2)
        #expect((cameras + lights).allSatisfy { $0.envelope.actor == sender })
        #expect(try scene.log.entries(of: StreamQualityChanged.kind).isEmpty)
    }

    @Test func `places what comes late by the part that followed it, whatever it says of now`()
        async throws
    {
        let scene = try await ArchiveScene()
        let stream = try await scene.stream().stream
        let recording = try scene.archive.recording(of: stream)
        let parts = try Videos.parts()
        for (part, bytes) in [(UInt32(0), parts[0]), (2, parts[2])] {
            _ = try await recording.accept(bytes, part: part, offset: 0)
            _ = try await recording.end(part: part)
        }
        // Part 2 began when it came; 1 says that it began only now, and how long before 2 that was.
        let next = NextPart(part: 2, milliseconds: 1_000)
        _ = try await recording.placeLate(part: 1, millisecondsAgo: 0, before: next)
        _ = try await recording.accept(parts[1], part: 1, offset: 0)
        _ = try await recording.end(part: 1)
        let chunks = try scene.chunks(of: stream)
        let begins = (1...2).map { part in
            chunks.filter { $0.part == part }.map(\.firstMilliseconds).min()
        }
        #expect(try #require(begins[1]) - #require(begins[0]) == 1_000)
    }

    @Test func `keeps three parts of two sizes in one file, consecutive and as the log says`()
        async throws
    {
        let scene = try await ArchiveScene()
        let stream = try await scene.stream().stream
        let recording = try scene.archive.recording(of: stream)
        for (number, bytes) in try Videos.parts().enumerated() {
            try await recording.send(bytes, part: UInt32(number))
            #expect(try await recording.end(part: UInt32(number)).through == UInt64(bytes.count))
        }
        let path = try scene.path(of: stream)
        #expect(try Videos.numbers(in: path) == Array(0..<150))
        let file = try Data(contentsOf: URL(filePath: path))
        let chunks = try scene.chunks(of: stream)
        #expect(chunks.map(\.number) == Array(0..<chunks.count))
        for (chunk, next) in zip(chunks, chunks.dropFirst()) {
            #expect(next.offset == chunk.offset + chunk.length)
        }
        for chunk in chunks {
            let bytes = file[chunk.offset..<chunk.offset + chunk.length]
            #expect(Events.SHA256Digest(bytes: Array(SHA256.hash(data: bytes))) == chunk.sha256)
        }
        let resumed = try scene.events(of: stream).compactMap {
            if case .resumed(let event) = $0 { event.part } else { nil }
        }
        #expect(resumed == [1, 2])
    }

    @Test func `names the file after time and operator, and gives the same stream to the same key`()
        async throws
    {
        let scene = try await ArchiveScene()
        let first = try await scene.stream(key: "once")
        let again = try await scene.stream(key: "once")
        #expect(first.stream == again.stream && first.file == again.file)
        #expect(try scene.files().count == 1)
        let form = /\d{4}\/\d\d\/\d{4}-\d\d-\d\d-\d\d-\d\d-123456789\.webm/
        #expect(first.file.wholeMatch(of: form) != nil, "\(first.file)")
        let second = try await scene.stream()
        #expect(second.stream != first.stream && second.file != first.file)
    }

    @Test func `refuses the phone of another number, records that, and leaves no file`()
        async throws
    {
        let scene = try await ArchiveScene()
        let (other, phone): (PersonID, DeviceID) = (freshID(), freshID())
        try scene.keys.create(other)
        try await scene.handler.run(
            RegisterDevice(
                phone,
                of: other,
                phone: .second,
                verification: .operatorCode,
                codeGivenBy: ArchiveScene.sam
            )
        )
        await #expect(throws: StartStream.Refusal.otherNumber(scene.session)) {
            _ = try await scene.stream(device: phone)
        }
        #expect(try scene.refusals().map(\.reason) == [.otherNumber])
        #expect(try scene.files().isEmpty)
    }

    @Test func `gives the same answer to the same bytes, and refuses others`() async throws {
        let scene = try await ArchiveScene()
        let stream = try await scene.stream().stream
        let recording = try scene.archive.recording(of: stream)
        let bytes = try Videos.parts()[0]
        var first = try #require(try await recording.send(bytes, part: 0))
        // What comes late is logged apart.
        while first.through < first.received {
            first = try await recording.accept(bytes, part: 0, offset: 0)
        }
        let size = scene.log.size
        let again = try await recording.accept(bytes, part: 0, offset: 0)
        #expect(again == first)
        var other = bytes
        other[bytes.count / 2] ^= 1
        await #expect(throws: RecordingError.self) {
            _ = try await recording.accept(other, part: 0, offset: 0)
        }
        await #expect(throws: RecordingError.gap(part: 4, expected: 0, offset: 9)) {
            _ = try await recording.accept([1], part: 4, offset: 9)
        }
        #expect(scene.log.size == size)
    }

    @Test(arguments: Lie.allCases)
    func `refuses what is not the video it says`(lie: Lie) async throws {
        let scene = try await ArchiveScene()
        let stream = try await scene.stream().stream
        let recording = try scene.archive.recording(of: stream)
        let size = scene.log.size
        let bytes = try lie.bytes()
        await #expect {
            _ = try await recording.send(bytes, part: 0)
        } throws: { error in
            ProblemTable.problem(for: error).type == .mediaRefused
        }
        #expect(scene.log.size == size)
        #expect(try scene.chunks(of: stream).isEmpty)
    }

    /// What a sender may pretend.
    enum Lie: CaseIterable {
        case audio, codec, random, keyFrame

        func bytes() throws -> [UInt8] {
            let video = try TestVideo(numbers: 0..<10, tier: .low)
            var head = ElementWriter()
            head.raw(TestWebM.head(docVersion: 4))
            head.openMaster(Element.segment)
            switch self {
            case .audio:
                head.raw(TestWebM.tracks(video, type: 2, codec: "A_OPUS"))
                return head.bytes
            case .codec:
                head.raw(TestWebM.tracks(video, codec: "V_MPEG4/ISO/AVC"))
                return head.bytes
            case .random: return (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
            case .keyFrame:
                // The container marks a key frame where the codec wrote none.
                head.raw(TestWebM.tracks(video))
                head.openMaster(Element.cluster)
                head.unsigned(Element.timestamp, 0)
                for (index, frame) in video.frames.prefix(3).enumerated() {
                    head.binary(
                        Element.simpleBlock,
                        [0x81, 0, UInt8(index), 0x80] + frame.bytes
                    )
                }
                return head.bytes
            }
        }
    }

    @Test func `loses nothing that was told when it dies, and goes on where it stood`()
        async throws
    {
        let scene = try await ArchiveScene()
        let stream = try await scene.stream().stream
        let bytes = try Videos.parts()[0]
        let half = Array(bytes.prefix(bytes.count * 2 / 3))
        let told = try await dying(scene, stream, half)
        let path = try scene.path(of: stream)
        // A cluster that was being written when the power went.
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: [0x1F, 0x43, 0xB6, 0x75, 0x01, 0, 0, 0, 0, 1, 2, 3, 4, 5])
        try file.close()
        let archive = scene.archiveAnew()
        try await archive.recover()
        let recording = try archive.recording(of: stream)
        let found = try #require(try await recording.receipts().first)
        #expect(found.through == told.through && found.received == found.through)
        try await recording.send(bytes, part: 0, from: found.received)
        _ = try await recording.end(part: 0)
        #expect(try Videos.numbers(in: path) == Array(0..<50))
        let events = try scene.events(of: stream)
        #expect(events.contains { if case .interrupted = $0 { true } else { false } })
        #expect(events.contains { if case .resumed = $0 { true } else { false } })
    }

    /// Sends some bytes to an archive that is then gone.
    private func dying(
        _ scene: ArchiveScene,
        _ stream: StreamID,
        _ bytes: [UInt8]
    ) async throws -> PartReceipt {
        let archive = scene.archiveAnew()
        return try #require(try await archive.recording(of: stream).send(bytes, part: 0))
    }

    @Test func `logs a whole cluster that was synced and never logged`() async throws {
        let scene = try await ArchiveScene()
        let stream = try await scene.stream().stream
        let bytes = try Videos.parts()[0]
        // The writer alone: what is on disk when the process dies between sync and append.
        try writeUnlogged(bytes, to: try scene.path(of: stream), of: scene, stream)
        #expect(try scene.chunks(of: stream).isEmpty)
        let archive = scene.archiveAnew()
        try await archive.recover()
        let chunks = try scene.chunks(of: stream)
        #expect(!chunks.isEmpty)
        let size = scene.log.size
        try await scene.archiveAnew().recover()
        #expect(try scene.chunks(of: stream) == chunks)
        #expect(scene.log.size == size)
    }

    private func writeUnlogged(
        _ bytes: [UInt8],
        to path: String,
        of scene: ArchiveScene,
        _ stream: StreamID,
        part: UInt32 = 0,
        seal: RecordingSeal? = nil
    ) throws {
        let facts = try #require(RecordingFacts(try scene.archive.index(of: stream)))
        let start = Date(timeIntervalSince1970: Double(facts.start.microseconds) / 1_000_000)
        let seal = seal ?? RecordingSeal(key: scene.recordingKeys.key(of: stream))
        let index = try scene.archive.index(of: stream)
        let logged = index.chunks.map(\.logged)
        let writer = try RecordingWriter.open(path, seal: seal, start: start, logged: logged).writer
        _ = try writer.begin(part: part, placement: .live(atMilliseconds: 0))
        _ = try writer.accept(bytes, part: part, offset: 0)
        _ = try writer.flush()
    }

    /// An open recording of one part, whose file nobody holds.
    private func left(_ scene: ArchiveScene) async throws -> StreamID {
        let stream = try await scene.stream().stream
        let recording = try scene.archive.recording(of: stream)
        try await recording.send(try Videos.parts()[0], part: 0)
        _ = try await recording.end(part: 0)
        await recording.close()
        return stream
    }

    @Test func `sets forged clusters behind the last logged chunk aside, and says so`() async throws
    {
        let scene = try await ArchiveScene()
        let stream = try await left(scene)
        let path = try scene.path(of: stream)
        let chunks = try scene.chunks(of: stream)
        let honest = try Data(contentsOf: URL(filePath: path))
        try writeUnlogged(
            try Videos.parts()[1],
            to: path,
            of: scene,
            stream,
            part: 1,
            seal: .random()
        )
        let forged = try Data(contentsOf: URL(filePath: path)).dropFirst(honest.count)
        #expect(!forged.isEmpty)
        let archive = scene.archiveAnew()
        try await archive.recover()
        #expect(try scene.chunks(of: stream) == chunks)
        #expect(try Data(contentsOf: URL(filePath: path)) == honest)
        let aside = SetAside.files(of: path)
        #expect(try aside.map { try Data(contentsOf: URL(filePath: $0)) } == [Data(forged)])
        let told = try scene.events(of: stream).contains {
            if case .recordingFailed(let failed) = $0 {
                failed.reasonCode == "unsealed"
            } else {
                false
            }
        }
        #expect(told)
        #expect(archive.faults.keptSummary?.words.contains("set aside") == true)
        await #expect(throws: RecordingsUnfinished.self) { try await archive.tryAgain() }
    }

    @Test func `signs no end of a recording with other bytes than it logged`() async throws {
        let scene = try await ArchiveScene()
        let stream = try await left(scene)
        let path = try scene.path(of: stream)
        let honest = try Data(contentsOf: URL(filePath: path))
        let middle = try #require(try scene.chunks(of: stream).dropFirst().first)
        var altered = honest
        altered[middle.offset + middle.length / 2] ^= 1
        try altered.write(to: URL(filePath: path))
        let archive = scene.archiveAnew()
        try await archive.recover()
        _ = try await archive.stop(
            stream,
            by: .caller,
            reason: "done",
            stamp: CommandStamp(actor: .device(scene.device), command: CommandID(unchecked: "stop"))
        )
        await archive.recover(stream)
        #expect(try archive.index(of: stream).finalized == nil)
        let told = try scene.events(of: stream).contains {
            if case .recordingFailed(let failed) = $0 {
                failed.reasonCode == "damaged"
            } else {
                false
            }
        }
        #expect(told)
        #expect(archive.faults.keptSummary?.words.contains("chunk \(middle.number)") == true)
        // A copy that is put back is finalised by the next start.
        try honest.write(to: URL(filePath: path))
        try await scene.archiveAnew().recover()
        #expect(try scene.archiveAnew().index(of: stream).finalized != nil)
    }

    @Test func `finalises a stream whose session closes, and takes no more of it`() async throws {
        let scene = try await ArchiveScene()
        let stream = try await scene.stream().stream
        let recording = try scene.archive.recording(of: stream)
        await recording.hold()
        let service = Task { try await scene.archive.run() }
        try await recording.send(try Videos.parts()[0], part: 0)
        try await scene.handler.run(
            CloseSession(
                scene.session,
                by: .staff(Staff(ArchiveScene.sam, as: .operator)),
                disposition: "handled"
            )
        )
        for await _ in scene.archive.signals.changes(of: stream) {
            if try scene.archive.index(of: stream).finalized != nil { break }
        }
        service.cancel()
        let final = try #require(try scene.archive.index(of: stream).finalized)
        let path = try scene.path(of: stream)
        let file = try Data(contentsOf: URL(filePath: path))
        #expect(final.bytes == file.count)
        #expect(final.sha256 == Events.SHA256Digest(bytes: Array(SHA256.hash(data: file))))
        #expect(try Videos.numbers(in: path) == Array(0..<50))
        await #expect(throws: ArchiveError.stopped(stream)) {
            _ = try await recording.accept([1, 2, 3], part: 1, offset: 0)
        }
        _ = await service.result
    }

    @Test func `finishes by itself, once there is room, what it could not`() async throws {
        let scene = try await ArchiveScene()
        let archive = scene.archive
        let stream = try await scene.stream().stream
        let recording = try archive.recording(of: stream)
        await recording.hold()
        let service = Task { try await archive.run() }
        try await recording.send(try Videos.parts()[0], part: 0)
        _ = try await recording.end(part: 0)
        let disk = DiskFaults(at: scene.folder.url.appending(path: "media"))
        disk.fail(.write, with: ENOSPC)
        try await scene.handler.run(
            CloseSession(
                scene.session,
                by: .staff(Staff(ArchiveScene.sam, as: .operator)),
                disposition: "handled"
            )
        )
        try await eventually("the recording is owed") { archive.faults.owed.contains(stream) }
        #expect(try archive.index(of: stream).finalized == nil)
        await #expect(throws: RecordingsUnfinished.self) { try await archive.tryAgain() }
        let changes = archive.signals.changes(of: stream)
        disk.heal()
        let again = Task { try await archive.tryAgain() }
        for await _ in changes {
            if try archive.index(of: stream).finalized != nil { break }
        }
        try await eventually("no recording is owed") { archive.faults.owed.isEmpty }
        again.cancel()
        service.cancel()
        _ = await (again.result, service.result)
        #expect(try Videos.numbers(in: try scene.path(of: stream)) == Array(0..<50))
    }

    @Test func `never gives a name twice, not even one whose file an erasure deleted`() async throws
    {
        let minute = LedgerClock.system.now()
        let scene = try await ArchiveScene(clock: { minute })
        let first = try await scene.stream()
        try FileManager.default.removeItem(atPath: try scene.path(of: first.stream))
        let second = try await scene.stream(scene.archiveAnew(clock: { minute }))
        #expect(second.file != first.file)
        #expect(second.file.hasSuffix("-2.webm"))
    }

    @Test func `takes nothing where nothing is free, whatever is kept for others`() {
        let room = ArchiveRoom(floor: 0, ask: { 0 })
        #expect(throws: ArchiveError.noRoom(free: 0, floor: 0)) { try room.check() }
        for code in [ENOSPC, EDQUOT] {
            let full = RecordingError.storage("writing", path: "/secret", code: code)
            #expect(full.problem.type.status.code == 507)
            #expect(full.problem.detail?.contains("/secret") == false)
        }
    }

    @Test func `takes nothing, and loses nothing, while another folder stands in its place`()
        async throws
    {
        let away = Mutex<Fault?>(nil)
        let room = ArchiveRoom(floor: 0, away: { away.withLock { $0 } }, ask: { .max })
        let scene = try await ArchiveScene(room: room)
        let stream = try await scene.stream().stream
        let video = try Videos.parts()[0]
        try await scene.archive.recording(of: stream).send(video, part: 0)
        _ = try await scene.archive.recording(of: stream).end(part: 0)
        try await scene.archive.recording(of: stream).close()
        scene.archive.forget(stream)
        // As when a start meets the empty folder of a mount point.
        let (media, files) = (scene.archive.folder.volumes.all[0].folder.path, FileManager.default)
        try files.moveItem(atPath: media, toPath: media + ".disk")
        try files.createDirectory(atPath: media, withIntermediateDirectories: false)
        let fault = Fault(code: "away", words: "it is not mounted")
        away.withLock { $0 = fault }
        let size = scene.log.size
        await #expect(throws: ArchiveError.away(fault)) { try await scene.archive.run() }
        try await scene.archive.recover()
        #expect(scene.archive.faults.owed == [stream])
        await #expect(throws: ArchiveError.away(fault)) { try await scene.stream() }
        await #expect(throws: ArchiveError.away(fault)) {
            try await scene.archive.recording(of: stream).accept(video, part: 1, offset: 0)
        }
        #expect(scene.log.size == size, "nothing is declared lost")
        #expect(try files.contentsOfDirectory(atPath: media).isEmpty)
        try files.removeItem(atPath: media)
        try files.moveItem(atPath: media + ".disk", toPath: media)
        away.withLock { $0 = nil }
        try await scene.archive.recover()
        #expect(scene.archive.faults.owed.isEmpty)
        #expect(try Videos.numbers(in: try scene.path(of: stream)) == Array(0..<50))
    }

    @Test func `tells the log when a recording is damaged, and keeps the others going`()
        async throws
    {
        let scene = try await ArchiveScene()
        let (bad, good) = (try await scene.stream().stream, try await scene.stream().stream)
        let bytes = try Videos.parts()[0]
        for stream in [bad, good] { _ = try await dying(scene, stream, bytes) }
        let file = try FileHandle(forUpdating: URL(filePath: try scene.path(of: bad)))
        try file.truncate(atOffset: 70_000)
        try file.close()
        let archive = scene.archiveAnew()
        try await archive.recover()
        #expect(
            try scene.events(of: bad).contains {
                if case .recordingFailed(let failed) = $0 {
                    failed.reasonCode == "damaged"
                } else {
                    false
                }
            }
        )
        #expect(try await archive.recording(of: good).receipts().count == 1)
    }
}
