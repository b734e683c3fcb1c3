// SPDX-License-Identifier: Apache-2.0
import Events

@testable import Commands

extension RefusalScenario {
    static let cameras = [
        RefusalScenario("SetCamera.unknown") { ledger in
            let camera = try ledger.camera()
            try ledger.run(SetCamera(camera, to: .sample(name: "Gate 4")), in: .north)
        },
        RefusalScenario("SetCamera.unacceptable") { ledger in
            try ledger.camera(.sample(width: 0))
        },
        RefusalScenario("CameraRefusal.unknown") { ledger in
            try ledger.run(RecordCameraStanding(ledger.id(), .sample))
        },
        RefusalScenario("CameraRefusal.gap") { ledger in
            let camera = try ledger.camera()
            try ledger.run(ArchiveMinute(camera, .sample()))
            try ledger.run(ArchiveMinute(camera, .sample(from: 2_000)))
        },
        RefusalScenario("CameraRefusal.growing") { ledger in
            let camera = try ledger.camera()
            try ledger.run(ArchiveMinute(camera, .sample(in: "a.webm")))
            try ledger.run(ExpireFootage(camera, .sample("a.webm")))
        },
        RefusalScenario("CameraRefusal.kept") { ledger in
            let camera = try ledger.camera()
            try ledger.keep(of: camera, for: try ledger.incident())
            try ledger.run(ExpireFootage(camera, .sample("a.webm"), of: ledger.now...ledger.now))
        },
        RefusalScenario("CameraRefusal.held") { ledger in
            let camera = try ledger.camera()
            for file in ["a.webm", "b.webm"] {
                try ledger.run(ArchiveMinute(camera, .sample(in: file)))
            }
            try ledger.run(PlaceHold(on: .camera(camera), reason: "theft", authority: "police"))
            try ledger.run(ExpireFootage(camera, .sample("a.webm")))
        },
        RefusalScenario("KeepFootage.incidentUnknown") { ledger in
            try ledger.keep(of: try ledger.camera(), for: ledger.id())
        },
        RefusalScenario("KeepFootage.merged") { ledger in
            try ledger.keep(of: try ledger.camera(), for: try ledger.mergedIncident())
        },
        RefusalScenario("KeepFootage.cameraUnknown") { ledger in
            try ledger.keep(of: ledger.id(), for: try ledger.incident())
        },
        RefusalScenario("KeepFootage.full") { ledger in
            let (camera, incident) = (try ledger.camera(), try ledger.incident())
            for seconds in 1...CameraLimits.spansPerIncidentMax + 1 {
                try ledger.keep(of: camera, for: incident, seconds: seconds)
            }
        },
        RefusalScenario("KeepFootage.unacceptable") { ledger in
            try ledger.keep(of: try ledger.camera(), for: try ledger.incident(), seconds: 0)
        },
    ]
}

extension MemoryLedger {
    /// The last seconds of a camera are kept for an incident.
    func keep(of camera: CameraID, for incident: IncidentID, seconds: Int = 120) throws {
        let from = now + (.zero - .seconds(seconds))
        try run(KeepFootage(of: camera, for: incident, from: from, until: now))
    }

    /// A camera that was set up.
    @discardableResult
    func camera(_ settings: CameraSettings = .sample()) throws -> CameraID {
        let camera: CameraID = id()
        try run(SetCamera(camera, to: settings))
        return camera
    }
}

extension CameraSettings {
    static func sample(
        site: String = "Selly Oak",
        number: Int = 3,
        name: String = "Gate 3",
        floor: Int = 0,
        latitude: Double = 52.4796,
        longitude: Double = -1.9026,
        source: Source = .mjpeg,
        address: String? = "http://192.0.2.7/video.mjpg",
        width: Int = 640,
        height: Int = 360,
        framesPerSecond: Int = 10,
        kilobitsPerSecond: Int = 500,
        keptDays: Int = 30,
        keptBytes: Int = 100 << 30,
        frame: Frame = Frame(x: 0, y: 0, width: 640, height: 360),
        neighbours: Neighbours = Neighbours(),
        viewers: [Viewers] = [Viewers(role: .guard)],
        isOn: Bool = true
    ) -> CameraSettings {
        CameraSettings(
            site: site,
            number: number,
            name: name,
            floor: floor,
            latitude: latitude,
            longitude: longitude,
            source: source,
            address: address,
            width: width,
            height: height,
            framesPerSecond: framesPerSecond,
            kilobitsPerSecond: kilobitsPerSecond,
            keptDays: keptDays,
            keptBytes: keptBytes,
            frame: frame,
            neighbours: neighbours,
            viewers: viewers,
            isOn: isOn
        )
    }
}

extension CameraStandingChanged {
    static let sample = CameraStandingChanged(standing: .online, width: 1_280, height: 720)
}

extension CameraMinuteArchived {
    /// A minute of 1,000 bytes.
    static func sample(in file: String = "a.webm", from offset: Int = 0) -> Self {
        let firstAt = Timestamp(microseconds: 1_700_000_000_000_000)
        return CameraMinuteArchived(
            file: file,
            offset: offset,
            length: 1_000,
            clusters: 60,
            frames: 600,
            digest: .sample(),
            firstAt: firstAt,
            lastAt: firstAt + .seconds(60),
            missingMilliseconds: 0
        )
    }
}

extension ExpireFootage {
    /// A file of the sample minute.
    init(_ camera: CameraID, _ expired: CameraFootageExpired) {
        let minute = CameraMinuteArchived.sample()
        self.init(camera, expired, of: minute.firstAt...minute.lastAt)
    }
}

extension CameraFootageExpired {
    static func sample(_ file: String) -> Self {
        CameraFootageExpired(file: file, bytes: 1_000, cause: .days)
    }
}
