// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Logging
import Media
import NIOCore
import Projections
import Synchronization
import Threads

/// Records all cameras that are on: each by a program of its own, which begins again when it ends.
struct CameraService: Sendable {
    static let name = "cameras"

    let ledger: Ledger
    let parts: CameraParts

    /// Serves until the task is cancelled.
    func run() async throws {
        var running: [CameraID: Running] = [:]
        let ended: Result<Void, any Error>
        do {
            ended = .success(try await follow(&running))
        } catch {
            ended = .failure(error)
        }
        // What each has is logged before the log closes.
        for camera in running.values { camera.task.cancel() }
        for camera in running.values { await camera.task.value }
        try ended.get()
    }

    private struct Running {
        let settings: CameraSettings
        let task: Task<Void, Never>
    }

    private func follow(_ running: inout [CameraID: Running]) async throws {
        let from = LogPosition(ledger.log.size)
        if let last = ledger.log.size.checkedPrevious {
            try await ledger.readModels.runner.wait(for: last, on: Self.name)
        }
        for camera in try await ledger.readModels.cameras.cameras(in: .wholeLedger) {
            try await begin(camera, &running)
        }
        for try await page in ledger.log.follow(from: from) {
            let changed = Set(
                page.lazy.map(\.envelope).filter { $0.kind == CameraSet.kind }
                    .compactMap { CameraID(String($0.subject.name)) }
            )
            for camera in changed { try await begin(camera, &running) }
        }
    }

    /// Reads a camera by its settings; one that is read by them goes on.
    private func begin(_ camera: CameraID, _ running: inout [CameraID: Running]) async throws {
        let state = try await ledger.handler.settled(Camera.self, camera)
        guard let settings = state.settings else { return }
        if let old = running[camera] {
            guard !old.settings.isReadLike(settings) else { return }
            old.task.cancel()
            await old.task.value
        }
        // Cancelled above and by run(), which wait for it.
        let task = Task {
            await CameraWatch(camera, settings, ledger: ledger, parts: parts).run()
        }
        running[camera] = Running(settings: settings, task: task)
    }
}

extension CameraSettings {
    /// Whether what is read and recorded is the same.
    fileprivate func isReadLike(_ other: CameraSettings) -> Bool {
        (isOn, source, address, user, secret) == (
            other.isOn, other.source, other.address, other.user, other.secret
        )
            && (width, height, framesPerSecond, kilobitsPerSecond) == (
                other.width, other.height, other.framesPerSecond, other.kilobitsPerSecond
            )
    }
}

/// Where cameras may be.
public struct CameraConfiguration: Sendable, Hashable {
    /// Networks, as `10.0.0.0/8`: the gateway connects to no camera elsewhere.
    public var networkTexts = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]

    public init() {}

    var networks: [NetworkRange] { networkTexts.compactMap(NetworkRange.init) }
}

/// What the service, the routes and the sockets of cameras share.
struct CameraParts: Sendable {
    let program: CameraProgram
    let folder: FootageFolder
    let room: ArchiveRoom
    let signals = Signals<CameraID>()
    let writers: ArchiveThreads
    let readers: ArchiveThreads

    init(video: VideoParts, program: CameraProgram) {
        self.program = program
        // Cameras end before callers' video does.
        room = video.roomOfCameras
        folder = FootageFolder(
            volumes: video.archive.folder.volumes,
            keys: video.archive.keys
        )
        writers = ArchiveThreads(count: 2, name: "cameras")
        readers = ArchiveThreads(count: 2, name: "footage")
    }
}

/// One camera, for as long as its settings stay: reads it again and again, and notes what it gives.
private struct CameraWatch: Sendable {
    let camera: CameraID
    let settings: CameraSettings
    let ledger: Ledger
    let parts: CameraParts
    let recorder: CameraRecorder

    /// The first pause between two tries, and the longest that it doubles to.
    private static let pauses = (first: Duration.seconds(1), longest: Duration.seconds(30))

