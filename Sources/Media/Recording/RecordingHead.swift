// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What stands before the first cluster of a recording: always ``byteCount`` bytes.
///
/// EBML header, Segment, SeekHead, Info, Tracks, Cues. While the recording grows, the Segment's size is
/// unknown and Void elements keep the room of SeekHead, Duration and Cues; finalising writes them there, so no
/// cluster moves. The head follows from the facts below alone, so one torn by a power cut is written again.
///
/// The room holds about 2,900 cues. A recording with more key-frame clusters keeps every second one, every
/// fourth one, and so on: a seek then reads a few seconds more.
struct RecordingHead {
    /// The length of every head, and the offset of every first cluster.
    static let byteCount = 65_536

    let track: VideoTrack
    let start: Date

    /// What is known once the recording is complete.
    struct Ending {
        let milliseconds: Int64
        let fileSize: UInt64
        let cues: [Cue]
    }

    /// A key-frame cluster: its time in milliseconds, and its place in the file.
    struct Cue {
        let milliseconds: Int64
        let offset: UInt64
    }

    /// The head of a recording that still grows, or with its ending.
    func bytes(ending: Ending? = nil) -> [UInt8] {
        var head = Self.preamble()
        let dataStart = head.bytes.count
        if let ending {
            let size = ElementWriter.size(ending.fileSize - UInt64(dataStart), length: 8)
            head = Self.preamble(segmentSize: size)
        }
        let info = self.info(milliseconds: ending?.milliseconds)
        let tracks = self.tracks()
        let infoAt = Self.seekHeadRoom
        let tracksAt = infoAt + info.count
        let cuesAt = tracksAt + tracks.count
        let cues = ending.map {
            self.cues($0.cues, dataStart: dataStart, room: Self.byteCount - dataStart - cuesAt)
        }
        var seek = ElementWriter()
        if let cues, !cues.isEmpty {
            seek.raw(
                Self.seekHead([
                    (Element.info, infoAt), (Element.tracks, tracksAt), (Element.cues, cuesAt),
                ])
            )
        }
        seek.void(total: Self.seekHeadRoom - seek.bytes.count)
        for element in [seek.bytes, info, tracks, cues ?? []] { head.raw(element) }
        head.void(total: Self.byteCount - head.bytes.count)
        return head.bytes
    }

    /// EBML header, Segment of unknown size, Info and Tracks: all that a player needs before clusters.
    func initialisation() -> [UInt8] {
        var head = Self.preamble()
        head.raw(info(milliseconds: nil))
        head.raw(tracks())
        return head.bytes
    }

    private static let seekHeadRoom = 100

    private static func preamble(segmentSize: [UInt8]? = nil) -> ElementWriter {
        var writer = ElementWriter()
        writer.master(Element.ebml) {
            $0.unsigned(Element.ebmlVersion, 1)
            $0.unsigned(Element.ebmlReadVersion, 1)
            $0.unsigned(Element.ebmlMaxIDLength, 4)
            $0.unsigned(Element.ebmlMaxSizeLength, 8)
            $0.text(Element.docType, "webm")
            $0.unsigned(Element.docTypeVersion, 4)
            $0.unsigned(Element.docTypeReadVersion, 2)
        }
        if let segmentSize {
            writer.id(Element.segment)
            writer.raw(segmentSize)
        } else {
            writer.openMaster(Element.segment)
        }
        return writer
    }

    private func info(milliseconds: Int64?) -> [UInt8] {
        var writer = ElementWriter()
        writer.master(Element.info) {
            $0.unsigned(Element.timestampScale, 1_000_000)
            if let milliseconds {
                $0.double(Element.duration, Double(milliseconds))
            } else {
                $0.void(total: 11)  // as long as Duration: id 2, size 1, value 8
            }
            // Nanoseconds since 2001-01-01, which is also Foundation's reference date.
            let seconds = start.timeIntervalSinceReferenceDate.rounded(.down)
            let nanoseconds = Int64(seconds) * 1_000_000_000
            $0.binary(
                Element.dateUTC,
                ElementWriter.bigEndian(UInt64(bitPattern: nanoseconds), count: 8)
            )
            $0.text(Element.muxingApp, "Daybook")
            $0.text(Element.writingApp, "Daybook")
        }
        return writer.bytes
    }

    private func tracks() -> [UInt8] {
        var writer = ElementWriter()
        writer.master(Element.tracks) {
            $0.master(Element.trackEntry) {
                $0.unsigned(Element.trackNumber, 1)
                $0.unsigned(Element.trackUID, 1)
                $0.unsigned(Element.trackType, 1)
                $0.unsigned(Element.flagLacing, 0)
                $0.text(Element.codecID, track.codec.webM)
                $0.master(Element.video) {
                    $0.unsigned(Element.pixelWidth, UInt64(track.width))
                    $0.unsigned(Element.pixelHeight, UInt64(track.height))
                }
            }
        }
        return writer.bytes
    }

    private func cues(_ all: [Cue], dataStart: Int, room: Int) -> [UInt8] {
        // 32 bytes are left for the Cues header and the Void behind.
        let perCue = 22
        var stride = 1
        while (all.count + stride - 1) / stride * perCue > room - 32 { stride *= 2 }
        guard !all.isEmpty else { return [] }
        var writer = ElementWriter()
        writer.master(Element.cues) { cues in
            for index in Swift.stride(from: 0, to: all.count, by: stride) {
                cues.master(Element.cuePoint) {
                    $0.unsigned(Element.cueTime, UInt64(max(0, all[index].milliseconds)))
                    $0.master(Element.cueTrackPositions) {
                        $0.unsigned(Element.cueTrack, 1)
                        $0.unsigned(
                            Element.cueClusterPosition,
                            all[index].offset - UInt64(dataStart)
                        )
                    }
                }
            }
        }
        return writer.bytes
    }

    private static func seekHead(_ targets: [(id: UInt32, at: Int)]) -> [UInt8] {
        var writer = ElementWriter()
        writer.master(Element.seekHead) { head in
            for target in targets {
                head.master(Element.seek) {
                    $0.binary(Element.seekID, ElementWriter.bigEndian(UInt64(target.id), count: 4))
                    $0.unsigned(Element.seekPosition, UInt64(target.at))
                }
            }
        }
        return writer.bytes
    }
}
