// SPDX-License-Identifier: Apache-2.0
/// What can happen to a live stream of video and its recording.
public enum StreamEvent: Hashable, Sendable {
    case started(StreamStarted)
    case chunkArchived(StreamChunkArchived)
    case chunksInspected(StreamChunksInspected)
    case gapDetected(StreamGapDetected)
    case qualityChanged(StreamQualityChanged)
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
        case .interrupted(let payload): payload
        case .resumed(let payload): payload
        case .stopped(let payload): payload
        case .finalized(let payload): payload
        case .recordingFailed(let payload): payload
        case .viewed(let payload): payload
        }
    }
}
