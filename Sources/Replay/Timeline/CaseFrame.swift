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
    /// When the picture itself was taken, by the clock of the server: mostly a moment before the one that was asked for.
    public let time: String

    /// Decodes the picture that was recorded at a moment.
    ///
    /// - Parameters:
    ///   - moment: An RFC 3339 time within a recorded piece, or seconds from the beginning of the recording: `12.5`.
    ///   - timeline: The incident.
    ///   - folder: The ledger's folder.
    /// - Throws: ``FrameError`` when nothing was recorded then, the file is not what was archived, or it cannot be decoded; what reading
    ///   the file throws.
    public init(at moment: String, of timeline: CaseTimeline, in folder: URL) throws {
        let place = try Self.place(moment, timeline)
        guard CaseFile.isInside(place.chunk.file) else {
            throw FrameError(
                "frame at \(moment) was not possible: the log names \(place.chunk.file.printable), "
                    + "which leads out of the media folder; run daybook verify"
            )
        }
        let path = try VolumeList.read(of: folder).path(of: place.chunk.file, of: folder).path
        guard FileManager.default.fileExists(atPath: path) else {
            throw FrameError(
                "frame at \(moment) was not possible: \(place.chunk.file) is on no volume that is there; run daybook verify, which says whether it was erased or is lost"
            )
        }
        try Self.check(path, place.chunk, timeline, moment)
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
        file = place.chunk.file
        milliseconds = still.milliseconds
        time = "\(place.chunk.time(at: still.milliseconds))"
    }

    /// Holds what the picture is decoded from against the log: another recording, copied there, would show another place.
    private static func check(
        _ path: String,
        _ chunk: Chunk,
        _ timeline: CaseTimeline,
        _ moment: String
    ) throws {
        let file = try RegularFile.open(path)
        defer { _ = try? file.close() }
        for entry in timeline.entries where entry.kind == StreamChunkArchived.kind.text {
            guard let piece = entry.file, piece.name == chunk.file, let offset = piece.offset,
                let length = piece.length, piece.firstMilliseconds ?? 0 <= chunk.lastMilliseconds
            else { continue }
            guard offset >= 0, let digest = file.sha256(at: offset, length),
                digest.text == piece.sha256
            else {
                throw FrameError(
                    "frame at \(moment) was not possible: \(chunk.file) is not what was archived "
                        + "(bytes \(offset)..<\(offset.addingReportingOverflow(length).partialValue)); run daybook verify"
                )
            }
        }
    }

    private static func place(
        _ moment: String,
        _ timeline: CaseTimeline
    ) throws -> (chunk: Chunk, milliseconds: Int64) {
        let chunks = Chunk.all(of: timeline)
        guard let first = chunks.first else {
            throw FrameError(
                "frame at \(moment) was not possible: no video of \(timeline.root) was archived"
            )
        }
        if let seconds = NumberText.real(moment, in: 0...ReplayLimits.recordingSecondsMax) {
            return try place(
                moment,
                Int64(seconds * 1_000),
                in: chunks.filter { $0.file == first.file }
            )
        }
        guard let time = Timestamp(moment) else { throw TimelineError.notAMoment(moment) }
        guard let chunk = chunks.first(where: { $0.covers(time) }) else {
            throw FrameError(
                "frame at \(moment) was not possible: no video was archived then; there is some "
                    + "from \(first.begins) to \(chunks.map { $0.time(at: $0.lastMilliseconds) }.max() ?? first.begins)"
            )
        }
        return (chunk, chunk.milliseconds(at: time))
    }

    /// A time into a recording; what lies before its first picture is its beginning.
    private static func place(
        _ moment: String,
        _ milliseconds: Int64,
        in chunks: [Chunk]
    ) throws -> (chunk: Chunk, milliseconds: Int64) {
        let stands = ReplayLimits.pictureStandsMilliseconds
        let chunk = chunks.last { $0.firstMilliseconds <= milliseconds } ?? chunks.first
        guard let chunk, milliseconds <= chunk.lastMilliseconds + stands else {
            throw FrameError(
                "frame at \(moment) was not possible: the first recording has no picture then; "
                    + "it ends at \(Double(chunks.last?.lastMilliseconds ?? 0) / 1_000) s"
            )
        }
        return (chunk, milliseconds)
    }

    /// What was archived as one piece, and when its pictures were taken by the clock of the server.
    private struct Chunk {
        let file: String
        let firstMilliseconds: Int64
        let lastMilliseconds: Int64
        /// When the recording's own clock stood at zero for these pictures, as far as the server knows.
        private(set) var zero: Timestamp

        /// All that were archived.
        ///
        /// The recording's own clock runs on while the network holds up what is filmed: so what came most promptly tells best when
        /// all of it was filmed, and what came late stands where it was filmed, not where it came. What was sent in a hurry, as film
        /// from before the stream began is, was there by the time it came, and tells nothing of the rest.
        static func all(of timeline: CaseTimeline) -> [Chunk] {
            var chunks = timeline.entries.compactMap { entry in
                entry.kind == StreamChunkArchived.kind.text ? Chunk(entry) : nil
            }
            var prompt: [String: Timestamp] = [:]
            for chunk in chunks {
                prompt[chunk.file] = min(prompt[chunk.file] ?? chunk.zero, chunk.zero)
            }
            let begun = beginnings(in: timeline)
            for index in chunks.indices {
                let file = chunks[index].file
                guard let first = prompt[file] else { continue }
                let started = begun[file] ?? first
                chunks[index].zero = first >= started ? first : min(started, chunks[index].zero)
            }
            return chunks
        }

        /// When each file's stream was begun.
        private static func beginnings(in timeline: CaseTimeline) -> [String: Timestamp] {
            var found: [String: Timestamp] = [:]
            for entry in timeline.entries where entry.kind == StreamStarted.kind.text {
                guard let name = entry.file?.name, let time = Timestamp(entry.time) else {
                    continue
                }
                found[name] = time
            }
            return found
        }

        private init?(_ entry: CaseEntry) {
            guard let file = entry.file, let first = file.firstMilliseconds,
                let last = file.lastMilliseconds, let recorded = Timestamp(entry.time),
                // A forged log may name any numbers.
                0 <= first, first <= last, Double(last) <= ReplayLimits.recordingSecondsMax * 1_000
            else { return nil }
            self.file = file.name
            firstMilliseconds = Int64(first)
            lastMilliseconds = Int64(last)
            zero = recorded + .milliseconds(-last)
        }

        /// When its first picture was taken.
        var begins: Timestamp { time(at: firstMilliseconds) }

        func covers(_ time: Timestamp) -> Bool {
            let stands = Duration.milliseconds(ReplayLimits.pictureStandsMilliseconds)
            return begins <= time && time <= self.time(at: lastMilliseconds) + stands
        }

        func milliseconds(at time: Timestamp) -> Int64 {
            let passed = Int64((time - zero) / .milliseconds(1))
            return min(max(firstMilliseconds, passed), lastMilliseconds)
        }

        /// When a picture was taken, as far as the server knows.
        func time(at milliseconds: Int64) -> Timestamp {
            zero + .milliseconds(milliseconds)
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
