// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Media

/// Where the chunks of one stream lie, as the log says: what may be served, and what a restart compares with.
struct StreamIndex: Fold {
    let id: StreamID
    /// How it began; `nil` before it started.
    private(set) var start: StreamStarted?
    private(set) var startedAt: Timestamp?
    /// The phone that began it.
    private(set) var startedBy: DeviceID?
    private(set) var organisation = OrganisationID.main
    /// Every archived chunk, in the order of the file.
    private(set) var chunks: [IndexedChunk] = []
    private(set) var gaps: [StreamGapDetected] = []
    /// The newest settings of the sender.
    private(set) var quality: StreamQualityChanged?
    /// With which camera it films, as far as it was told.
    private(set) var camera: String?
    private(set) var isLit = false
    private(set) var state = State.live
    private(set) var stopped: StreamStopped?
    private(set) var finalized: StreamFinalized?
    /// How many chunks a decoder has looked at.
    private(set) var inspected = 0

    /// How far a stream has come, in the words of the API.
    enum State: String, Codable, Hashable, Sendable {
        case live, interrupted, stopped, finalized
    }

    init(_ id: StreamID) {
        self.id = id
    }

    static func source(of id: StreamID) -> FoldSource { .subject(.stream(id)) }

    mutating func apply(_ event: RecordedEvent) {
        guard case .stream(let fact) = event.fact else { return }
        switch fact {
        case .started(let started): begin(started, event.envelope)
        case .chunkArchived(let chunk): chunks.append(IndexedChunk(chunk, event.envelope))
        case .chunksInspected(let seen): inspected = max(inspected, seen.lastChunk + 1)
        case .gapDetected(let gap): gaps.append(gap)
        case .qualityChanged(let change):
            (quality, camera) = (change, change.camera ?? camera)
        case .cameraSwitched(let switched): camera = switched.camera
        case .torchToggled(let toggled): isLit = toggled.isOn
        case .interrupted: if stopped == nil { state = .interrupted }
        case .resumed: if stopped == nil { state = .live }
        case .stopped(let stop): (stopped, state) = (stop, .stopped)
        case .finalized(let final): (finalized, state) = (final, .finalized)
        case .recordingFailed, .viewed: break
        }
    }

    private mutating func begin(_ started: StreamStarted, _ envelope: Envelope) {
        (start, camera) = (started, started.camera)
        startedAt = envelope.time
        startedBy = envelope.actor.device
        organisation = envelope.organisation
    }
}

extension StreamIndex {
    /// The chunks by time.
    var byTime: RecordingIndex { RecordingIndex(chunks.lazy.map(\.place)) }

    /// The first byte of the file that the log does not vouch for.
    var bytesLogged: UInt64 { chunks.last.map { $0.place.bytes.upperBound } ?? 0 }

    /// What may be served: all of a finished file, and of a growing one what is logged.
    var bytesServed: UInt64 { finalized.map { UInt64($0.bytes) } ?? bytesLogged }

    /// The times with pictures, in milliseconds; shorter holes than the given do not count.
    func timespans(joiningMilliseconds hole: Int64) -> [ClosedRange<Int64>] {
        var spans: [ClosedRange<Int64>] = []
        for place in byTime.byTime {
            guard let last = spans.last, place.firstMilliseconds - last.upperBound <= hole else {
                spans.append(place.firstMilliseconds...place.lastMilliseconds)
                continue
            }
            let end = max(last.upperBound, place.lastMilliseconds)
            spans[spans.count - 1] = last.lowerBound...end
        }
        return spans
    }
}

/// One chunk, and where the log says so.
struct IndexedChunk: Hashable, Sendable {
    let place: ChunkPlace
    let sha256: SHA256Digest
    /// Bytes of its part that are archived with it.
    let through: UInt64
    let position: LogPosition
    let archivedAt: Timestamp

    init(_ chunk: StreamChunkArchived, _ envelope: Envelope) {
        place = ChunkPlace(
            index: chunk.number,
            offset: UInt64(chunk.offset),
            length: chunk.length,
            firstMilliseconds: Int64(chunk.firstMilliseconds),
            lastMilliseconds: Int64(chunk.lastMilliseconds),
            startsWithKeyFrame: chunk.keyFrame,
            part: UInt32(clamping: chunk.part)
        )
        sha256 = chunk.sha256
        through = UInt64(chunk.through)
        position = envelope.position
        archivedAt = envelope.time
    }

    /// As the recording's writer wants to know it.
    var logged: LoggedChunk {
        LoggedChunk(place, through: through, sha256: sha256.text)
    }
}
