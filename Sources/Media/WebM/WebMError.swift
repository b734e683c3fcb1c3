// SPDX-License-Identifier: Apache-2.0

/// Why bytes are not taken as WebM video.
///
/// Offsets are counted from the start of the stream.
public enum WebMError: Error, Hashable, Sendable, CustomStringConvertible {
    case notWebM(offset: UInt64)
    case malformed(element: UInt32, offset: UInt64)
    case tooLarge(element: UInt32, bytes: UInt64, limit: Int, offset: UInt64)
    case unknownSize(element: UInt32, offset: UInt64)
    case beyondParent(element: UInt32, offset: UInt64)
    case unexpected(element: UInt32, offset: UInt64)
    case documentType(String)
    case secondFile(offset: UInt64)
    case tooManyTracks(Int)
    case audioTrack(codec: String)
    case notVideo(trackType: UInt64)
    case noVideo
    case secondVideoTrack
    case codec(String)
    case encoded
    case encrypted(offset: UInt64)
    case laced(offset: UInt64)
    case unknownTrack(UInt64, offset: UInt64)
    case emptyFrame(offset: UInt64)
    case noTracks(offset: UInt64)
    case noClusterTimestamp(offset: UInt64)
    case timestampOutOfRange(offset: UInt64)
    case tracksAgain(offset: UInt64)

    public var description: String { "reading WebM refused: \(fact)" }

    private var fact: String {
        structureFact ?? trackFact ?? blockFact
    }

    private func name(_ element: UInt32) -> String {
        "0x" + String(element, radix: 16, uppercase: true)
    }

    private var structureFact: String? {
        switch self {
        case .notWebM(let at):
            "byte \(at) begins no EBML element; send the recorder's bytes unchanged and in order"
        case .malformed(let element, let at):
            "element \(name(element)) at byte \(at) does not hold what its id says; send the recorder's bytes unchanged"
        case .tooLarge(let element, let bytes, let limit, let at):
            "element \(name(element)) at byte \(at) has \(bytes) bytes, the limit is \(limit); lower the bit rate or leave the element out"
        case .unknownSize(let element, let at):
            "element \(name(element)) at byte \(at) has no size; only Segment and Cluster may leave it open"
        case .beyondParent(let element, let at):
            "element \(name(element)) at byte \(at) ends behind the element around it; the file is damaged"
        case .unexpected(let element, let at):
            "element \(name(element)) may not stand at byte \(at); a file is an EBML header, then one Segment"
        case .documentType(let type):
            "the document type is \"\(type)\"; record WebM (video/webm)"
        case .secondFile(let at):
            "a second file begins at byte \(at); send it as a new part"
        default: nil
        }
    }

    private var trackFact: String? {
        switch self {
        case .tooManyTracks(let count):
            "\(count) tracks; record one video track"
        case .audioTrack(let codec):
            "there is an audio track (\(codec)); sessions are video only, ask for the camera with audio: false"
        case .notVideo(let type):
            "a track has type \(type); record one video track and nothing else"
        case .noVideo: "there is no video track; record one"
        case .secondVideoTrack:
            "there are two video tracks; send the second camera as a stream of its own"
        case .codec(let codec): "the codec is \(codec); record VP9 (V_VP9) or VP8 (V_VP8)"
        case .encoded: "the track is compressed or encrypted by the container; record it plain"
        case .tracksAgain(let at):
            "another Tracks element at byte \(at) describes other tracks; send what follows as a new part"
        default: nil
        }
    }

    private var blockFact: String {
        switch self {
        case .encrypted(let at): "the block at byte \(at) is encrypted; record it plain"
        case .laced(let at): "the block at byte \(at) is laced; write one picture in a block"
        case .unknownTrack(let track, let at):
            "the block at byte \(at) is of track \(track), which Tracks does not describe"
        case .emptyFrame(let at): "the block at byte \(at) holds no picture"
        case .noTracks(let at):
            "a cluster begins at byte \(at) before Tracks; begin the part with its header"
        case .noClusterTimestamp(let at):
            "the block at byte \(at) comes before its cluster's timestamp"
        case .timestampOutOfRange(let at): "the time of the element at byte \(at) is out of range"
        default: "the bytes are not understood"
        }
    }
}
