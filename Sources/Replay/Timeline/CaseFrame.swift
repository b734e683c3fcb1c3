// SPDX-License-Identifier: Apache-2.0
import Events
public import Foundation
import Media

/// A picture out of an incident's video, decoded from the archive.
public struct CaseFrame: Sendable {
    /// The picture as a JPEG.
    public let jpeg: [UInt8]
    /// Path below the media folder.
    public let file: String
    /// The time of the picture on the recording's own clock.
    public let milliseconds: Int64

    /// Decodes the picture that was recorded at a moment.
    ///
    /// - Parameters:
    ///   - moment: An RFC 3339 time, or seconds from the beginning of the recording: `12.5`.
    ///   - timeline: The incident.
    ///   - folder: The ledger's folder.
    /// - Throws: ``FrameError`` when nothing was recorded then or it cannot be decoded; what reading the file throws.
    public init(at moment: String, of timeline: CaseTimeline, in folder: URL) throws {
        let place = try Self.place(moment, timeline)
        let path = folder.appending(path: "media/\(place.file)").path
        let still = try Still(
            atMilliseconds: place.milliseconds,
            in: RecordingReader(path: path)
        )
        guard let jpeg = try still.jpeg() else {
            throw FrameError(
                "frame at \(moment) was not possible: the video there cannot be decoded; run daybook verify --decode"
            )
        }
        self.jpeg = jpeg
        file = place.file
        milliseconds = still.milliseconds
    }

    private static func place(
        _ moment: String,
        _ timeline: CaseTimeline
    ) throws -> (file: String, milliseconds: Int64) {
        let chunks = timeline.entries.compactMap { entry in
            entry.kind == StreamChunkArchived.kind.text ? Chunk(entry) : nil
        }
        guard let first = chunks.first else {
            throw FrameError(
                "frame at \(moment) was not possible: no video of \(timeline.root) was archived"
            )
        }
        if let seconds = NumberText.real(moment, in: 0...ReplayLimits.recordingSecondsMax) {
            return (first.file, Int64(seconds * 1_000))
        }
        guard let time = Timestamp(moment) else { throw TimelineError.notAMoment(moment) }
        // A chunk is recorded when its last picture has arrived, so that moment belongs to the first one behind it.
        guard let chunk = chunks.first(where: { $0.recorded >= time }) ?? chunks.last else {
            throw FrameError("frame at \(moment) was not possible: no video was archived then")
        }
        let before = Int64((chunk.recorded - time) / .milliseconds(1))
        return (chunk.file, max(chunk.firstMilliseconds, chunk.lastMilliseconds - max(0, before)))
    }

    private struct Chunk {
        let file: String
        let recorded: Timestamp
        let firstMilliseconds: Int64
        let lastMilliseconds: Int64

        init?(_ entry: CaseEntry) {
            guard let file = entry.file, let first = file.firstMilliseconds,
                let last = file.lastMilliseconds, let recorded = Timestamp(entry.time)
            else { return nil }
            self.file = file.name
            self.recorded = recorded
            firstMilliseconds = Int64(first)
            lastMilliseconds = Int64(last)
        }
    }
}

/// Why there is no picture.
struct FrameError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
