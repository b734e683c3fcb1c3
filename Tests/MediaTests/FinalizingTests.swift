// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import MediaTesting
import TestSupport
import Testing

@Suite(.tags(.promise9)) struct `Finalising a recording` {
    private func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test func `moves no cluster, and gives the same file every time`() throws {
        let folder = try TemporaryFolder()
        var writer: RecordingWriter? = try folder.recording(
            of: TestWebM.likeBrowser(try Samples.short())
        )
        let path = try #require(writer?.path)
        let before = try bytes(path)
        let finished = try #require(try writer?.finalize())
        let after = try bytes(path)
        #expect(before[65_536...] == after[65_536...])
        #expect(finished.length == UInt64(after.count) && finished.milliseconds == 2400)
        let logged = (writer?.chunks ?? []).map(LoggedChunk.init)
        writer = nil
        let opened = try RecordingWriter.open(
            path,
            seal: Samples.seal,
            start: Samples.start,
            logged: logged
        )
        #expect(opened.unlogged.isEmpty && opened.tornBytes == 0)
        #expect(try opened.writer.finalize() == finished)
        #expect(try bytes(path) == after)
    }

    @Test func `is undone by a part that comes after all`() throws {
        let folder = try TemporaryFolder()
        var writer: RecordingWriter? = try folder.recording(
            of: TestWebM.likeBrowser(try Samples.short())
        )
        let path = try #require(writer?.path)
        _ = try writer?.finalize()
        let logged = (writer?.chunks ?? []).map(LoggedChunk.init)
        writer = nil
        let again = try RecordingWriter.open(
            path,
            seal: Samples.seal,
            start: Samples.start,
            logged: logged
        ).writer
        _ = try again.send(TestWebM.likeBrowser(try Samples.video(60..<90)), part: 2)
        #expect(try probe(path).duration == nil)
        #expect(try again.finalize().milliseconds == 3561)
        #expect(try RecordingReader(path: path).numbers() == Array(0..<90))
    }

    @Test func `makes a file that ffprobe takes and seeks in by its cues`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording().writer
        _ = try writer.send(try Samples.fixture("ffmpeg-320x180.webm"), part: 1)
        _ = try writer.send(try Samples.fixture("browser-640x360.webm"), part: 2, at: 30_000)
        let growing = try probe(writer.path)
        #expect(growing.complaints == "" && growing.frames == 999)
        let finished = try writer.finalize()
        let probed = try probe(writer.path)
        #expect(probed.complaints == "" && probed.frames == 999)
        #expect(probed.duration == Double(finished.milliseconds) / 1000)
        let sought = try Samples.run(
            "ffprobe",
            "-v",
            "error",
            "-read_intervals",
            "40%+#1",
            "-show_entries",
            "packet=pts_time,flags,pos",
            "-of",
            "csv=p=0",
            writer.path
        )
        let fields = sought.out.split(separator: "\n").first?.split(separator: ",") ?? []
        let time = try #require(fields.first.flatMap { Double($0) })
        #expect(time > 37.5 && time <= 40 && fields.last?.hasPrefix("K") == true)
    }

    @Test func `thins the cues of a long recording to their room`() throws {
        let folder = try TemporaryFolder()
        let frames = try Samples.tiny().frames
        let key = frames[0].bytes
        let long = (0..<7000).map {
            VideoEncoder.Output(milliseconds: Int64($0) * 1000, isKey: true, bytes: key)
        }
        let video = TestVideo(codec: .vp9, size: try Samples.tiny().size, frames: long)
        let writer = try folder.recording().writer
        _ = try writer.send(TestWebM.likeBrowser(video), part: 1, secondsApart: 60)
        #expect(writer.chunks.count == 7000)
        let finished = try writer.finalize()
        #expect(finished.keyFrameChunks == 7000)
        let probed = try probe(writer.path)
        #expect(probed.complaints == "" && probed.duration == 6999.04 && probed.frames == 7000)
    }

    @Test func `says nothing of a file that has other bytes than were archived`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.short()))
        let middle = try #require(writer.chunks.dropFirst().first)
        var altered = try bytes(writer.path)
        for at in 0..<64 { altered[Int(middle.offset) + 200 + at] = 0 }
        try overwrite(writer.path, with: altered)
        let damage = RecordingError.damaged(
            path: writer.path,
            chunk: middle.index,
            offset: middle.offset
        )
        #expect(throws: damage) { try writer.finalize() }
        #expect(try bytes(writer.path) == altered)
    }

    @Test func `sets aside what somebody wrote behind the last chunk`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.short()))
        let more = Array("more".utf8)
        try overwrite(writer.path, with: try bytes(writer.path) + more)
        let finished = try writer.finalize()
        #expect(try bytes(#require(finished.setAside).path) == more)
        #expect(finished.length == UInt64(try bytes(writer.path).count))
    }

    /// In place: the writer goes on with the same file.
    private func overwrite(_ path: String, with bytes: [UInt8]) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    @Test func `leaves an empty recording empty`() throws {
        let folder = try TemporaryFolder()
        let finished = try folder.recording().writer.finalize()
        #expect(finished.length == 0 && finished.milliseconds == 0 && finished.chunks == 0)
    }

    /// What ffprobe says of a file.
    private func probe(
        _ path: String
    ) throws -> (duration: Double?, frames: Int?, complaints: String) {
        let run = try Samples.run(
            "ffprobe",
            "-v",
            "warning",
            "-count_packets",
            "-show_entries",
            "format=duration:stream=nb_read_packets",
            "-of",
            "default=noprint_wrappers=1",
            path
        )
        var values: [Substring: Substring] = [:]
        for line in run.out.split(separator: "\n") {
            let pair = line.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { values[pair[0]] = pair[1] }
        }
        let duration = values["duration"].flatMap { Double($0) }
        return (duration, values["nb_read_packets"].flatMap { Int($0) }, run.errors)
    }
}
