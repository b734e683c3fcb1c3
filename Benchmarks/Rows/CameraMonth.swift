// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting

/// Cameras that are recorded day and night, an event for each minute, as the gateway records them; what is older than a week expires.
struct CameraMonth {
    static let cameraCount = 16
    private static let keptHours = 7 * 24
    private static let minuteBytes = 3_750_000
    private static let headBytes = 400
    /// A midnight.
    private static let begin = Timestamp(microseconds: 1_700_006_400_000_000)

    static var configuration: LogConfiguration {
        get throws {
            // Signed, since only then entries have the hashes of their commands.
            let signer = try NoteSigner(
                name: "bench.example.org/main",
                seed: [UInt8](repeating: 7, count: 32)
            )
            return LogConfiguration(origin: signer.name, keys: NoKeys(), signer: signer)
        }
    }

    let cameras: [CameraID]
    private var chance = SeededGenerator(seed: 16)
    private let digest = SHA256Digest(bytes: [UInt8](repeating: 7, count: 32))

    init() {
        var chance = SeededGenerator(seed: 15)
        cameras = (0..<Self.cameraCount).map { _ in CameraID(at: Self.begin, using: &chance) }
    }

    /// The beginning and the end of a day.
    static func bounds(ofDay day: Int) -> (from: Timestamp, until: Timestamp) {
        (time(ofHour: day * 24), time(ofHour: day * 24 + 24))
    }

    mutating func record(days: Int, in log: EventLog) async throws {
        try await append(
            cameras.enumerated().map { place, camera in
                CameraFact(
                    camera: camera,
                    time: Self.begin,
                    event: .set(CameraSet(settings: settings(number: place + 1)))
                )
            },
            to: log
        )
        for hour in 0..<days * 24 { try await append(facts(ofHour: hour), to: log) }
    }

    // MARK: What happens

    private struct CameraFact {
        let camera: CameraID
        let time: Timestamp
        let event: CameraEvent
    }

    private static func time(ofHour hour: Int) -> Timestamp { begin + .seconds(hour * 3_600) }

    private func facts(ofHour hour: Int) -> [CameraFact] {
        let start = Self.time(ofHour: hour)
        var facts: [CameraFact] = []
        if hour >= Self.keptHours {
            facts += cameras.map {
                let expired = expired($0, hour: hour - Self.keptHours)
                return CameraFact(camera: $0, time: start, event: .footageExpired(expired))
            }
        }
        // Each is away once a day.
        if hour % 24 == 3 {
            let changes = [
                CameraStandingChanged(standing: .offline, cause: .ended),
                CameraStandingChanged(standing: .online, width: 1_280, height: 720),
            ]
            facts += cameras.flatMap { camera in
                changes.map {
                    CameraFact(camera: camera, time: start, event: .standingChanged($0))
                }
            }
        }
        for minute in 0..<60 {
            let time = start + .seconds(minute * 60)
            facts += cameras.map {
                let archived = archived($0, hour: hour, minute: minute)
                return CameraFact(camera: $0, time: time, event: .minuteArchived(archived))
            }
        }
        return facts
    }

    private func archived(_ camera: CameraID, hour: Int, minute: Int) -> CameraMinuteArchived {
        let start = Self.time(ofHour: hour) + .seconds(minute * 60)
        return CameraMinuteArchived(
            file: file(of: camera, hour: hour),
            offset: Self.headBytes + minute * Self.minuteBytes,
            length: Self.minuteBytes,
            clusters: 60,
            frames: 600,
            digest: digest,
            firstAt: start + .milliseconds(37),
            lastAt: start + .milliseconds(59_937),
            missingMilliseconds: 0
        )
    }

    private func expired(_ camera: CameraID, hour: Int) -> CameraFootageExpired {
        CameraFootageExpired(
            file: file(of: camera, hour: hour),
            bytes: Self.headBytes + 60 * Self.minuteBytes,
            cause: .days
        )
    }

    private func file(of camera: CameraID, hour: Int) -> String {
        let text = Self.time(ofHour: hour).description
        return "cameras/\(camera)/\(text.prefix(10))/\(text.dropFirst(11).prefix(2)).webm"
    }

    private func settings(number: Int) -> CameraSettings {
        CameraSettings(
            site: "Depot North",
            number: number,
            name: "Gate \(number)",
            floor: number / 8,
            latitude: 51.6565,
            longitude: -0.3903,
            source: .rtsp,
            address: "rtsp://192.0.2.\(number)/1",
            width: 640,
            height: 360,
            framesPerSecond: 10,
            kilobitsPerSecond: 500,
            keptDays: Self.keptHours / 24,
            keptBytes: 100 << 30,
            frame: .init(x: 0, y: 0, width: 640, height: 360),
            neighbours: .init(),
            viewers: [.init(role: .guard)],
            isOn: true
        )
    }

    // MARK: How it is recorded

    /// Appends each by a command of its own, all at once and yet in their order, and returns when the last is on disk.
    private mutating func append(_ facts: [CameraFact], to log: EventLog) async throws {
        let ready = try facts.map { try prepare($0, in: log) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Immediate ones stand in the writer's queue before the next begins.
            for append in ready {
                group.addImmediateTask { _ = try await log.append(append) }
            }
            try await group.waitForAll()
        }
    }

    private mutating func prepare(_ fact: CameraFact, in log: EventLog) throws -> PreparedAppend {
        let id = EventID(at: fact.time, using: &chance)
        return try log.prepare(
            [SubjectWrite(.camera(fact.camera), [Event(id: id, fact: .camera(fact.event))])],
            command: CommandStamp(
                actor: .policy("cameras"),
                command: CommandID(unchecked: "\(EventID(at: fact.time, using: &chance))"),
                asked: SHA256Digest(of: [UInt8]())
            )
        )
    }
}
