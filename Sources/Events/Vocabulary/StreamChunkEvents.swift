// SPDX-License-Identifier: Apache-2.0

/// A chunk of video, at most a second, is on disk.
public struct StreamChunkArchived: EventPayload {
    public static let row = EventKind(
        "stream.chunk_archived/1",
        StreamEvent.chunkArchived,
        audience: .conversation,
        timeline: true,
        summary: [
            .init("chunk", \.number), .init("part", \.part), .init("keyFrame", \.keyFrameWord),
        ]
    )

    /// Gapless from 0 within the stream.
    public let number: Int
    /// Path below the media folder.
    public let file: String
    /// Where the chunk begins in the file, in bytes.
    public let offset: Int
    /// Bytes.
    public let length: Int
    public let sha256: SHA256Digest
    /// Time of the first frame on the recording's own clock.
    public let firstMilliseconds: Int
    /// Time of the last frame.
    public let lastMilliseconds: Int
    /// Whether the chunk begins with a key frame.
    public let keyFrame: Bool
    /// Which part of the sender's bytes it came from, from 0.
    public let part: Int
    /// Bytes of that part which are archived with this chunk.
    public let through: Int

    public init(
        number: Int,
        file: String,
        offset: Int,
        length: Int,
        sha256: SHA256Digest,
        firstMilliseconds: Int,
        lastMilliseconds: Int,
        keyFrame: Bool,
        part: Int,
        through: Int
    ) {
        self.number = number
        self.file = file
        self.offset = offset
        self.length = length
        self.sha256 = sha256
        self.firstMilliseconds = firstMilliseconds
        self.lastMilliseconds = lastMilliseconds
        self.keyFrame = keyFrame
        self.part = part
        self.through = through
    }

    /// For people: said only of what begins with a key frame.
    var keyFrameWord: String? { keyFrame ? "yes" : nil }

    public var links: [SubjectLink] { [] }
}

/// A decoder looked at every frame of some chunks.
public struct StreamChunksInspected: EventPayload {
    public static let row = EventKind(
        "stream.chunks_inspected/1",
        StreamEvent.chunksInspected,
        audience: .conversation,
        timeline: true,
        summary: [
            .init("chunks", \.range), .init("outcome", \.outcome), .init("frames", \.frames),
            .init("undecodable", \.undecodable),
        ]
    )

    public let firstChunk: Int
    public let lastChunk: Int
    public let outcome: Outcome
    public let frames: Int
    public let undecodable: Int
    public let width: Int
    public let height: Int
    /// 0 is black, 255 white; none if nothing was decoded.
    public let meanLuma: Double?
    /// Digest of the small picture in the blob store.
    public let thumbnail: SHA256Digest?

    public init(
        firstChunk: Int,
        lastChunk: Int,
        outcome: Outcome,
        frames: Int,
        undecodable: Int,
        width: Int,
        height: Int,
        meanLuma: Double? = nil,
        thumbnail: SHA256Digest? = nil
    ) {
        self.firstChunk = firstChunk
        self.lastChunk = lastChunk
        self.outcome = outcome
        self.frames = frames
        self.undecodable = undecodable
        self.width = width
        self.height = height
        self.meanLuma = meanLuma
        self.thumbnail = thumbnail
    }

    /// For people: the first chunk and the last.
    var range: String { "\(firstChunk)-\(lastChunk)" }

    public var links: [SubjectLink] { [] }

    /// Whether the decoder lived through it.
    public enum Outcome: String, Codable, Hashable, Sendable, CaseIterable {
        case decoded
        case crashed
        case timedOut = "timed_out"
    }
}

/// There is time in the recording for which no video arrived.
public struct StreamGapDetected: EventPayload {
    public static let row = EventKind(
        "stream.gap_detected/1",
        StreamEvent.gapDetected,
        audience: .conversation,
        timeline: true,
        summary: [
            .init("fromMilliseconds", \.fromMilliseconds),
            .init("toMilliseconds", \.toMilliseconds), .init("cause", \.cause),
        ]
    )

    public let fromMilliseconds: Int
    public let toMilliseconds: Int
    public let cause: String

    public init(fromMilliseconds: Int, toMilliseconds: Int, cause: String) {
        self.fromMilliseconds = fromMilliseconds
        self.toMilliseconds = toMilliseconds
        self.cause = cause
    }

    public var links: [SubjectLink] { [] }
}

/// The recording got its duration and cues; its bytes do not change any more.
public struct StreamFinalized: EventPayload {
    public static let row = EventKind(
        "stream.finalized/1",
        StreamEvent.finalized,
        audience: .conversation,
        desk: true,
        timeline: true,
        summary: [.init("sha256", \.sha256)]
    )

    public let file: String
    public let sha256: SHA256Digest
    public let bytes: Int
    public let durationMilliseconds: Int

    public init(file: String, sha256: SHA256Digest, bytes: Int, durationMilliseconds: Int) {
        self.file = file
        self.sha256 = sha256
        self.bytes = bytes
        self.durationMilliseconds = durationMilliseconds
    }

    public var links: [SubjectLink] { [] }
}

/// The archive could not keep what arrived.
public struct StreamRecordingFailed: EventPayload {
    public static let row = EventKind(
        "stream.recording_failed/1",
        StreamEvent.recordingFailed,
        audience: .conversation,
        desk: true,
        timeline: true,
        summary: [.init("reasonCode", \.reasonCode), .init("text", \.text)]
    )

    public let reasonCode: String
    public let text: String

    public init(reasonCode: String, text: String) {
        self.reasonCode = reasonCode
        self.text = text
    }

    public var links: [SubjectLink] { [] }
}

/// Somebody watched; at most once a minute for each viewer and mode.
public struct StreamViewed: EventPayload {
    public static let row = EventKind(
        "stream.viewed/1",
        StreamEvent.viewed,
        audience: .conversation,
        timeline: true,
        summary: [.init("viewer", \.viewer), .init("mode", \.mode)]
    )

    public let viewer: Actor
    public let mode: Mode
    public let fromMilliseconds: Int?
    public let toMilliseconds: Int?

    public init(
        viewer: Actor,
        mode: Mode,
        fromMilliseconds: Int? = nil,
        toMilliseconds: Int? = nil
    ) {
        self.viewer = viewer
        self.mode = mode
        self.fromMilliseconds = fromMilliseconds
        self.toMilliseconds = toMilliseconds
    }

    public var links: [SubjectLink] { [] }

    /// How.
    public enum Mode: String, Codable, Hashable, Sendable, CaseIterable {
        case live
        case seekBack = "seek_back"
        case recorded
        case still
    }
}
