// SPDX-License-Identifier: Apache-2.0

/// What the frames of a chunk look like when decoded.
public struct ChunkPictures: Hashable, Sendable {
    /// Frames that were decoded.
    public internal(set) var frames: Int
    /// Frames that libvpx refused.
    public internal(set) var undecodable: Int
    /// The size of the last picture, in pixels; `nil` when there was none.
    public internal(set) var size: PictureSize?
    /// The mean luma of all pictures, 0 to 255; `nil` when there was none.
    ///
    /// A covered lens reads about 16.
    public internal(set) var meanLuma: Double?
    /// The key frame as a JPEG at most 320 pixels wide, where the chunk begins with one; of a still, the picture.
    public internal(set) var jpeg: [UInt8]?
}

/// How an inspection ended.
///
/// None of these is thrown: the recording goes on whatever the pictures do.
public enum InspectionOutcome: Hashable, Sendable {
    /// The frames were looked at; some may be undecodable.
    case decoded(ChunkPictures)
    case notDecoded(Reason)

    public enum Reason: Error, Hashable, Sendable, CustomStringConvertible {
        /// The child died of this chunk, by a signal or an exit code.
        case childDied(status: Int32)
        case timedOut(milliseconds: Int)
        /// What the decoder knew was lost, so it waits for the part's next key frame.
        case waitingForKeyFrame
        /// Too many chunks waited already.
        case overloaded
        /// The bytes are no cluster of the archive.
        case noCluster
        /// The file has other bytes than the ledger says, or ends before them; nobody looked at them.
        case notAsLogged
        /// The child could not be started, or the file not read.
        case unavailable(String)

        public var description: String {
            switch self {
            case .childDied(let status):
                "the inspection process died (wait status \(status)); the next key frame starts another"
            case .timedOut(let milliseconds):
                "the inspection took longer than \(milliseconds) ms and was ended"
            case .waitingForKeyFrame: "the decoder waits for the part's next key frame"
            case .overloaded:
                "more than \(MediaLimits.inspectionQueueMax) chunks waited; inspect on a faster machine"
            case .noCluster: "the bytes are no cluster of the archive"
            case .notAsLogged: "the bytes are not those that were archived"
            case .unavailable(let fact): "the inspection could not be made: \(fact)"
            }
        }
    }

    /// The pictures, where there are any.
    public var pictures: ChunkPictures? {
        if case .decoded(let pictures) = self { pictures } else { nil }
    }
}
