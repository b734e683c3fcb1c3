// SPDX-License-Identifier: Apache-2.0

/// A frame with its place on the recording's timeline.
public struct RecordedFrame: Hashable, Sendable {
    /// The time on the recording's timeline, in milliseconds.
    public let milliseconds: Int64
    public let isKey: Bool
    /// What the codec wrote.
    public let bytes: [UInt8]

    public init(milliseconds: Int64, isKey: Bool, bytes: [UInt8]) {
        self.milliseconds = milliseconds
        self.isKey = isKey
        self.bytes = bytes
    }
}

/// Clusters as the archive writes and reads them: Timestamp, SimpleBlocks, and a Void with a ``ClusterRecord``.
enum Cluster {
    /// The id and the size of a cluster: the size always takes eight bytes.
    static let headerBytes = 12

    static func encoded(
        _ frames: [RecordedFrame],
        record: ClusterRecord,
        seal: RecordingSeal
    ) -> [UInt8] {
        let base = record.firstMilliseconds
        var body = ElementWriter()
        body.unsigned(Element.timestamp, UInt64(max(0, base)))
        for frame in frames {
            let time = Int16(clamping: frame.milliseconds - base)
            let head: [UInt8] = [
                0x81, UInt8(truncatingIfNeeded: time >> 8), UInt8(truncatingIfNeeded: time),
                frame.isKey ? 0x80 : 0,
            ]
            body.id(Element.simpleBlock)
            body.raw(ElementWriter.size(UInt64(head.count + frame.bytes.count)))
            body.raw(head)
            body.raw(frame.bytes)
        }
        let data = record.encoded()
        let recordBytes = data.count + ClusterRecord.trailerBytes
        body.id(Element.void)
        body.raw(ElementWriter.size(UInt64(recordBytes), length: 8))
        body.raw(data)
        var cluster = ElementWriter()
        cluster.id(Element.cluster)
        cluster.raw(
            ElementWriter.size(UInt64(body.bytes.count + ClusterRecord.trailerBytes), length: 8)
        )
        cluster.raw(body.bytes)
        return cluster.bytes
            + ClusterRecord.trailer(
                cluster: cluster.bytes,
                recordBytes: data.count,
                seal: seal
            )
    }

    /// The length of the cluster that begins with these 12 bytes; `nil` when none of ours does.
    static func length(header: [UInt8]) -> Int? {
        guard header.count == headerBytes, header.starts(with: [0x1F, 0x43, 0xB6, 0x75, 0x01])
        else {
            return nil
        }
        let size = header[5...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // Tiny frames cost up to 2.5 times their source: block headers, and lengths in the record.
        let limit =
            4 * MediaLimits.clusterBytesMax + MediaLimits.frameBytesMax
            + 2 * MediaLimits.bytesBetweenFramesMax
        guard size >= UInt64(ClusterRecord.trailerBytes), size <= UInt64(limit) else { return nil }
        return headerBytes + Int(size)
    }

    /// The frames of a whole cluster; `nil` when it is none of ours.
    static func frames(_ cluster: [UInt8]) -> [RecordedFrame]? {
        guard length(header: Array(cluster.prefix(headerBytes))) == cluster.count else {
            return nil
        }
        var frames: [RecordedFrame] = []
        var base: Int64 = 0
        var children = Children(of: cluster[headerBytes...])
        do {
            while let (id, data) = try children.next() {
                if id == Element.timestamp {
                    base = Int64(clamping: data.ebmlUnsigned ?? 0)
                    guard base <= MediaLimits.recordingMillisecondsMax else { return nil }
                }
                guard id == Element.simpleBlock else { continue }
                guard data.count > 4 else { return nil }
                let i = data.startIndex
                let time = Int16(bitPattern: UInt16(data[i + 1]) << 8 | UInt16(data[i + 2]))
                frames.append(
                    RecordedFrame(
                        milliseconds: base + Int64(time),
                        isKey: data[i + 3] & 0x80 != 0,
                        bytes: Array(data.dropFirst(4))
                    )
                )
            }
        } catch {
            return nil
        }
        return frames
    }

    /// The bytes of the part that the cluster was made of; `nil` when it is none of ours.
    static func source(_ cluster: [UInt8]) -> [UInt8]? {
        guard let frames = frames(cluster), let record = record(cluster),
            record.literals.count == frames.count + 1
        else { return nil }
        var source = record.literals[0]
        for (frame, literal) in zip(frames, record.literals.dropFirst()) {
            source += frame.bytes
            source += literal
        }
        return source
    }

    /// The record at the end of a whole cluster.
    static func record(_ cluster: [UInt8]) -> ClusterRecord? {
        let trailer = Array(cluster.suffix(ClusterRecord.trailerBytes))
        guard let count = ClusterRecord.recordBytes(trailer: trailer) else { return nil }
        let end = cluster.count - ClusterRecord.trailerBytes
        guard count <= end else { return nil }
        return ClusterRecord(Array(cluster[(end - count)..<end]))
    }
}
