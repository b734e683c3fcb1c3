// SPDX-License-Identifier: Apache-2.0
import Events

/// Two cameras of a site: one waits for its first picture, the other is recorded, loses its oldest file, and is away for a while.
enum CameraScene {
    private static let recorder = Actor(unchecked: "recorder/archive")

    static func define(_ script: inout Script, in town: inout Town) {
        let admin = town.anyone(.admin).actor
        let cameras: [CameraID] = (0..<2).map { _ in town.id(at: script.time) }
        for (place, camera) in cameras.enumerated() {
            let set = CameraSet(settings: settings(number: place + 1, of: cameras.count, &town))
            script.record(admin, .camera(camera), .camera(.set(set)), in: &town)
        }
        film(cameras[0], &script, &town)
    }

    private static func film(_ camera: CameraID, _ script: inout Script, _ town: inout Town) {
        let online = CameraStandingChanged(standing: .online, width: 1_280, height: 720)
        let offline = CameraStandingChanged(standing: .offline, cause: .silent)
        record(.standingChanged(online), of: camera, &script, &town)
        let oldest = archive(minutes: 3, of: camera, &script, &town)
        archive(minutes: 2, of: camera, &script, &town)
        let expired = CameraFootageExpired(file: oldest.file, bytes: oldest.bytes, cause: .days)
        record(.footageExpired(expired), of: camera, &script, &town)
        record(.standingChanged(offline), of: camera, &script, &town)
        script.pass(town.wait(5...60))
        record(.standingChanged(online), of: camera, &script, &town)
    }

    /// Archives minutes, one after the other, in a file of their own: hours are short here, so that one is over before anybody calls.
    ///
    /// - Returns: The file, and its bytes.
    @discardableResult
    private static func archive(
        minutes: Int,
        of camera: CameraID,
        _ script: inout Script,
        _ town: inout Town
    ) -> (file: String, bytes: Int) {
        let began = script.time.description.prefix(16)
            .replacing("T", with: "-").replacing(":", with: "-")
        let file = "cameras/\(camera)/\(began).webm"
        var end = 400
        for _ in 0..<minutes {
            let firstAt = script.time
            script.pass(.seconds(60))
            let minute = CameraMinuteArchived(
                file: file,
                offset: end,
                length: town.arbitrary.number(200_000...4_000_000),
                clusters: 60,
                frames: 600,
                digest: town.arbitrary.digest(),
                firstAt: firstAt,
                lastAt: script.time,
                missingMilliseconds: town.arbitrary.one(in: 4) ? 2_500 : 0
            )
            end += minute.length
            record(.minuteArchived(minute), of: camera, &script, &town)
        }
        return (file, end)
    }

    private static func record(
        _ event: CameraEvent,
        of camera: CameraID,
        _ script: inout Script,
        _ town: inout Town
    ) {
        script.record(recorder, .camera(camera), .camera(event), in: &town)
    }

    private static func settings(
        number: Int,
        of count: Int,
        _ town: inout Town
    ) -> CameraSettings {
        let fix = town.fix()
        let source = town.arbitrary.oneOf(CameraSettings.Source.self)
        return CameraSettings(
            site: "Depot North",
            number: number,
            name: "Gate \(number)",
            floor: 0,
            latitude: fix.latitude,
            longitude: fix.longitude,
            source: source,
            address: source == .rtsp ? "rtsp://192.0.2.7/1" : "http://192.0.2.7/video.mjpg",
            user: "viewer",
            secret: "c2VjcmV0",
            width: 640,
            height: 360,
            framesPerSecond: 10,
            kilobitsPerSecond: 500,
            keptDays: 30,
            keptBytes: 100 << 30,
            frame: .init(x: 640 * (number - 1), y: 0, width: 640, height: 360),
            neighbours: .init(right: number < count ? number + 1 : nil),
            notice: "the dog is ours",
            animation: "fade",
            viewers: [
                .init(role: .guard), .init(role: .supervisor, fromMinute: 1_320, untilMinute: 360),
            ],
            isOn: true
        )
    }
}
