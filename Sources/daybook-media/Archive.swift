// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media

/// Archives WebM files as the parts of one recording, and inspects it.
enum Archive {
    /// Makes a recording of files, each sent in pieces of 16 KiB as a part behind the one before.
    static func make(of files: ArraySlice<String>, at path: String, finalizes: Bool) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let writer = try RecordingWriter.open(path, seal: .random(), start: .now).writer
        for (part, file) in zip(UInt32(1)..., files) {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
            let begin = (writer.timelineEnd ?? -40) + 40
            var offset = try writer.begin(part: part, placement: .live(atMilliseconds: begin))
            while offset < bytes.count {
                let piece = Array(bytes.dropFirst(Int(offset)).prefix(16_384))
                offset = try writer.accept(piece, part: part, offset: offset).received
            }
            _ = try writer.end(part: part)
        }
        print("\(writer.chunks.count) chunks, \(writer.timelineEnd ?? 0) ms")
        if finalizes { print("sha256 \(try writer.finalize().sha256)") }
    }

    /// Inspects a recording by a child process, and tells how fast.
    static func inspect(_ path: String) async throws {
        let reader = try RecordingReader(path: path)
        let own = CommandLine.arguments[0]
        let inspection = InspectionProcess(executable: own, arguments: ["inspect-worker"])
        var (frames, undecodable) = (0, 0)
        let begin = ContinuousClock.now
        for chunk in reader.chunks {
            let logged = LoggedChunk(chunk, through: 0, sha256: try reader.sha256(chunk.bytes))
            let outcome = await inspection.inspect(logged, of: path)
            if case .notDecoded(let reason) = outcome { print("chunk \(chunk.index): \(reason)") }
            frames += outcome.pictures?.frames ?? 0
            undecodable += outcome.pictures?.undecodable ?? 0
        }
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        print(
            "\(frames) frames, \(undecodable) undecodable, \(Int(Double(frames) / seconds)) a second"
        )
    }
}
