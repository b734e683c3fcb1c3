// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Glibc
import Projections

/// A ledger of cameras that are recorded day and night: its size, and how long it takes to open it, to build the list of footage, and to ask for a day of it.
struct CameraMonthRow {
    let days: Int
    private let asked = 101

    func run() async throws -> [Row] {
        try await withScratch { folder in
            let opening = try OpenRow.rows(
                "\(CameraMonth.cameraCount) cameras' \(days) days",
                filling: ["fill-cameras", folder.path, "\(days)"],
                opening: ["open-cameras", folder.path]
            )
            let log = try EventLog.open(folder, configuration: CameraMonth.configuration)
            let projector = CamerasProjector()
            let read = folder.appending(path: "read")
            let took = try await RebuildRow.build(projector, from: log, in: read)
            let asking = try await ask(log, projector, in: read)
            let events = Double(log.size)
            await log.close()
            let file = try bytesOnDisk(read)
            let sizes = try ["log", "index"].flatMap { part in
                let bytes = try bytesOnDisk(folder.appending(path: part))
                return [
                    row("their \(part) on disk", bytes / 1e6, "MB"),
                    row("their \(part) on disk, an event", bytes / events, "B"),
                ]
            }
            let count = row(
                "events of \(CameraMonth.cameraCount) cameras in \(days) days",
                events,
                "events"
            )
            let rebuild = row(
                "rebuild of \(projector.identity.name), rate",
                events / took,
                "events/s",
                target: 150_000,
                higherIsBetter: true
            )
            return [count] + sizes + opening + [
                rebuild,
                row("its file on disk", file / 1e6, "MB"),
                row("footage of a camera and day, p50", asking, "ms"),
            ]
        }
    }

    /// In a process of its own: records it, says so, and waits to be killed.
    static func fill(_ path: String, days: Int) async throws {
        let log = try EventLog.open(
            URL(filePath: path),
            configuration: CameraMonth.configuration
        )
        var month = CameraMonth()
        try await month.record(days: days, in: log)
        try await OpenRow.waitToBeKilled()
    }

    /// The milliseconds that the list of a camera's last day takes.
    private func ask(
        _ log: EventLog,
        _ projector: CamerasProjector,
        in folder: URL
    ) async throws -> Double {
        let runner = ProjectionRunner(
            folder: folder,
            log: log,
            projectors: [projector],
            keys: NoKeys()
        )
        let cameras = Cameras(try runner.database(projector.identity.name))
        let camera = CameraMonth().cameras[0]
        let (from, until) = CameraMonth.bounds(ofDay: days - 1)
        var took: [Double] = []
        for _ in 0..<asked {
            took.append(
                try await seconds {
                    let hours = try await cameras.footage(of: camera, from: from, until: until)
                    let isWhole = hours.allSatisfy { $0.missingMilliseconds == 0 }
                    guard hours.count == 24, isWhole else { throw OtherFootage(hours: hours) }
                } * 1e3
            )
        }
        return median(took)
    }

    struct OtherFootage: Error {
        let hours: [Footage]
    }

    /// What a folder takes: files have holes.
    private func bytesOnDisk(_ folder: URL) throws -> Double {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).reduce(0) { sum, name in
            var facts = stat()
            guard stat(folder.appending(path: name).path, &facts) == 0 else {
                throw POSIXError(.ENOENT)
            }
            return sum + Double(facts.st_blocks) * 512
        }
    }

    private func row(
        _ name: String,
        _ value: Double,
        _ unit: String,
        target: Double? = nil,
        higherIsBetter: Bool = false
    ) -> Row {
        Row(
            name: name,
            value: value,
            unit: unit,
            baseline: nil,
            ratio: nil,
            target: target,
            higherIsBetter: higherIsBetter
        )
    }
}
