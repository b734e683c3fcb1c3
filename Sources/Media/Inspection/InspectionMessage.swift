// SPDX-License-Identifier: Apache-2.0

/// What the gateway asks its inspection child about video.
///
/// On the wire: a 32-bit length, then the fields in order.
struct InspectionRequest: Hashable, Sendable {
    enum Task: UInt8 {
        /// Decode and look at every frame.
        case inspect
        /// Decode every frame, and give the last picture in full size.
        case still
    }

    var task: Task
    var codec: VideoCodec
    /// Decoders are kept by part; a fresh one begins with a key frame.
    var part: UInt32
    var wantsFreshDecoder: Bool
    var frames: [[UInt8]]

    func encoded() -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(task.rawValue)
        writer.integer(UInt8(codec == .vp9 ? 9 : 8))
        writer.integer(part)
        writer.integer(UInt8(wantsFreshDecoder ? 1 : 0))
        writer.integer(UInt32(frames.count))
        for frame in frames { writer.counted(frame) }
        return writer.bytes
    }

    init(
        task: Task,
        codec: VideoCodec,
        part: UInt32,
        wantsFreshDecoder: Bool,
        frames: [[UInt8]]
    ) {
        self.task = task
        self.codec = codec
        self.part = part
        self.wantsFreshDecoder = wantsFreshDecoder
        self.frames = frames
    }

    init(_ bytes: [UInt8]) throws(ByteReader.Short) {
        var reader = ByteReader(bytes)
        guard let task = Task(rawValue: try reader.integer()) else { throw ByteReader.Short() }
        self.task = task
        codec = try reader.integer(UInt8.self) == 9 ? .vp9 : .vp8
        part = try reader.integer()
        wantsFreshDecoder = try reader.integer(UInt8.self) == 1
        let count: UInt32 = try reader.integer()
        frames = []
        for _ in 0..<count { frames.append(try reader.counted()) }
    }
}

/// What the gateway asks its inspection child about a photo; the answer is the copy, or empty where there can be none.
struct PublicCopyRequest: Hashable, Sendable {
    /// The first byte, by which it is told from an ``InspectionRequest``.
    static let mark: UInt8 = 0x50
    /// The longer side of the copy, in pixels.
    var sideMax: Int
    var photo: [UInt8]

    func encoded() -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(Self.mark)
        writer.integer(UInt32(sideMax))
        writer.counted(photo)
        return writer.bytes
    }

    init(sideMax: Int, photo: [UInt8]) {
        self.sideMax = sideMax
        self.photo = photo
    }

    init(_ bytes: [UInt8]) throws(ByteReader.Short) {
        var reader = ByteReader(bytes)
        guard try reader.integer() == Self.mark else { throw ByteReader.Short() }
        sideMax = Int(try reader.integer(UInt32.self))
        photo = try reader.counted()
    }
}

extension ChunkPictures {
    func encoded() -> [UInt8] {
        var writer = ByteWriter()
        for value in [frames, undecodable, size?.width ?? 0, size?.height ?? 0] {
            writer.integer(UInt32(value))
        }
        writer.integer((meanLuma ?? -1).bitPattern)
        writer.counted(jpeg ?? [])
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(ByteReader.Short) {
        var reader = ByteReader(bytes)
        frames = Int(try reader.integer(UInt32.self))
        undecodable = Int(try reader.integer(UInt32.self))
        let width = Int(try reader.integer(UInt32.self))
        let height = Int(try reader.integer(UInt32.self))
        size = width > 0 ? PictureSize(width: width, height: height) : nil
        let luma = Double(bitPattern: try reader.integer())
        meanLuma = luma >= 0 ? luma : nil
        let picture = try reader.counted()
        jpeg = picture.isEmpty ? nil : picture
    }
}
