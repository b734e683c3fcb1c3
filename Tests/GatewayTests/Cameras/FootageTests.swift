// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import Media
import MediaTesting
import NIOCore
import Projections
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(2))) struct `Footage of a camera` {
    @Test func `is a file an hour and an event a minute, picture for picture`() async throws {
        try await Site.run { site in
            let recorder = site.recorder()
            try await site.film(recorder, from: "2026-11-28T12:59:58.000000Z", seconds: 5)
            try await recorder.end()
            let minutes = try site.minutes()
            let folder = "cameras/\(site.camera)/2026-11-28"
            #expect(minutes.map(\.file) == ["\(folder)/12.webm", "\(folder)/13.webm"])
            #expect(minutes.map(\.frames) == [10, 15])
            #expect(minutes.map(\.clusters) == [2, 3])
            #expect(minutes[0].offset == 65_536 && minutes[0].missingMilliseconds == 0)
            #expect("\(minutes[1].firstAt)" == "2026-11-28T13:00:00.000000Z")
            #expect("\(minutes[1].lastAt)" == "2026-11-28T13:00:02.800000Z")
            #expect(try await site.numbers(in: minutes[0].file) == Array(0..<10))
            #expect(try await site.numbers(in: minutes[1].file) == Array(10..<25))
        }
    }

    @Test func `that a crash left is taken up, and the hour goes on behind it`() async throws {
        try await Site.run { site in
            // It is let go of without an end.
            try await site.film(
                site.recorder(),
                from: "2026-11-28T12:30:10.000000Z",
                seconds: 4
            )
            #expect(try site.minutes().isEmpty)
            let second = site.recorder()
            try await second.recover()
            // The newest cluster was not whole yet.
            #expect(try site.minutes().map(\.frames) == [15])
            try await second.recover()
            #expect(try site.minutes().count == 1)
            try await site.film(second, from: "2026-11-28T12:30:20.000000Z", seconds: 2)
            try await second.end()
            let minutes = try site.minutes()
            #expect(minutes.map(\.frames) == [15, 10])
            #expect(minutes[1].offset == minutes[0].offset + minutes[0].length)
            let shown = try await site.numbers(in: minutes[0].file)
            #expect(shown == Array(0..<15) + Array(0..<10))
            try await site.level()
            let rows = try await site.gateway.ledger.readModels.cameras.footage(of: site.camera)
            #expect(rows.map(\.missingMilliseconds) == [7_200])
        }
    }

    @Test func `is of no time that is still to come, whatever a camera and its reader say`()
        async throws
    {
        try await Site.run { site in
            let early = site.recorder()
            try await site.film(early, from: "2027-11-28T12:00:00.000000Z", seconds: 1)
            try await early.end()
            #expect(try site.minutes().map { "\($0.firstAt)" } == ["2026-11-28T13:05:00.000000Z"])
            let long = try TestVideo(
                numbers: 0..<60,
                size: PictureSize(width: 320, height: 180),
                kilobitsPerSecond: 300,
                framesPerSecond: 5
            )
            let fast = site.recorder()
            await fast.begin(at: site.gateway.ledger.now)
            await #expect(throws: FutureFootage.self) {
                try await fast.take(ByteBuffer(bytes: TestWebM.likeBrowser(long)))
            }
        }
    }

    @Test func `is not shown where its bytes changed`() async throws {
        try await Site.run { site in
            let recorder = site.recorder()
            try await site.film(recorder, from: "2026-11-28T12:30:10.000000Z", seconds: 3)
            try await recorder.end()
            let minute = try #require(try site.minutes().first)
            let name = try #require(FootageName(minute.file))
            let path = site.parts.folder.fullPath(of: name)
            let file = try FileHandle(forUpdating: URL(filePath: path))
            try file.seek(toOffset: 65_636)
            try file.write(contentsOf: [1, 2, 3])
            try file.close()
            let reader = site.reader(name)
            let chunks = try await reader.chunks()
            await #expect(throws: RecordingFileFault.self) { try await reader.cluster(chunks[0]) }
            _ = try await reader.cluster(chunks[1])
        }
    }

    @Test func `older than its days, and beyond its bytes, is removed with an event`() async throws
    {
        try await Site.run(keptDays: 1) { site in
            let recorder = site.recorder()
            for hour in ["26T10", "26T11", "28T12"] {
                try await site.film(recorder, from: "2026-11-\(hour):30:10.000000Z", seconds: 1)
                try await recorder.end()
            }
            let upkeep = FootageUpkeep(ledger: site.gateway.ledger, folder: site.parts.folder)
            try await site.level()
            try await upkeep.look(at: try site.state())
            let folder = "cameras/\(site.camera)"
            #expect(
                try site.expired() == [
                    "\(folder)/2026-11-26/10.webm", "\(folder)/2026-11-26/11.webm",
                ]
            )
            let left = try site.parts.folder.files(of: site.camera, from: nil)
            #expect(left.map(\.path) == ["\(folder)/2026-11-28/12.webm"])
            try await site.level()
            let shown = try await site.gateway.ledger.readModels.cameras.footage(of: site.camera)
            #expect(shown.map(\.file) == ["\(folder)/2026-11-28/12.webm"])
        }
    }

    @Test func `that an incident keeps stays, and what lies around it goes`() async throws {
        try await Site.run(keptDays: 1) { site in
            let recorder = site.recorder()
            for hour in ["26T10", "26T11", "26T12", "28T12"] {
                try await site.film(recorder, from: "2026-11-\(hour):30:10.000000Z", seconds: 1)
                try await recorder.end()
            }
            let staff = try await site.gateway.user(.operator, login: "amina")
            let incident = try await site.keep("26T11:00:00", "26T11:31:00", by: staff)
            let upkeep = FootageUpkeep(ledger: site.gateway.ledger, folder: site.parts.folder)
            try await upkeep.look(at: try site.state())
            let folder = "cameras/\(site.camera)/2026-11-26"
            #expect(try site.expired() == ["\(folder)/10.webm", "\(folder)/12.webm"])
            let shown = try await staff.get("/v1/incidents/\(incident)/footage").items
            #expect(shown.first?["name"] as? String == "Gate" && shown.count == 1)
        }
    }

    @Test
    func `that was removed is no damage to an audit, and a file that is away without an event is`()
        async throws
    {
        try await Site.run { site in
            let recorder = site.recorder()
            for hour in ["28T08", "28T09", "28T10", "28T11", "28T12"] {
                try await site.film(recorder, from: "2026-11-\(hour):30:10.000000Z", seconds: 1)
                try await recorder.end()
            }
            let staff = try await site.gateway.user(.operator, login: "amina")
            _ = try await site.keep("28T09:00:00", "28T09:31:00", by: staff)
            let before = try await site.verify()
            #expect(
                before.code == 0,
                "\(String(decoding: before.out, as: UTF8.self)) \(before.errors)"
            )
            // Room for three of the five: the two oldest that no incident keeps go.
            let bytes = try #require(try site.minutes().first.map { $0.offset + $0.length })
            let upkeep = FootageUpkeep(ledger: site.gateway.ledger, folder: site.parts.folder)
            try await upkeep.look(at: try site.state(keptBytes: 3 * bytes + bytes / 2))
            let folder = "cameras/\(site.camera)/2026-11-28"
            #expect(try site.expired() == ["\(folder)/08.webm", "\(folder)/10.webm"])
            let after = try await site.verify()
            #expect(after.code == 0, "\(String(decoding: after.out, as: UTF8.self))")
            let name = try #require(FootageName("\(folder)/11.webm"))
            try FileManager.default.removeItem(atPath: site.parts.folder.fullPath(of: name))
            let damaged = try await site.verify()
            #expect(damaged.code == 1)
            #expect(String(decoding: damaged.out, as: UTF8.self).contains("\(folder)/11.webm"))
        }
    }

    @Test func `under a hold stays, over days and over bytes, until the hold is lifted`()
        async throws
    {
        try await Site.run(keptDays: 1) { site in
            let recorder = site.recorder()
            for hour in ["26T10", "28T12"] {
                try await site.film(recorder, from: "2026-11-\(hour):30:10.000000Z", seconds: 1)
                try await recorder.end()
            }
            let supervisor = try await site.gateway.user(.supervisor, login: "sam")
            let hold = try await supervisor.post(
                "/v1/holds",
                ["scope": "camera/\(site.camera)", "reason": "theft", "authority": "police"]
            )
            #expect(hold.status == 201)
            let upkeep = FootageUpkeep(ledger: site.gateway.ledger, folder: site.parts.folder)
            try await site.level()
            try await upkeep.look(at: try site.state())
            #expect(try site.expired().isEmpty)
            let placed = try #require(try site.gateway.events(HoldPlaced.kind).first)
            guard case .hold(.placed(let fact)) = placed.fact else { return }
            let lift = LiftHold(
                fact.hold,
                reason: "closed",
                approvedBy: [UserID(unchecked: "1"), UserID(unchecked: "2")]
            )
            _ = try await site.gateway.ledger.handler.handle(
                lift,
                site.gateway.ledger.context(actor: .cameras, organisation: .main)
            )
            try await upkeep.look(at: try site.state())
            #expect(try site.expired() == ["cameras/\(site.camera)/2026-11-26/10.webm"])
        }
    }

    @Test func `that an incident keeps is shown to its readers, and nothing around it`()
        async throws
    {
        try await Site.run { site in
            let recorder = site.recorder()
            try await site.film(recorder, from: "2026-11-28T12:30:10.000000Z", seconds: 5)
            try await recorder.end()
            let staff = try await site.gateway.user(.operator, login: "amina")
            let auditor = try await site.gateway.user(.auditor, login: "olga")
            let incident = try await site.keep("28T12:30:11", "28T12:30:12", by: staff)
            let path = "/v1/incidents/\(incident)/footage"
            let kept = try #require(try await auditor.get(path).items.first)
            #expect(kept["site"] as? String == "Plant")
            let span = "\(path)/\(try #require(kept["number"] as? String))"
            let files = try await auditor.get("\(span)/files").items
            #expect(files.map { $0["startedAt"] as? String } == ["2026-11-28T12:00:00.000000Z"])
            let hour = "hour=2026-11-28T12:00:00Z"
            let shown = try await auditor.get("\(span)/media?\(hour)&from=1800000&to=1900000")
            #expect(shown.status == 200)
            #expect(try Site.numbers(of: shown.bytes) == Array(5..<15))
            let after = try await auditor.get("\(span)/media?\(hour)&from=1814000&to=1900000")
            #expect(after.status == 404)
            let still = try await auditor.get("\(span)/still?at=2026-11-28T12:30:14Z")
            #expect(still.status == 404)
            let camera = try await auditor.get("/v1/cameras/\(site.camera)/footage/media?\(hour)")
            #expect(camera.status == 403)
            let guardian = try await site.gateway.user(.guard, login: "gita")
            #expect(try await guardian.get("\(span)/files").status == 403)
        }
    }

    @Test func `is exported in whole minutes, and its proof holds for each of its bytes`()
        async throws
    {
        try await Site.run { site in
            let recorder = site.recorder()
            try await site.film(recorder, from: "2026-11-28T12:30:58.000000Z", seconds: 5)
            try await recorder.end()
            let staff = try await site.gateway.user(.operator, login: "amina")
            let incident = try await site.keep("28T12:31:00", "28T12:31:01", by: staff)
            let path = "/v1/incidents/\(incident)/footage"
            let number = try #require(try await staff.get(path).items.first?["number"] as? String)
            let exported = try await staff.get(
                "\(path)/\(number)/export?hour=2026-11-28T12:00:00Z"
            )
            #expect(try Site.numbers(of: exported.bytes) == Array(10..<25))
            let proof = try await staff.get("\(path)/\(number)/proof").object
            let file = try #require((proof["files"] as? [[String: Any]])?.first)
            #expect(file["sha256"] as? String == SHA256Digest(of: exported.bytes).text)
            #expect(file["bytes"] as? Int == exported.bytes.count)
            let minutes = try #require(file["minutes"] as? [[String: Any]])
            #expect(minutes.count == 1)
            var digests = ""
            for cluster in try #require(minutes[0]["clusters"] as? [[String: Any]]) {
                let offset = try #require(cluster["offset"] as? Int)
                let end = offset + (try #require(cluster["length"] as? Int))
                let digest = SHA256Digest(of: exported.bytes[offset..<end]).text
                #expect(cluster["sha256"] as? String == digest)
                digests += digest
            }
            let logged = try #require(try site.minutes().last)
            #expect(SHA256Digest(of: Array(digests.utf8)) == logged.digest)
            let entry = try #require(minutes[0]["entry"] as? String)
            #expect(entry.contains(logged.digest.text))
        }
    }

    @Test(arguments: [
        "cameras/x/2026-11-28/12.webm", "cameras/01a21f85-eea6-7e29-a9db-5a3f280febae/12.webm",
        "cameras/01a21f85-eea6-7e29-a9db-5a3f280febae/2026-11-28/24.webm",
        "cameras/01a21f85-eea6-7e29-a9db-5a3f280febae/2026-11-28/../../x.webm",
        "cameras/01a21f85-eea6-7e29-a9db-5a3f280febae/2026-11-28/1.webm",
    ])
    func `has names of one form alone`(path: String) {
        #expect(FootageName(path) == nil)
    }
}

