// SPDX-License-Identifier: Apache-2.0

/// The frames to decode for the picture shown at a time.
public struct Still: Sendable {
    /// From a key frame to the frame shown.
    public let frames: [[UInt8]]
    /// The time of the frame shown, in milliseconds.
    public let milliseconds: Int64
    public let codec: VideoCodec

    /// There is no picture to show.
    public struct Missing: Error, CustomStringConvertible {
        public let description: String
    }

    /// The picture needs more video, back to its key frame, than one still is decoded from.
    public struct TooLarge: Error, Hashable, CustomStringConvertible {
        /// The time that was asked for, in milliseconds.
        public let milliseconds: Int64
        /// How much video it needs.
        public let bytes: Int

        public init(milliseconds: Int64, bytes: Int) {
            self.milliseconds = milliseconds
            self.bytes = bytes
        }

        public var description: String {
            "a still at \(milliseconds) ms refused: it needs \(bytes) bytes of video back to its key frame, the limit is \(MediaLimits.stillBytesMax); ask for a time nearer behind a key frame, or play the recording"
        }
    }

    /// Finds the frames.
    ///
    /// - Parameters:
    ///   - milliseconds: A time on the recording's timeline; before the first picture the first is shown.
    ///   - reader: The recording.
    /// - Throws: ``Missing`` for an empty recording; ``TooLarge``, before any frame is read;
    ///   ``RecordingError`` when it cannot be read.
    public init(atMilliseconds milliseconds: Int64, in reader: RecordingReader) throws {
        let chunks = reader.index.chunksToShow(atMilliseconds: milliseconds)
        try self.init(atMilliseconds: milliseconds, showing: chunks, of: reader.path)
    }

    /// Finds the frames in chunks whose places are known; nothing else of the file is read.
    ///
    /// - Parameters:
    ///   - milliseconds: A time on the recording's timeline; before the first picture the first is shown.
    ///   - chunks: What ``RecordingIndex/chunksToShow(atMilliseconds:)`` gives for it.
    ///   - path: The recording.
    /// - Throws: ``Missing`` for an empty recording; ``TooLarge``, before any frame is read;
    ///   ``RecordingError`` when it cannot be read.
    public init(atMilliseconds milliseconds: Int64, showing chunks: [ChunkPlace], of path: String)
        throws
    {
        let missing = Missing(description: "no picture in \(path) at \(milliseconds) ms")
        guard chunks.first?.startsWithKeyFrame == true else { throw missing }
        let bytes = chunks.reduce(0) { $0 + $1.length }
        guard bytes <= MediaLimits.stillBytesMax else {
            throw TooLarge(milliseconds: milliseconds, bytes: bytes)
        }
        let file = try ArchiveFile(path, .read)
        var all: [RecordedFrame] = []
        var found: VideoCodec?
        for chunk in chunks {
            let cluster = try file.read(at: chunk.offset, count: chunk.length)
            guard let record = Cluster.record(cluster), let frames = Cluster.frames(cluster) else {
                throw RecordingError.damaged(path: path, chunk: chunk.index, offset: chunk.offset)
            }
            found = record.position.track.codec
            all += frames
        }
        let shown = all.lastIndex { $0.milliseconds <= milliseconds } ?? 0
        guard let codec = found, shown < all.count else { throw missing }
        frames = all[...shown].map(\.bytes)
        self.milliseconds = all[shown].milliseconds
        self.codec = codec
    }

    /// Decodes the picture in this process, for tools that read a ledger they trust.
    ///
    /// The gateway asks ``InspectionProcess/still(atMilliseconds:of:)`` instead.
    ///
    /// - Returns: A JPEG in full size; `nil` when the frame cannot be decoded.
    /// - Throws: ``VideoCodecError``.
    public func jpeg() throws(VideoCodecError) -> [UInt8]? {
        try FrameInspector().still(frames, codec: codec).jpeg
    }
}
