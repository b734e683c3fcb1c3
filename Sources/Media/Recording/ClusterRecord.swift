// SPDX-License-Identifier: Apache-2.0

/// What each cluster of a recording tells of itself, in a Void element at its end that players pass over.
///
/// With it the file alone is enough to go on after a crash: which part the frames came from, how far into that
/// part they reach, where the parser stood, and all bytes of the part that are no picture, so that the sender's
/// bytes can be given back, and compared, exactly.
struct ClusterRecord {
    var index: Int
    var part: UInt32
    var startsWithKeyFrame: Bool
    /// Whether the sender said that the part ends with this cluster.
    var endsPart: Bool
    /// The bytes of the part that the cluster covers.
    var source: Range<UInt64>
    /// What is added to the part's times to get the recording's, in milliseconds.
    var shift: Int64
    var firstMilliseconds: Int64
    var lastMilliseconds: Int64
    var frames: Int
    var size: PictureSize
    /// Where the part's parser goes on behind the cluster.
    var position: ParserPosition
    /// The part's bytes before the first picture, between the pictures, and behind the last one.
    var literals: [[UInt8]]

    private static let magic = Array("DBK1".utf8)
    private static let endMagic = Array("DBKE".utf8)
    /// Seal, length of the record, end magic: the last bytes of every cluster.
    ///
    /// Where the seal is, versions before had a digest, which anybody can make.
    static let trailerBytes = RecordingSeal.byteCount + 4 + 4

    /// The record without its trailer.
    func encoded() -> [UInt8] {
        var writer = ByteWriter()
        writer.raw(Self.magic)
        writer.integer(UInt32(index))
        writer.integer(part)
        let flags = [startsWithKeyFrame, endsPart, position.isInCluster]
        writer.integer(
            flags.enumerated().reduce(UInt8(0)) { $0 | ($1.element ? 1 << $1.offset : 0) }
        )
        writer.integer(UInt8(position.track.codec == .vp9 ? 9 : 8))
        for value in [source.lowerBound, source.upperBound] { writer.integer(value) }
        for value in [shift, firstMilliseconds, lastMilliseconds] { writer.integer(value) }
        let sides = [size.width, size.height, position.track.width, position.track.height]
        for value in [frames] + sides { writer.integer(UInt32(value)) }
        writer.integer(position.track.number)
        writer.integer(position.timestampScale)
        for value in [position.clusterTimestamp, position.clusterEnd, position.segmentEnd] {
            writer.integer(value ?? .max)
        }
        for literal in literals { writer.counted(literal) }
        return writer.bytes
    }

    /// The last bytes of a cluster whose bytes so far, and the record in them, are given.
    static func trailer(cluster: [UInt8], recordBytes: Int, seal: RecordingSeal) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw(seal.code(of: cluster))
        writer.integer(UInt32(recordBytes))
        writer.raw(endMagic)
        return writer.bytes
    }

    /// The length of the record that stands before the trailer; `nil` when this is no trailer.
    static func recordBytes(trailer: [UInt8]) -> Int? {
        guard trailer.count == trailerBytes, trailer.suffix(4).elementsEqual(endMagic) else {
            return nil
        }
        return Int(trailer[16..<20].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }

    /// Whether a whole cluster is as the archive wrote it into this recording.
    static func isSealed(cluster: [UInt8], by seal: RecordingSeal) -> Bool {
        guard cluster.count > trailerBytes else { return false }
        let code = cluster.suffix(trailerBytes).prefix(RecordingSeal.byteCount)
        return seal.made(code, of: cluster.dropLast(trailerBytes))
    }
}

extension ClusterRecord {
    /// Reads a record without its trailer; `nil` when it is none.
    init?(_ bytes: [UInt8]) {
        do {
            try self.init(reading: bytes)
        } catch {
            return nil
        }
    }

    private init(reading bytes: [UInt8]) throws(ByteReader.Short) {
        var reader = ByteReader(bytes)
        guard try reader.take(4).elementsEqual(Self.magic) else { throw ByteReader.Short() }
        index = Int(try reader.integer(UInt32.self))
        part = try reader.integer()
        let flags: UInt8 = try reader.integer()
        startsWithKeyFrame = flags & 1 != 0
        endsPart = flags & 2 != 0
        let codec: VideoCodec = try reader.integer(UInt8.self) == 9 ? .vp9 : .vp8
        let from: UInt64 = try reader.integer()
        let through: UInt64 = try reader.integer()
        guard from <= through else { throw ByteReader.Short() }
        source = from..<through
        shift = try reader.integer()
        firstMilliseconds = try reader.integer()
        lastMilliseconds = try reader.integer()
        frames = Int(try reader.integer(UInt32.self))
        size = PictureSize(width: try Self.side(&reader), height: try Self.side(&reader))
        let claimed = (try Self.side(&reader), try Self.side(&reader))
        let number: UInt64 = try reader.integer()
        position = ParserPosition(
            offset: through,
            track: VideoTrack(number: number, codec: codec, width: claimed.0, height: claimed.1),
            timestampScale: try reader.integer(),
            clusterTimestamp: try Self.known(&reader),
            clusterEnd: try Self.known(&reader),
            segmentEnd: try Self.known(&reader),
            isInCluster: flags & 4 != 0
        )
        literals = []
        while !reader.isAtEnd { literals.append(try reader.counted()) }
        guard literals.count == frames + 1, isPlausible else { throw ByteReader.Short() }
    }

    /// Whether the numbers are such as the archive writes, so that reckoning with them cannot overflow.
    ///
    /// A record is read without the cluster around it, so damage is not found by the digest first.
    private var isPlausible: Bool {
        let times = 0...MediaLimits.recordingMillisecondsMax
        let sides = 1...MediaLimits.pictureSideMax
        return source.upperBound <= UInt64(Int64.max)
            && times.contains(firstMilliseconds) && times.contains(lastMilliseconds)
            && shift.magnitude <= UInt64(2 * MediaLimits.recordingMillisecondsMax)
            && sides.contains(size.width) && sides.contains(size.height)
            && (1...1_000_000_000).contains(position.timestampScale)
    }

    private static func side(_ reader: inout ByteReader) throws(ByteReader.Short) -> Int {
        Int(try reader.integer(UInt32.self))
    }

    private static func known(_ reader: inout ByteReader) throws(ByteReader.Short) -> UInt64? {
        let value: UInt64 = try reader.integer()
        return value == .max ? nil : value
    }
}
