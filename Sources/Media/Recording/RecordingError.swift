// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Why the archive did not take bytes or could not work.
///
/// The refusals (``isRefusal``) change nothing: the recording goes on and other bytes are welcome. After any
/// other error the ``RecordingWriter`` takes nothing more; open the file again, which recovers it.
public enum RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes of a part are no WebM video that the archive takes.
    case webM(WebMError, part: UInt32)
    /// A frame is not what the container or its codec says.
    case frame(FrameHeaderError, part: UInt32, offset: UInt64)
    /// The container says key frame and the codec does not, or the other way round.
    case lyingContainer(part: UInt32, offset: UInt64, markedKey: Bool)
    case beginsWithoutKeyFrame(part: UInt32)
    case tooLong(part: UInt32, milliseconds: Int64)
    case otherCodec(part: UInt32, codec: VideoCodec, recording: VideoCodec)
    case noFramesFor(bytes: Int, part: UInt32)
    /// The bytes would make more chunks than the recording may have by now: send fewer at once, after `wait`.
    case tooManyChunks(Int, part: UInt32, wait: Duration)
    /// A frame lies so far ahead of the time that has passed that it cannot have been filmed: send it after `wait`.
    case aheadOfTime(part: UInt32, milliseconds: Int64, wait: Duration)
    case unknownPart(UInt32)
    case tooManyParts(UInt32)
    case partEnded(UInt32, through: UInt64)
    /// Bytes are missing before the offset: send from `expected`.
    case gap(part: UInt32, expected: UInt64, offset: UInt64)
    /// Other bytes stand at this offset already.
    case conflict(part: UInt32, offset: UInt64)
    case pieceTooLarge(bytes: Int)
    /// More of the recording's pictures are unfinished than may wait in memory.
    case tooMuchUnfinished(bytes: Int, part: UInt32)

    case storage(String, path: String, code: Int32)
    case inUse(path: String)
    case namesTaken(path: String)
    case invalidName(String)
    case truncated(path: String, expected: UInt64, actual: UInt64)
    /// A chunk that the ledger names is not in the file as it was logged.
    case damaged(path: String, chunk: Int, offset: UInt64)
    case afterFailure(path: String)
    case finalized(path: String)

    /// Whether the sender is at fault and nothing was changed.
    public var isRefusal: Bool {
        switch self {
        case .storage, .inUse, .namesTaken, .invalidName, .truncated, .damaged, .afterFailure,
            .finalized:
            false
        default: true
        }
    }

    public var description: String { refusalText ?? orderText ?? faultText }

    private var refusalText: String? {
        switch self {
        case .webM(let error, let part): "part \(part): \(error)"
        case .frame(let error, let part, let offset):
            "part \(part) refused at byte \(offset): \(error)"
        case .lyingContainer(let part, let offset, let markedKey):
            "part \(part) refused at byte \(offset): the container marks "
                + (markedKey
                    ? "a key frame, the codec wrote none" : "no key frame, the codec wrote one")
                + "; send what the encoder gives, unchanged"
        case .beginsWithoutKeyFrame(let part):
            "part \(part) refused: its first frame is no key frame; begin a part with one"
        case .tooLong(let part, let milliseconds):
            "part \(part) refused: \(milliseconds) ms lies outside of the \(MediaLimits.recordingMillisecondsMax) ms of a recording; begin a new stream"
        case .otherCodec(let part, let codec, let recording):
            "part \(part) refused: it is \(codec.rawValue), the recording is \(recording.rawValue); begin a new stream"
        case .noFramesFor(let bytes, let part):
            "part \(part) refused: \(bytes) bytes without a picture, the limit is \(MediaLimits.bytesBetweenFramesMax)"
        case .tooManyChunks(let count, let part, let wait):
            "bytes of part \(part) refused: they make \(count) chunks; \(MediaLimits.chunksAtOnceMax) at once and one each \(MediaLimits.chunkIntervalMilliseconds) ms are taken; send fewer bytes at once, the next in \(wait)"
        case .aheadOfTime(let part, let milliseconds, let wait):
            "bytes of part \(part) refused: a frame of \(milliseconds) ms is so far ahead of the time that the stream has run that nobody filmed it yet; send video as it is filmed, this in \(wait)"
        default: nil
        }
    }

    private var orderText: String? {
        switch self {
        case .unknownPart(let part):
            "bytes of part \(part) refused: the part was not begun; begin it first"
        case .tooManyParts(let part):
            "part \(part) refused: a recording has at most \(MediaLimits.partsMax) parts; begin a new stream"
        case .partEnded(let part, let through):
            "bytes of part \(part) refused: it ended at byte \(through); begin a new part"
        case .gap(let part, let expected, let offset):
            "bytes of part \(part) at \(offset) refused: those from \(expected) are missing; send from \(expected)"
        case .conflict(let part, let offset):
            "bytes of part \(part) refused: other bytes were taken at \(offset); begin a new part"
        case .pieceTooLarge(let bytes):
            "a piece of \(bytes) bytes refused: the limit is \(MediaLimits.pieceBytesMax); send smaller pieces"
        case .tooMuchUnfinished(let bytes, let part):
            "bytes of part \(part) refused: \(bytes) bytes of this stream would wait for pictures to be whole, the limit is \(MediaLimits.waitingBytesMax); finish or end the parts that were begun"
        default: nil
        }
    }

    private var faultText: String {
        switch self {
        case .storage(let attempt, let path, let code):
            "\(attempt) \(path) failed: \(String(cString: strerror(code))) (\(code)); set it right, then open the recording again"
        case .inUse(let path):
            "opening \(path) failed: another process writes it; stop that one first"
        case .namesTaken(let path):
            "naming a recording failed: \(path) and \(MediaLimits.namesakesMax) variants exist; wait a minute"
        case .invalidName(let owner):
            "naming a recording failed: \"\(owner)\" is no owner; use 1 to 64 letters, digits, '_' or '-'"
        case .truncated(let path, let expected, let actual):
            "reading \(path) failed: it ends at byte \(actual), \(expected) were expected; restore it from a copy"
        case .damaged(let path, let chunk, let offset):
            "\(path) is damaged: chunk \(chunk) at byte \(offset) is not as it was logged; restore it from a copy"
        case .afterFailure(let path):
            "\(path) takes nothing more after a failure; open the recording again"
        case .finalized(let path): "\(path) is finalised and takes nothing more; begin a new stream"
        default: "the recording failed"
        }
    }
}
