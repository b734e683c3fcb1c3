// SPDX-License-Identifier: Apache-2.0

/// What can happen to a live stream of video and its recording.
public enum StreamEvent: EventFamily {
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

    public static let kinds: [any EventPayload.Type] = [
        StreamStarted.self, StreamChunkArchived.self, StreamChunksInspected.self,
        StreamGapDetected.self, StreamQualityChanged.self, StreamCameraSwitched.self,
        StreamTorchToggled.self, StreamInterrupted.self, StreamResumed.self, StreamStopped.self,
        StreamFinalized.self, StreamRecordingFailed.self, StreamViewed.self,
    ]

    public var fact: Fact { .stream(self) }

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
    public static let row = EventKind(
        "stream.started/1",
        StreamEvent.started,
        audience: .conversation,
        desk: true,
        known: true,
        timeline: true,
        linksDigest: 0x0872_A4A3,
        summary: [
            .init("session", \.session), .init("transport", \.transport), .init("codec", \.codec),
            .init("size", \.size), .init("framesPerSecond", \.framesPerSecond),
            .init("quality", \.quality), .init("camera", \.camera),
        ]
    )

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

    /// For people: width and height, in pixels.
    var size: String { "\(width)x\(height)" }

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
    public static let row = EventKind(
        "stream.quality_changed/1",
        StreamEvent.qualityChanged,
        audience: .conversation,
        desk: true,
        timeline: true,
        summary: [
            .init("quality", \.quality), .init("size", \.size),
            .init("kilobitsPerSecond", \.kilobitsPerSecond), .init("cause", \.cause),
        ]
    )

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

    /// For people: width and height, in pixels.
    var size: String { "\(width)x\(height)" }

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
    public static let row = EventKind(
        "stream.camera_switched/1",
        StreamEvent.cameraSwitched,
        audience: .conversation,
        desk: true,
        timeline: true,
        summary: [.init("camera", \.camera)]
    )

    /// `front`, `rear` or what the device calls it.
    public let camera: String

    public init(camera: String) {
        self.camera = camera
    }

    public var links: [SubjectLink] { [] }
}

/// The light beside the sender's camera was switched on or off.
public struct StreamTorchToggled: EventPayload {
    public static let row = EventKind(
        "stream.torch_toggled/1",
        StreamEvent.torchToggled,
        audience: .conversation,
        desk: true,
        timeline: true,
        summary: [.init("light", \.light)]
    )

    public let isOn: Bool

    public init(isOn: Bool) {
        self.isOn = isOn
    }

    /// For people.
    var light: String { isOn ? "on" : "off" }

    public var links: [SubjectLink] { [] }
}

/// Nothing arrived for a while, or the connection broke.
public struct StreamInterrupted: EventPayload {
    public static let row = EventKind(
        "stream.interrupted/1",
        StreamEvent.interrupted,
        audience: .conversation,
        desk: true,
        lowDisk: .take,
        timeline: true,
        summary: [.init("reason", \.reason)]
    )

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
    public static let row = EventKind(
        "stream.resumed/1",
        StreamEvent.resumed,
        audience: .conversation,
        desk: true,
        timeline: true,
        summary: [.init("gapMilliseconds", \.gapMilliseconds), .init("part", \.part)]
    )

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
    public static let row = EventKind(
        "stream.stopped/1",
        StreamEvent.stopped,
        audience: .conversation,
        desk: true,
        known: true,
        lowDisk: .takeToTheLast,
        timeline: true,
        linksDigest: 0xAE2E_937F,
        summary: [
            .init("by", \.by), .init("reason", \.reason),
            .init("durationMilliseconds", \.durationMilliseconds), .init("chunks", \.chunks),
            .init("bytes", \.bytes),
        ]
    )

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
