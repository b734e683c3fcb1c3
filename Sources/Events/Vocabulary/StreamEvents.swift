// SPDX-License-Identifier: Apache-2.0

/// What can happen to a live stream of video and its recording.
public enum StreamEvent: Hashable, Sendable {
    case started(StreamStarted)
    case chunkArchived(StreamChunkArchived)
    case chunksInspected(StreamChunksInspected)
    case gapDetected(StreamGapDetected)
    case qualityChanged(StreamQualityChanged)
    case cameraSwitched(StreamCameraSwitched)
    case torchToggled(StreamTorchToggled)
    case interrupted(StreamInterrupted)
    case resumed(StreamResumed)
    case stopped(StreamStopped)
    case finalized(StreamFinalized)
    case recordingFailed(StreamRecordingFailed)
    case viewed(StreamViewed)

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .started(let payload): payload
        case .chunkArchived(let payload): payload
        case .chunksInspected(let payload): payload
        case .gapDetected(let payload): payload
        case .qualityChanged(let payload): payload
        case .cameraSwitched(let payload): payload
        case .torchToggled(let payload): payload
        case .interrupted(let payload): payload
        case .resumed(let payload): payload
        case .stopped(let payload): payload
        case .finalized(let payload): payload
        case .recordingFailed(let payload): payload
        case .viewed(let payload): payload
        }
    }
}

/// Video began to arrive and its file was created.
public struct StreamStarted: EventPayload {
    public static let kind: Kind = "stream.started/1"

    public let session: SessionID
    public let incident: IncidentID
    public let caller: PersonID
    public let transport: Transport
    public let codec: Codec
    public let width: Int
    public let height: Int
    public let framesPerSecond: Int
    public let kilobitsPerSecond: Int
    public let quality: Quality
    /// `front`, `rear` or what the device calls it.
    public let camera: String?
    /// Path below the media folder; the name never changes (ruling 23).
    public let file: String
    /// The site's zone in which the file is named.
    public let timeZone: String

    public init(
        session: SessionID,
        incident: IncidentID,
        caller: PersonID,
        transport: Transport,
        codec: Codec,
        width: Int,
        height: Int,
        framesPerSecond: Int,
        kilobitsPerSecond: Int,
        quality: Quality,
        camera: String? = nil,
        file: String,
        timeZone: String
    ) {
        self.session = session
        self.incident = incident
        self.caller = caller
        self.transport = transport
        self.codec = codec
        self.width = width
        self.height = height
        self.framesPerSecond = framesPerSecond
        self.kilobitsPerSecond = kilobitsPerSecond
        self.quality = quality
        self.camera = camera
        self.file = file
        self.timeZone = timeZone
    }

    public var links: [SubjectLink] {
        [.about(.session(session)), .about(.incident(incident)), .about(.person(caller))]
    }

    /// How the video arrives.
    public enum Transport: String, Codable, Hashable, Sendable, CaseIterable {
        case webSocket = "websocket"
        case http
    }

    /// What the frames are coded in.
    public enum Codec: String, Codable, Hashable, Sendable, CaseIterable {
        case vp9
        case vp8
    }
}

/// The sender changed tier, size or bit rate.
public struct StreamQualityChanged: EventPayload {
    public static let kind: Kind = "stream.quality_changed/1"

    public let quality: Quality
    public let width: Int
    public let height: Int
    public let framesPerSecond: Int
    public let kilobitsPerSecond: Int
    public let camera: String?
    public let cause: Cause

    public init(
        quality: Quality,
        width: Int,
        height: Int,
        framesPerSecond: Int,
        kilobitsPerSecond: Int,
        camera: String? = nil,
        cause: Cause
    ) {
        self.quality = quality
        self.width = width
        self.height = height
        self.framesPerSecond = framesPerSecond
        self.kilobitsPerSecond = kilobitsPerSecond
        self.camera = camera
        self.cause = cause
    }

    public var links: [SubjectLink] { [] }

    /// Who wanted it.
    public enum Cause: String, Codable, Hashable, Sendable, CaseIterable {
        case user
        case automatic
        case `operator`
    }
}

/// The sender films with another camera from now on.
public struct StreamCameraSwitched: EventPayload {
    public static let kind: Kind = "stream.camera_switched/1"

    /// `front`, `rear` or what the device calls it.
    public let camera: String

    public init(camera: String) {
        self.camera = camera
    }

    public var links: [SubjectLink] { [] }
}

/// The light beside the sender's camera was switched on or off.
public struct StreamTorchToggled: EventPayload {
    public static let kind: Kind = "stream.torch_toggled/1"

    public let isOn: Bool

    public init(isOn: Bool) {
        self.isOn = isOn
    }

    public var links: [SubjectLink] { [] }
}

/// Nothing arrived for a while, or the connection broke.
public struct StreamInterrupted: EventPayload {
    public static let kind: Kind = "stream.interrupted/1"

    public let reason: Reason

    public init(reason: Reason) {
        self.reason = reason
    }

    public var links: [SubjectLink] { [] }

    /// Why.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        case silence
        case disconnected
    }
}

/// Video arrives again after an interruption.
public struct StreamResumed: EventPayload {
    public static let kind: Kind = "stream.resumed/1"

    public let gapMilliseconds: Int
    /// The part that continues or begins.
    public let part: Int

    public init(gapMilliseconds: Int, part: Int) {
        self.gapMilliseconds = gapMilliseconds
        self.part = part
    }

    public var links: [SubjectLink] { [] }
}

/// The stream ended.
public struct StreamStopped: EventPayload {
    public static let kind: Kind = "stream.stopped/1"

    public let session: SessionID
    public let by: Party
    public let reason: String
    public let durationMilliseconds: Int
    public let chunks: Int
    public let bytes: Int

    public init(
        session: SessionID,
        by: Party,
        reason: String,
        durationMilliseconds: Int,
        chunks: Int,
        bytes: Int
    ) {
        self.session = session
        self.by = by
        self.reason = reason
        self.durationMilliseconds = durationMilliseconds
        self.chunks = chunks
        self.bytes = bytes
    }

    public var links: [SubjectLink] {
        [.about(.session(session))]
    }
}