/// A ledger with a camera, of which nothing is recorded by itself.
private struct Site {
    let gateway: TestGateway
    let camera: CameraID
    let video: TestVideo

    var parts: CameraParts { gateway.gateway.cameras }

    static func run(
        keptDays: Int = 30,
        _ body: @Sendable (Site) async throws -> Void
    ) async throws {
        let video = try TestVideo(
            numbers: 0..<25,
            size: PictureSize(width: 320, height: 180),
            kilobitsPerSecond: 300,
            framesPerSecond: 5
        )
        let clock = TestClock(try #require(Timestamp("2026-11-28T13:05:00.000000Z")))
        try await TestGateway.run {
            $0.clock = clock.ledgerClock
        } _: { gateway in
            let camera: CameraID = gateway.ledger.newID()
            let settings = CameraSettings.sample(keptDays: keptDays, isOn: false)
            _ = try await gateway.ledger.handler.handle(
                SetCamera(camera, to: settings),
                gateway.ledger.context(actor: .cameras, organisation: .main)
            )
            // From then on the service leaves it alone.
            try await eventually("the camera is off") {
                try gateway.events(CameraStandingChanged.kind).count == 1
            }
            try await body(Site(gateway: gateway, camera: camera, video: video))
        }
    }

    func recorder() -> CameraRecorder {
        CameraRecorder(
            camera,
            ledger: gateway.ledger,
            folder: parts.folder,
            room: parts.room,
            signals: parts.signals,
            thread: parts.writers.take()
        )
    }

    func reader(_ name: FootageName) -> FootageReader {
        FootageReader(name, in: parts.folder, thread: parts.readers.take())
    }

    /// A stream of so many seconds, with the numbers from 0.
    func film(_ recorder: CameraRecorder, from: String, seconds: Int) async throws {
        let video = TestVideo(
            codec: video.codec,
            size: video.size,
            frames: Array(video.frames.prefix(seconds * 5))
        )
        await recorder.begin(at: try #require(Timestamp(from)))
        for bytes in TestWebM.pieces(TestWebM.likeBrowser(video), of: [700, 31]) {
            try await recorder.take(ByteBuffer(bytes: bytes))
        }
    }

    func state() throws -> Camera { try gateway.ledger.handler.current(Camera.self, camera) }

    /// The camera as it would be with less room than any may be given.
    func state(keptBytes: Int) throws -> Camera {
        var state = try state()
        let last = try #require(try gateway.events(CameraSet.kind).last)
        let set = CameraSet(settings: .sample(keptBytes: keptBytes))
        state.apply(RecordedEvent(envelope: last.envelope, fact: .camera(.set(set))))
        return state
    }

    /// What `daybook verify` says beside the gateway.
    func verify() async throws -> FinishedProgram {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let daybook = URL(filePath: own).deletingLastPathComponent().appending(path: "daybook")
        return try await FinishedProgram(
            running: daybook.path,
            ["verify", "--data", gateway.folder.url.appending(path: "ledger").path]
        )
    }

    func minutes() throws -> [CameraMinuteArchived] {
        try gateway.events(CameraMinuteArchived.kind).compactMap {
            if case .camera(.minuteArchived(let minute)) = $0.fact { minute } else { nil }
        }
    }

    func expired() throws -> [String] {
        try gateway.events(CameraFootageExpired.kind).compactMap {
            if case .camera(.footageExpired(let expired)) = $0.fact { expired.file } else { nil }
        }
    }

    /// An incident that keeps a span of November 2026, such as `28T12:30:11` to `28T12:30:12`.
    func keep(
        _ from: String,
        _ until: String,
        by staff: TestGateway.Client
    ) async throws -> IncidentID {
        _ = try await staff.post("/v1/sessions", ["phone": "+447712345678"])
        let opened = try #require(try gateway.events(IncidentOpened.kind).first)
        let incident = try #require(IncidentID(String(opened.envelope.subject.name)))
        let keep = KeepFootage(
            of: camera,
            for: incident,
            from: try #require(Timestamp("2026-11-\(from).000000Z")),
            until: try #require(Timestamp("2026-11-\(until).000000Z"))
        )
        _ = try await gateway.ledger.handler.handle(
            keep,
            gateway.ledger.context(actor: .cameras, organisation: .main)
        )
        try await level()
        return incident
    }

    /// Waits until the rows show what the log has.
    func level() async throws {
        let last = try #require(gateway.ledger.log.size.checkedPrevious)
        try await gateway.ledger.readModels.runner.wait(for: last, on: CameraService.name)
    }

    /// The numbers on the pictures of a file.
    func numbers(in file: String) async throws -> [Int] {
        let reader = reader(try #require(FootageName(file)))
        var clusters: [[UInt8]] = []
        for chunk in try await reader.chunks() { clusters.append(try await reader.cluster(chunk)) }
        return try Self.numbers(in: clusters)
    }

    /// The numbers on the pictures of a WebM.
    static func numbers(of webM: [UInt8]) throws -> [Int] {
        var cutter = ClusterCutter()
        var clusters: [[UInt8]] = []
        for piece in try cutter.push(webM) {
            switch piece {
            case .cluster: clusters.append([])
            case .bytes(let bytes): clusters[clusters.count - 1] += bytes
            }
        }
        return try numbers(in: clusters)
    }

    private static func numbers(in clusters: [[UInt8]]) throws -> [Int] {
        let frames = clusters.flatMap { RecordingReader.frames(cluster: $0) ?? [] }
        return try TestVideo.numbers(in: frames.map(\.bytes)).compactMap(\.self)
    }
}

extension CameraSettings {
    static func sample(
        number: Int = 1,
        address: String? = nil,
        keptDays: Int = 30,
        keptBytes: Int = 1 << 30,
        viewers: [Viewers] = [Viewers(role: .guard)],
        isOn: Bool = false
    ) -> CameraSettings {
        CameraSettings(
            site: "Plant",
            number: number,
            name: "Gate",
            floor: 0,
            latitude: 52.5163,
            longitude: 13.3777,
            source: .mjpeg,
            address: address,
            width: 640,
            height: 360,
            framesPerSecond: 10,
            kilobitsPerSecond: 500,
            keptDays: keptDays,
            keptBytes: keptBytes,
            frame: Frame(x: 0, y: 0, width: 640, height: 480),
            neighbours: Neighbours(),
            viewers: viewers,
            isOn: isOn
        )
    }
}
