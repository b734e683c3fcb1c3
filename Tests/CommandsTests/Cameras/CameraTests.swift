// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

@testable import Commands

@Suite struct `Setting a camera up` {
    private let ledger = MemoryLedger()

    @Test func `the camera has its settings; the same again is nothing; others are its new ones`()
        throws
    {
        let camera = try ledger.camera()
        #expect(try ledger.state(Camera.self, camera).settings == .sample())
        #expect(try ledger.count(SetCamera(camera, to: .sample())) == 0)
        try ledger.run(SetCamera(camera, to: .sample(name: "Gate 4")))
        #expect(try ledger.state(Camera.self, camera).settings?.name == "Gate 4")
        #expect(ledger.events.map(\.envelope.kind) == ["camera.set/1", "camera.set/1"])
    }

    /// One setting beyond its range, and how the refusal calls it.
    private static let beyond: [(String, CameraSettings)] = [
        ("number", .sample(number: -1)), ("number", .sample(number: 1_000_000)),
        ("floor", .sample(floor: -21)), ("floor", .sample(floor: 301)),
        ("latitude", .sample(latitude: 90.5)), ("latitude", .sample(latitude: .nan)),
        ("longitude", .sample(longitude: -180.5)), ("longitude", .sample(longitude: .infinity)),
        ("width", .sample(width: 159)), ("width", .sample(width: 1_921)),
        ("height", .sample(height: 89)), ("height", .sample(height: 1_081)),
        ("framesPerSecond", .sample(framesPerSecond: 0)),
        ("framesPerSecond", .sample(framesPerSecond: 31)),
        ("kilobitsPerSecond", .sample(kilobitsPerSecond: 49)),
        ("kilobitsPerSecond", .sample(kilobitsPerSecond: 8_001)),
        ("keptDays", .sample(keptDays: 0)), ("keptDays", .sample(keptDays: 3_651)),
        ("keptBytes", .sample(keptBytes: CameraLimits.keptBytesMin - 1)),
        ("frame.x", .sample(frame: .init(x: -1, y: 0, width: 640, height: 360))),
        ("frame.y", .sample(frame: .init(x: 0, y: 20_001, width: 640, height: 360))),
        ("frame.width", .sample(frame: .init(x: 0, y: 0, width: 15, height: 360))),
        ("frame.height", .sample(frame: .init(x: 0, y: 0, width: 640, height: 4_097))),
        ("neighbours", .sample(neighbours: .init(up: -1))),
        ("neighbours", .sample(neighbours: .init(right: 1_000_000))),
        ("viewers", .sample(viewers: Array(repeating: .init(role: .guard), count: 17))),
        ("viewers.fromMinute", .sample(viewers: [.init(role: .guard, fromMinute: -1)])),
        ("viewers.untilMinute", .sample(viewers: [.init(role: .guard, untilMinute: 1_441)])),
        ("site", .sample(site: " ")), ("name", .sample(name: "")),
        ("address", .sample(address: "http://" + String(repeating: "a", count: 1_024))),
    ]

    @Test(arguments: beyond)
    func `a setting beyond its range is refused by its name`(
        field: String,
        settings: CameraSettings
    ) {
        let camera: CameraID = ledger.id()
        let refusal = #expect(throws: SetCamera.Refusal.self) {
            try ledger.run(SetCamera(camera, to: settings))
        }
        #expect(refusal?.problem.facts["field"] == field)
    }

    @Test(
        arguments: [
            .sample(address: nil), .sample(address: "192.0.2.7/video"),
            .sample(address: "rtsp://192.0.2.7/1"), .sample(address: "http://"),
            .sample(address: "http:///video"), .sample(address: "http://guard:secret@192.0.2.7/"),
            .sample(address: "http://192.0.2.7/a b"), .sample(source: .rtsp),
            .sample(address: "ftp://192.0.2.7/", isOn: false),
        ] as [CameraSettings]
    )
    func `an address that its source cannot read is refused, and so is none while it is on`(
        settings: CameraSettings
    ) {
        let refusal = #expect(throws: SetCamera.Refusal.self) { try ledger.camera(settings) }
        #expect(refusal?.problem.facts["field"] == "address")
    }

    @Test(
        arguments: [
            .sample(address: "HTTP://192.0.2.7:8080"), .sample(address: "https://gate.example/a@b"),
            .sample(source: .rtsp, address: "rtsp://192.0.2.7/1?track=2"),
            .sample(source: .rtsp, address: "rtsps://192.0.2.7/1"),
            .sample(address: nil, isOn: false),
        ] as [CameraSettings]
    )
    func `an address that its source can read, or none while it is off is taken`(
        settings: CameraSettings
    ) throws {
        #expect(try ledger.state(Camera.self, ledger.camera(settings)).settings == settings)
    }
}

@Suite struct `Footage that an incident keeps` {
    private let ledger = MemoryLedger()

