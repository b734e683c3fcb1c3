// SPDX-License-Identifier: Apache-2.0
public import Events

/// A live stream of video and its recording: how far it is archived, inspected and over.
public struct Stream: Fold {
    public let id: StreamID
    /// How it began; `nil` before it started.
    public private(set) var start: StreamStarted?
    public private(set) var phase = Phase.absent
    /// How many chunks are archived; the next one has this number.
    public private(set) var chunks = 0
    /// Their bytes.
    public private(set) var bytes = 0
    /// The chunk that was archived last.
    public private(set) var lastChunk: StreamChunkArchived?
    /// The part that the sender is in.
    public private(set) var part = 0
    /// Time of the first frame.
    public private(set) var firstMilliseconds: Int?
    /// Time of the last frame.
    public private(set) var lastMilliseconds: Int?
    /// How many chunks a decoder has looked at, counted from the first.
    public private(set) var inspected = 0
    /// What the recording's bytes are, once they no longer change.
    public private(set) var finalized: StreamFinalized?
    /// What arrived last: its start, a chunk, or its sender.
    public private(set) var lastArrival: Cause?
    /// When each viewer was last recorded in each mode.
    public private(set) var viewings: [Viewing: Timestamp] = [:]

    /// How far a stream has come.
    public enum Phase: Hashable, Sendable {
        case absent
        case live
        case interrupted
        case stopped
    }

    /// Who watches how.
    public struct Viewing: Hashable, Sendable {
        public let viewer: Actor
        public let mode: StreamViewed.Mode

        public init(viewer: Actor, mode: StreamViewed.Mode) {
            self.viewer = viewer
            self.mode = mode
        }
    }

    public init(_ id: StreamID) {
        self.id = id
    }

    public static func source(of id: StreamID) -> FoldSource { .subject(.stream(id)) }

    /// Whether nothing can start it again.
    public var isOver: Bool { phase == .stopped }

    /// How much of the sender's part is archived; what a resuming sender is told.
    public var through: Int {
        lastChunk.map { $0.part == part ? $0.through : 0 } ?? 0
    }

    /// Takes in an event of the stream's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .stream(let fact) = event.fact else { return }
        switch fact {
        case .started(let started):
            (start, phase) = (started, .live)
            lastArrival = Cause(event.envelope)
        case .chunkArchived(let chunk):
            apply(chunk)
            lastArrival = Cause(event.envelope)
        case .chunksInspected(let seen): inspected = max(inspected, seen.lastChunk + 1)
        case .gapDetected, .qualityChanged, .cameraSwitched, .torchToggled, .recordingFailed: break
        case .interrupted: phase = isOver ? .stopped : .interrupted
        case .resumed(let resumed):
            phase = isOver ? .stopped : .live
            part = max(part, resumed.part)
            lastArrival = Cause(event.envelope)
        case .stopped: phase = .stopped
        case .finalized(let final): finalized = final
        case .viewed(let viewed):
            let viewing = Viewing(viewer: viewed.viewer, mode: viewed.mode)
            viewings[viewing] = event.envelope.time
        }
    }

    private mutating func apply(_ chunk: StreamChunkArchived) {
        chunks = max(chunks, chunk.number + 1)
        // A fold accepts every event: nonsense in an imported log may wrap, and must not stop the reader.
        bytes &+= chunk.length
        lastChunk = chunk
        part = max(part, chunk.part)
        firstMilliseconds = min(
            firstMilliseconds ?? chunk.firstMilliseconds,
            chunk.firstMilliseconds
        )
        lastMilliseconds = max(lastMilliseconds ?? chunk.lastMilliseconds, chunk.lastMilliseconds)
    }
}

extension Stream {
    /// Whether nothing has arrived for so long; of `nil` it always is.
    func isSilent(for silence: Duration?, at now: Timestamp) -> Bool {
        guard let silence, let lastArrival else { return true }
        return now >= lastArrival.time + silence
    }

    /// What began, if the stream is not over, or why it takes nothing.
    func running<Refusal: Error>(
        else refuse: (StreamUnavailable) -> Refusal
    ) throws(Refusal) -> StreamStarted {
        guard let start else { throw refuse(.unknown(id)) }
        guard !isOver else { throw refuse(.stopped(id)) }
        return start
    }

    /// What began, if the recording may still grow.
    func growing<Refusal: Error>(
        else refuse: (StreamUnavailable) -> Refusal
    ) throws(Refusal) -> StreamStarted {
        guard let start else { throw refuse(.unknown(id)) }
        guard finalized == nil else { throw refuse(.finalized(id)) }
        return start
    }

    /// The end of a stream that is not over; `nil` if there is nothing to stop.
    func stop(by party: Party, reason: String) -> Write? {
        guard let start, !isOver else { return nil }
        let stopped = StreamStopped(
            session: start.session,
            by: party,
            reason: reason,
            durationMilliseconds: (lastMilliseconds ?? 0) - (firstMilliseconds ?? 0),
            chunks: chunks,
            bytes: bytes
        )
        return .stream(id, .stopped(stopped))
    }
}

/// Why a stream takes nothing.
public enum StreamUnavailable: Hashable, Sendable {
    case unknown(StreamID)
    case stopped(StreamID)
    case finalized(StreamID)

    func problem(of attempt: String) -> Problem {
        switch self {
        case .unknown(let id):
            Problem(
                .notFound,
                "stream-unknown",
                "\(attempt) refused: there is no stream \(id); check the id",
                facts: ["stream": "\(id)"]
            )
        case .stopped(let id):
            Problem(
                .gone,
                "stream-stopped",
                "\(attempt) refused: stream \(id) has stopped; start a new stream",
                facts: ["stream": "\(id)"]
            )
        case .finalized(let id):
            Problem(
                .gone,
                "stream-finalized",
                "\(attempt) refused: the recording of stream \(id) is final; start a new stream",
                facts: ["stream": "\(id)"]
            )
        }
    }
}
