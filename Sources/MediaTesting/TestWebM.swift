// SPDX-License-Identifier: Apache-2.0
import Media

/// WebM files of test frames in the shapes that the archive meets.
public enum TestWebM {
    /// As browsers' MediaRecorder writes: Segment and Clusters of unknown size, SimpleBlocks, no Cues.
    public static func likeBrowser(_ video: TestVideo) -> [UInt8] {
        var file = ElementWriter()
        file.raw(head(docVersion: 4))
        file.openMaster(Element.segment)
        file.raw(info(milliseconds: nil))
        file.raw(tracks(video))
        for group in groups(of: video.frames) {
            file.openMaster(Element.cluster)
            file.unsigned(Element.timestamp, UInt64(group[0].milliseconds))
            for frame in group { file.raw(simpleBlock(frame, base: group[0].milliseconds)) }
        }
        return file.bytes
    }

    /// As ffmpeg writes: known sizes, SeekHead, Void, Cues at the end; the last frame of each cluster in a BlockGroup.
    public static func likeFFmpeg(_ video: TestVideo) -> [UInt8] {
        var body = ElementWriter()
        body.void(total: 120)
        body.raw(info(milliseconds: (video.frames.last?.milliseconds ?? 0) + 40))
        body.raw(tracks(video))
        var cues: [(Int64, Int)] = []
        for group in groups(of: video.frames) {
            cues.append((group[0].milliseconds, body.bytes.count))
            body.master(Element.cluster) { cluster in
                let base = group[0].milliseconds
                cluster.unsigned(Element.timestamp, UInt64(base))
                for frame in group.dropLast() { cluster.raw(simpleBlock(frame, base: base)) }
                if let last = group.last { cluster.raw(blockGroup(last, base: base)) }
            }
        }
        body.master(Element.cues) { element in
            for (time, at) in cues {
                element.master(Element.cuePoint) {
                    $0.unsigned(Element.cueTime, UInt64(time))
                    $0.master(Element.cueTrackPositions) {
                        $0.unsigned(Element.cueTrack, 1)
                        $0.unsigned(Element.cueClusterPosition, UInt64(at))
                    }
                }
            }
        }
        var file = ElementWriter()
        file.raw(head(docVersion: 2))
        file.binary(Element.segment, body.bytes)
        return file.bytes
    }

    /// Cuts bytes into pieces whose lengths repeat the given ones.
    public static func pieces(_ bytes: [UInt8], of lengths: [Int]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var at = 0
        while at < bytes.count {
            let length = max(1, lengths[pieces.count % lengths.count])
            pieces.append(Array(bytes[at..<min(bytes.count, at + length)]))
            at += length
        }
        return pieces
    }

    /// The head of a file, for tests that write their own.
    public static func head(docVersion: UInt64) -> [UInt8] {
        var writer = ElementWriter()
        writer.master(Element.ebml) {
            $0.unsigned(Element.ebmlVersion, 1)
            $0.unsigned(Element.ebmlReadVersion, 1)
            $0.unsigned(Element.ebmlMaxIDLength, 4)
            $0.unsigned(Element.ebmlMaxSizeLength, 8)
            $0.text(Element.docType, "webm")
            $0.unsigned(Element.docTypeVersion, docVersion)
            $0.unsigned(Element.docTypeReadVersion, 2)
        }
        return writer.bytes
    }

    private static func info(milliseconds: Int64?) -> [UInt8] {
        var writer = ElementWriter()
        writer.master(Element.info) {
            $0.unsigned(Element.timestampScale, 1_000_000)
            $0.text(Element.muxingApp, "MediaTesting")
            $0.text(Element.writingApp, "MediaTesting")
            if let milliseconds { $0.double(Element.duration, Double(milliseconds)) }
        }
        return writer.bytes
    }

    /// A Tracks element; `type` 2 makes it a lie for tests of refusals.
    public static func tracks(_ video: TestVideo, type: UInt64 = 1, codec: String? = nil) -> [UInt8]
    {
        var writer = ElementWriter()
        writer.master(Element.tracks) {
            $0.master(Element.trackEntry) {
                $0.unsigned(Element.trackNumber, 1)
                $0.unsigned(Element.trackUID, 7)
                $0.unsigned(Element.trackType, type)
                $0.text(Element.codecID, codec ?? video.codec.webM)
                $0.master(Element.video) {
                    $0.unsigned(Element.pixelWidth, UInt64(video.size.width))
                    $0.unsigned(Element.pixelHeight, UInt64(video.size.height))
                }
            }
        }
        return writer.bytes
    }

    private static func block(_ frame: VideoEncoder.Output, base: Int64, flags: UInt8) -> [UInt8] {
        let time = Int16(clamping: frame.milliseconds - base)
        return [0x81, UInt8(truncatingIfNeeded: time >> 8), UInt8(truncatingIfNeeded: time), flags]
            + frame.bytes
    }

    private static func simpleBlock(_ frame: VideoEncoder.Output, base: Int64) -> [UInt8] {
        var writer = ElementWriter()
        writer.binary(Element.simpleBlock, block(frame, base: base, flags: frame.isKey ? 0x80 : 0))
        return writer.bytes
    }

    private static func blockGroup(_ frame: VideoEncoder.Output, base: Int64) -> [UInt8] {
        var writer = ElementWriter()
        writer.master(Element.blockGroup) {
            $0.binary(Element.block, block(frame, base: base, flags: 0))
            $0.unsigned(Element.blockDuration, 40)
            if !frame.isKey { $0.binary(Element.referenceBlock, [0xD8]) }
        }
        return writer.bytes
    }

    /// The frames from key frame to key frame, and from where the next one is too far from the first for a block to say.
    private static func groups(of frames: [VideoEncoder.Output]) -> [[VideoEncoder.Output]] {
        frames.reduce(into: []) { groups, frame in
            let step = frame.milliseconds - (groups.last?.first?.milliseconds ?? 0)
            if frame.isKey || groups.isEmpty || Int16(exactly: step) == nil {
                groups.append([frame])
            } else {
                groups[groups.count - 1].append(frame)
            }
        }
    }
}