    @Test func `is not removed, however shortly before it was asked for; what is beside it is`()
        throws
    {
        let camera = try ledger.camera()
        try ledger.keep(of: camera, for: try ledger.incident(), seconds: 120)
        let (from, until) = (ledger.now + .seconds(-120), ledger.now)
        for span in [from...until, until...(until + .seconds(9)), (from + .seconds(-9))...from] {
            #expect(throws: CameraRefusal.kept("a.webm")) {
                try ledger.run(ExpireFootage(camera, .sample("a.webm"), of: span))
            }
        }
        let before = (from + .seconds(-3_600))...(from + .seconds(-1))
        try ledger.run(ExpireFootage(camera, .sample("a.webm"), of: before))
        #expect(ledger.events.last?.envelope.kind == CameraFootageExpired.kind)
    }
}

@Suite struct `What a camera gives` {
    private let ledger = MemoryLedger()

    @Test func `the same standing twice is one event, another one is the next`() throws {
        let camera = try ledger.camera()
        try ledger.run(RecordCameraStanding(camera, .sample))
        let since = ledger.now
        ledger.wait(.seconds(60))
        #expect(try ledger.count(RecordCameraStanding(camera, .sample)) == 0)
        #expect(try ledger.state(Camera.self, camera).standingSince == since)
        let away = CameraStandingChanged(standing: .offline, cause: .silent)
        try ledger.run(RecordCameraStanding(camera, away))
        let state = try ledger.state(Camera.self, camera)
        #expect(state.standing == away && state.standingSince == ledger.now)
    }

    @Test func `minutes of a file lie end to end, and the same minute again is nothing`() throws {
        let camera = try ledger.camera()
        for offset in [400, 1_400] {
            try ledger.run(ArchiveMinute(camera, .sample(from: offset)))
        }
        #expect(try ledger.state(Camera.self, camera).newest == .sample(from: 1_400))
        for offset in [400, 1_400] {
            #expect(try ledger.count(ArchiveMinute(camera, .sample(from: offset))) == 0)
        }
    }

    @Test(arguments: [2_399, 2_401])
    func `a minute that begins before the last one ends, or after it, is refused`(
        offset: Int
    ) throws {
        let camera = try ledger.camera()
        try ledger.run(ArchiveMinute(camera, .sample(from: 1_400)))
        let refusal = #expect(throws: CameraRefusal.self) {
            try ledger.run(ArchiveMinute(camera, .sample(from: offset)))
        }
        #expect(refusal == .gap("a.webm", at: 2_400))
    }

    @Test func `a new file begins anywhere`() throws {
        let camera = try ledger.camera()
        try ledger.run(ArchiveMinute(camera, .sample(in: "a.webm", from: 400)))
        let next = CameraMinuteArchived.sample(in: "b.webm", from: 512)
        try ledger.run(ArchiveMinute(camera, next))
        #expect(try ledger.state(Camera.self, camera).newest == next)
    }

    @Test func `the file that grows is not removed, the one before it is`() throws {
        let camera = try ledger.camera()
        for file in ["a.webm", "b.webm"] {
            try ledger.run(ArchiveMinute(camera, .sample(in: file)))
        }
        let refusal = #expect(throws: CameraRefusal.self) {
            try ledger.run(ExpireFootage(camera, .sample("b.webm")))
        }
        #expect(refusal == .growing("b.webm"))
        try ledger.run(ExpireFootage(camera, .sample("a.webm")))
        #expect(ledger.events.last?.envelope.kind == "camera.footage_expired/1")
        #expect(try ledger.state(Camera.self, camera).newest == .sample(in: "b.webm"))
    }

    @Test func `another organisation's camera is unknown to every command`() throws {
        let camera = try ledger.camera()
        let setting = #expect(throws: SetCamera.Refusal.self) {
            try ledger.run(SetCamera(camera, to: .sample()), in: .north)
        }
        #expect(setting == .unknown(camera))
        let others: [() throws -> Void] = [
            { try ledger.run(RecordCameraStanding(camera, .sample), in: .north) },
            { try ledger.run(ArchiveMinute(camera, .sample()), in: .north) },
            { try ledger.run(ExpireFootage(camera, .sample("a.webm")), in: .north) },
        ]
        for command in others {
            let refusal = #expect(throws: CameraRefusal.self) { try command() }
            #expect(refusal == .unknown(camera))
        }
    }
}

@Suite struct `Footage kept for an incident` {
    private let ledger = MemoryLedger()

    @Test func `is a span with the camera's name; the same span again is nothing`() throws {
        let (camera, incident) = (try ledger.camera(), try ledger.incident())
        for _ in 0..<2 { try ledger.keep(of: camera, for: incident) }
        try ledger.keep(of: camera, for: incident, seconds: 60)
        let kept = try ledger.state(Incident.self, incident).footage
        #expect(kept.map(\.name) == ["Gate 3", "Gate 3"])
        #expect(kept.map { $0.lastAt - $0.firstAt } == [.seconds(120), .seconds(60)])
    }

    @Test(arguments: [(-60, 60), (0, 60), (21_601, 0), (60, 60)])
    func `is over, begins before it ends, and has six hours at most`(ago: (Int, Int)) throws {
        let (camera, incident) = (try ledger.camera(), try ledger.incident())
        let refusal = #expect(throws: KeepFootage.Refusal.self) {
            try ledger.run(
                KeepFootage(
                    of: camera,
                    for: incident,
                    from: ledger.now + (.zero - .seconds(ago.0)),
                    until: ledger.now + (.zero - .seconds(ago.1))
                )
            )
        }
        #expect(refusal?.problem.facts["field"] == "from, until")
    }
}
