// SPDX-License-Identifier: Apache-2.0
public import Events

/// The recorder notes what a camera gives; the same again is noted once.
public struct RecordCameraStanding: Command {
    public let camera: CameraID
    public let standing: CameraStandingChanged

    public init(_ camera: CameraID, _ standing: CameraStandingChanged) {
        (self.camera, self.standing) = (camera, standing)
    }

    public typealias Refusal = CameraRefusal

    public var subject: Subject { .camera(camera) }

    public func read(_ ledger: inout LedgerView) throws -> Camera {
        try ledger.read(Camera.self, camera)
    }

    public func decide(
        _ state: Camera,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.organisation == context.organisation else { throw .unknown(camera) }
        guard state.standing != standing else { return .already(()) }
        return .record([.camera(camera, .standingChanged(standing))])
    }
}

/// The recorder has a minute of footage on disk; one that lies before the newest known is known already.
public struct ArchiveMinute: Command {
    public let camera: CameraID
    public let minute: CameraMinuteArchived

    public init(_ camera: CameraID, _ minute: CameraMinuteArchived) {
        (self.camera, self.minute) = (camera, minute)
    }

    public typealias Refusal = CameraRefusal

    public var subject: Subject { .camera(camera) }

    public func read(_ ledger: inout LedgerView) throws -> Camera {
        try ledger.read(Camera.self, camera)
    }

    public func decide(
        _ state: Camera,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.organisation == context.organisation else { throw .unknown(camera) }
        // Files are named by their hours: an earlier one is over.
        if let newest = state.newest, newest.file > minute.file { return .already(()) }
        if let newest = state.newest, newest.file == minute.file {
            let end = newest.offset + newest.length
            guard minute.offset + minute.length > end else { return .already(()) }
            guard minute.offset == end else { throw .gap(minute.file, at: end) }
        }
        return .record([.camera(camera, .minuteArchived(minute))])
    }
}

/// A file of footage is about to be removed: not the file that grows, none that an incident keeps a span of, and none of a camera on
/// which a hold is.
public struct ExpireFootage: Command {
    public let camera: CameraID
    public let expired: CameraFootageExpired
    /// When its first picture and its last were taken.
    public let span: ClosedRange<Timestamp>

    public init(
        _ camera: CameraID,
        _ expired: CameraFootageExpired,
        of span: ClosedRange<Timestamp>
    ) {
        (self.camera, self.expired, self.span) = (camera, expired, span)
    }

    public typealias Refusal = CameraRefusal

    public var subject: Subject { .camera(camera) }

    public struct State {
        let camera: Camera
        let isHeld: Bool
        let kept: [ClosedRange<Timestamp>]
    }

    public func read(_ ledger: inout LedgerView) throws -> State {
        let state = try ledger.read(Camera.self, camera)
        let holds = try state.organisation.map { try ledger.read(Holds.self, $0).active } ?? [:]
        return State(
            camera: state,
            isHeld: holds.values.contains { $0.scope == subject },
            kept: try ledger.read(KeptSpans.self, camera).spans
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.camera.organisation == context.organisation else { throw .unknown(camera) }
        guard state.camera.newest?.file != expired.file else { throw .growing(expired.file) }
        guard !state.isHeld else { throw .held(camera) }
        guard !state.kept.contains(where: span.overlaps) else { throw .kept(expired.file) }
        return .record([.camera(camera, .footageExpired(expired))])
    }
}

/// Why nothing was noted of a camera.
public enum CameraRefusal: CommandRefusal {
    /// It was never set up, or is another organisation's.
    case unknown(CameraID)
    /// The minute does not begin where the one before it ends.
    case gap(String, at: Int)
    /// The file grows.
    case growing(String)
    /// A hold is on the camera.
    case held(CameraID)
    /// An incident keeps a span of it.
    case kept(String)

    public var problem: Problem {
        switch self {
        case .unknown(let camera):
            Problem(
                .notFound,
                "camera-unknown",
                "noting refused: there is no camera \(camera); set it up first",
                facts: ["camera": "\(camera)"]
            )
        case .gap(let file, let end):
            Problem(
                .conflict,
                "camera-minute-gap",
                "archiving refused: the footage in \(file) is known up to byte \(end); begin there",
                facts: ["file": file]
            )
        case .growing(let file):
            Problem(
                .conflict,
                "camera-file-growing",
                "removing refused: \(file) is still written; wait for its hour to end",
                facts: ["file": file]
            )
        case .kept(let file):
            Problem(
                .conflict,
                "camera-footage-kept",
                "removing refused: an incident keeps a span of \(file); remove another one",
                facts: ["file": file]
            )
        case .held(let camera):
            Problem(
                .conflict,
                "camera-held",
                "removing refused: a hold is on camera \(camera); lift it first",
                facts: ["camera": "\(camera)"]
            )
        }
    }
}
