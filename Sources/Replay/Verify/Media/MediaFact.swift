// SPDX-License-Identifier: Apache-2.0
import Events

/// What the log says about a file of video.
struct MediaFact: Sendable {
    /// The position of the event.
    let position: UInt64
    /// Path below the media folder; empty where the event names the stream alone.
    let file: String
    let stream: Subject
    let claim: Claim

    enum Claim: Sendable {
        case started(of: PersonID)
        case chunk(number: Int, offset: Int, length: Int, sha256: SHA256Digest)
        case finalized(bytes: Int, sha256: SHA256Digest)
        /// A minute of a camera's footage: some clusters, and a digest over theirs.
        case minute(offset: Int, length: Int, clusters: Int, digest: SHA256Digest)
        /// The file was removed, for its time was over or the room was needed.
        case expired
        /// A decoder looked at some chunks when they arrived; `isWhole` if it could decode every frame.
        case inspected(chunks: ClosedRange<Int>, isWhole: Bool)
    }

    /// Reads it from an event; `nil` if the event says nothing about a file.
    ///
    /// - Throws: ``EntryFault`` for a range of bytes that no file can have.
    init?(_ fact: Fact, at position: UInt64, subject: String) throws(EntryFault) {
        let stream = Subject(unchecked: subject)
        switch fact {
        case .stream(let event): try self.init(event, at: position, of: stream)
        case .camera(let event): try self.init(event, at: position, of: stream)
        default: return nil
        }
    }

    private init?(
        _ event: CameraEvent,
        at position: UInt64,
        of camera: Subject
    ) throws(EntryFault) {
        switch event {
        case .minuteArchived(let minute):
            guard minute.offset >= 0, minute.length >= 0, minute.clusters >= 0,
                !minute.offset.addingReportingOverflow(minute.length).overflow
            else { throw EntryFault("data", "places a minute where no file has bytes") }
            file = minute.file
            claim = .minute(
                offset: minute.offset,
                length: minute.length,
                clusters: minute.clusters,
                digest: minute.digest
            )
        case .footageExpired(let expired): (file, claim) = (expired.file, .expired)
        case .set, .standingChanged: return nil
        }
        (self.position, stream) = (position, camera)
    }

    private init?(
        _ event: StreamEvent,
        at position: UInt64,
        of stream: Subject
    ) throws(EntryFault) {
        switch event {
        case .started(let started):
            file = started.file
            claim = .started(of: started.caller)
        case .chunkArchived(let chunk):
            guard chunk.offset >= 0, chunk.length >= 0,
                !chunk.offset.addingReportingOverflow(chunk.length).overflow
            else { throw EntryFault("data", "places a chunk where no file has bytes") }
            file = chunk.file
            claim = .chunk(
                number: chunk.number,
                offset: chunk.offset,
                length: chunk.length,
                sha256: chunk.sha256
            )
        case .finalized(let final):
            guard final.bytes >= 0 else {
                throw EntryFault("data", "gives a file fewer than no bytes")
            }
            file = final.file
            claim = .finalized(bytes: final.bytes, sha256: final.sha256)
        case .chunksInspected(let seen):
            guard seen.firstChunk <= seen.lastChunk else {
                throw EntryFault("data", "ends before the chunk at which it begins")
            }
            file = ""
            claim = .inspected(
                chunks: seen.firstChunk...seen.lastChunk,
                isWhole: seen.outcome == .decoded && seen.undecodable == 0
            )
        case .gapDetected, .qualityChanged, .cameraSwitched, .torchToggled, .interrupted, .resumed,
            .stopped, .recordingFailed, .viewed:
            return nil
        }
        (self.position, self.stream) = (position, stream)
    }
}
