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
            self.init(
                file: chunk.file,
                offset: chunk.offset,
                length: chunk.length,
                from: chunk.firstMilliseconds,
                until: chunk.lastMilliseconds
            )
        case .finalized(let final):
            self.init(
                file: final.file,
                offset: 0,
                length: final.bytes,
                from: 0,
                until: final.durationMilliseconds
            )
        case .chunksInspected, .gapDetected, .qualityChanged, .cameraSwitched, .torchToggled,
            .interrupted, .resumed, .stopped, .recordingFailed, .viewed:
            return nil
        }
    }

    private init(
        file: String,
        offset: Int? = nil,
        length: Int? = nil,
        from: Int? = nil,
        until: Int? = nil
    ) {
        self.file = file
        self.offset = offset
        self.length = length
        firstMilliseconds = from
        lastMilliseconds = until
    }
}
