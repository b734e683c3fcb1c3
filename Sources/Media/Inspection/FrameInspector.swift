// SPDX-License-Identifier: Apache-2.0

/// Decodes frames and looks at the pictures: the work of the inspection child.
///
/// In a process of its own it is ``InspectionWorker``; benchmarks may call it directly.
public final class FrameInspector {
    /// The most decoders at a time: parts that arrive beside each other.
    static let decodersMax = 4
    private var decoders: [(part: UInt32, decoder: VideoDecoder)] = []

    public init() {}

    /// Decodes frames of a part and looks at them.
    ///
    /// - Parameters:
    ///   - frames: Frames that continue those of the last call for this part.
    ///   - part: The part that they belong to.
    ///   - codec: Its codec.
    ///   - startsAnew: Whether the first is a key frame that begins a fresh decoder.
    /// - Returns: What they look like; a thumbnail of the first picture if it starts with a key frame.
    /// - Throws: ``VideoCodecError`` when there is no decoder to be had.
    public func inspect(
        _ frames: [[UInt8]],
        part: UInt32,
        codec: VideoCodec,
        startsAnew: Bool
    ) throws(VideoCodecError) -> ChunkPictures {
        let decoder = try decoder(of: part, codec: codec, fresh: startsAnew)
        let startsWithKey = Self.isKey(frames.first, codec)
        var look = Look()
        for frame in frames {
            do {
                let wanted = startsWithKey && look.thumbnail == nil
                try decoder.decode(frame) { look.add($0, wantsThumbnail: wanted) }
                look.frames += 1
            } catch {
                look.undecodable += 1
            }
        }
        let small = look.thumbnail?.shrunk(toWidth: MediaLimits.thumbnailWidthMax)
        return look.pictures(jpeg: try small?.jpeg(quality: 75))
    }

    /// Decodes frames from a key frame on and gives the last picture.
    ///
    /// - Parameters:
    ///   - frames: The frames, the first of them a key frame.
    ///   - codec: Their codec.
    /// - Returns: The counts, and the last picture as a JPEG in full size.
    /// - Throws: ``VideoCodecError`` when there is no decoder or no JPEG to be had.
    public func still(_ frames: [[UInt8]], codec: VideoCodec) throws(VideoCodecError)
        -> ChunkPictures
    {
        let decoder = try VideoDecoder(codec)
        var look = Look()
        var last: Picture?
        for (index, frame) in frames.enumerated() {
            do {
                // A hidden frame may come last, so the few before it are kept as well.
                let isNearEnd = index >= frames.count - 3
                try decoder.decode(frame) { image in
                    look.add(image, wantsThumbnail: false)
                    if isNearEnd { last = image.picture() }
                }
                look.frames += 1
            } catch {
                look.undecodable += 1
            }
        }
        return look.pictures(jpeg: try last?.jpeg())
    }

    private func decoder(
        of part: UInt32,
        codec: VideoCodec,
        fresh: Bool
    ) throws(VideoCodecError) -> VideoDecoder {
        if !fresh, let known = decoders.first(where: { $0.part == part }) { return known.decoder }
        decoders.removeAll { $0.part == part }
        if decoders.count == Self.decodersMax { decoders.removeFirst() }
        let decoder = try VideoDecoder(codec)
        decoders.append((part, decoder))
        return decoder
    }

    private static func isKey(_ frame: [UInt8]?, _ codec: VideoCodec) -> Bool {
        guard let frame else { return false }
        do {
            return try FrameHeader(frame, codec: codec).isKey
        } catch {
            return false  // undecodable, and counted as that
        }
    }
}

/// What has been seen of a chunk so far.
private struct Look {
    var frames = 0
    var undecodable = 0
    var thumbnail: Picture?
    private var size: PictureSize?
    private var luma = 0.0
    private var count = 0

    mutating func add(_ image: DecodedImage, wantsThumbnail: Bool) {
        size = image.size
        luma += image.meanLuma
        count += 1
        if wantsThumbnail { thumbnail = image.picture() }
    }

    func pictures(jpeg: [UInt8]?) -> ChunkPictures {
        ChunkPictures(
            frames: frames,
            undecodable: undecodable,
            size: size,
            meanLuma: count > 0 ? luma / Double(count) : nil,
            jpeg: jpeg
        )
    }
}
