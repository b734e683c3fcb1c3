// SPDX-License-Identifier: Apache-2.0
import Events

/// The bytes of the archive that an event speaks of.
struct FileRange {
    let file: String
    let offset: Int?
    let length: Int?
    let firstMilliseconds: Int?
    let lastMilliseconds: Int?

    init?(_ fact: Fact) {
        guard case .stream(let event) = fact else { return nil }
        switch event {
        case .started(let started):
            self.init(file: started.file)
        case .chunkArchived(let chunk):
            file = chunk.file
            offset = chunk.offset
            length = chunk.length
            firstMilliseconds = chunk.firstMilliseconds
            lastMilliseconds = chunk.lastMilliseconds
        case .finalized(let final):
            self.init(file: final.file, length: final.bytes, until: final.durationMilliseconds)
        case .chunksInspected, .gapDetected, .qualityChanged, .interrupted, .resumed, .stopped,
            .recordingFailed, .viewed:
            return nil
        }
    }

    private init(file: String, length: Int? = nil, until: Int? = nil) {
        self.file = file
        offset = length.map { _ in 0 }
        self.length = length
        firstMilliseconds = until.map { _ in 0 }
        lastMilliseconds = until
    }
}