    init(_ camera: CameraID, _ settings: CameraSettings, ledger: Ledger, parts: CameraParts) {
        (self.camera, self.settings) = (camera, settings)
        (self.ledger, self.parts) = (ledger, parts)
        recorder = CameraRecorder(
            camera,
            ledger: ledger,
            folder: parts.folder,
            room: parts.room,
            signals: parts.signals,
            thread: parts.writers.take()
        )
    }

    func run() async {
        var pause = Self.pauses.first
        var isRecovered = false
        while !Task.isCancelled {
            let began = ContinuousClock.now
            do {
                if !isRecovered { try await recorder.recover() }
                isRecovered = true
                guard settings.isOn else {
                    return try await note(.init(standing: .offline, cause: .off))
                }
                try await record()
            } catch is CancellationError {
                break
            } catch {
                report(error)
            }
            if ContinuousClock.now - began > Self.pauses.longest { pause = Self.pauses.first }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, Self.pauses.longest)
        }
        // Not cancelled with this: what came is kept.
        await Task { [recorder] in
            do { try await recorder.end() } catch { report(error) }
        }.value
    }

    /// Reads the camera once; returns when it ends.
    private func record() async throws {
        let password = settings.secret.flatMap { ledger.deliverySecrets.password($0) }
        let fault = Mutex<CameraStandingChanged.Cause?>(nil)
        let size = Mutex<(width: Int?, height: Int?)>((nil, nil))
        let (clocks, clock) = AsyncStream.makeStream(of: Timestamp.self)
        let begins = Begins(clocks, recorder)
        do {
            try await parts.program.run(.init(settings: settings, password: password)) { bytes in
                try await begins.wait()
                try await recorder.take(bytes)
            } status: { status in
                switch status {
                case .clock(let time):
                    clock.yield(time)
                    clock.finish()
                case .online(let width, let height):
                    size.withLock { $0 = (width, height) }
                    try await note(.init(standing: .online, width: width, height: height))
                case .frozen, .moving:
                    let (width, height) = size.withLock(\.self)
                    let standing: CameraStandingChanged.Standing =
                        status == .frozen ? .frozen : .online
                    try await note(.init(standing: standing, width: width, height: height))
                case .fault(let cause, let text):
                    fault.withLock { $0 = cause }
                    ledger.logger.info(
                        "a camera gives nothing",
                        metadata: ["camera": "\(camera)", "cause": "\(cause)", "why": "\(text)"]
                    )
                }
            }
            try await recorder.end()
        } catch {
            if error is CancellationError { throw error }
            let cause: CameraStandingChanged.Cause =
                error is ArchiveError || error is RecordingError ? .storage : .internal
            fault.withLock { $0 = $0 ?? cause }
            report(error)
            try? await recorder.end()
        }
        try Task.checkCancellation()
        try await note(
            .init(standing: .offline, cause: fault.withLock(\.self) ?? .ended)
        )
    }

    private func note(_ standing: CameraStandingChanged) async throws {
        let state = try await ledger.handler.settled(Camera.self, camera)
        guard let organisation = state.organisation else { return }
        let context = ledger.context(actor: .cameras, organisation: organisation)
        _ = try await ledger.handler.handle(RecordCameraStanding(camera, standing), context)
        parts.signals.raise(camera)
    }

    private func report(_ error: any Error) {
        guard !ledger.log.isClosed else { return }
        ledger.logger.warning(
            "a camera is not recorded",
            metadata: ["camera": "\(camera)", "error": "\(error)"]
        )
    }
}

/// Lets the first bytes of a stream wait until its clock was told.
private actor Begins {
    private let clocks: AsyncStream<Timestamp>
    private let recorder: CameraRecorder
    private var hasBegun = false

    init(_ clocks: AsyncStream<Timestamp>, _ recorder: CameraRecorder) {
        (self.clocks, self.recorder) = (clocks, recorder)
    }

    func wait() async throws {
        guard !hasBegun else { return }
        for await time in clocks { await recorder.begin(at: time) }
        try Task.checkCancellation()
        hasBegun = true
    }
}
