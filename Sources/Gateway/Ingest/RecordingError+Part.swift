// SPDX-License-Identifier: Apache-2.0
import Media

extension RecordingError {
    /// The part that is refused however often it comes again; `nil` where it may be taken another time.
    var refusedPart: UInt32? {
        switch self {
        case .webM(_, let part), .frame(_, let part, _), .lyingContainer(let part, _, _),
            .beginsWithoutKeyFrame(let part), .tooLong(let part, _),
            .otherCodec(let part, _, _), .noFramesFor(_, let part), .tooManyParts(let part),
            .partEnded(let part, _), .conflict(let part, _):
            part
        default: nil
        }
    }
}
