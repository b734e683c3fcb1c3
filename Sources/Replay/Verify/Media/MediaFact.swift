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
        /// A decoder looked at some chunks when they arrived; `isWhole` if it could decode every frame.
        case inspected(chunks: ClosedRange<Int>, isWhole: Bool)
    }

    /// Reads it from an event; `nil` if the event says nothing about a file.
    ///
    /// - Throws: ``EntryFault`` for a range of bytes that no file can have.
    init?(_ fact: Fact, at position: UInt64, subject: String) throws(EntryFault) {
        guard case .stream(let event) = fact else { return nil }
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
        self.position = position
        stream = Subject(unchecked: subject)
    }
}
