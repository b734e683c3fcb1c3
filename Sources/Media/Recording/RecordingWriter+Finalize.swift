// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

extension RecordingWriter {
    /// Completes the file: duration, cues and seek head go into the room kept for them; no cluster moves.
    ///
    /// Log the chunks of a ``flush()`` (or of ``end(part:)``) before: finalising throws waiting frames away, and
    /// takes nothing afterwards. Doing it again, also after a crash in the middle, gives the same bytes.
    ///
    /// Nothing is said of bytes that others stand for: every chunk is held against its digest before anything is written.
    ///
    /// - Returns: The digest and length of the whole file. Reads it once from end to end.
    /// - Throws: ``RecordingError/damaged(path:chunk:offset:)`` for the first chunk that is not as it was archived.
    public func finalize() throws(RecordingError) -> FinishedRecording {
        try checkOpen()
        do {
            let finished = try writeEnding()
            state = .finalized
            return finished
        } catch {
            state = .failed
            throw error
        }
    }

    private func writeEnding() throws(RecordingError) -> FinishedRecording {
        let keys = chunks.filter(\.startsWithKeyFrame)
        let milliseconds = try durationMilliseconds()
        let head = ending(cues: keys, milliseconds: milliseconds)
        let digest = try digest(behind: head)
        let aside = try clearTail(isTorn: false).aside
        if !head.isEmpty {
            try file.write(head, at: 0)
            try file.synchronizeData()
        }
        return FinishedRecording(
            path: path,
            length: chunks.last?.end ?? 0,
            sha256: digest,
            milliseconds: milliseconds,
            chunks: chunks.count,
            keyFrameChunks: keys.count,
            setAside: aside
        )
    }

    /// The head of the finished file; nothing where there are no chunks.
    private func ending(cues keys: [ArchivedChunk], milliseconds: Int64) -> [UInt8] {
        guard let first = chunks.first, let last = chunks.last else { return [] }
        let cues = keys.map {
            RecordingHead.Cue(milliseconds: $0.firstMilliseconds, offset: $0.offset)
        }
        let ending = RecordingHead.Ending(
            milliseconds: milliseconds,
            fileSize: last.end,
            cues: cues.sorted { $0.milliseconds < $1.milliseconds }
        )
        return head(for: first).bytes(ending: ending)
    }

    /// The SHA-256 of the finished file, of which every chunk is as it was archived.
    private func digest(behind head: [UInt8]) throws(RecordingError) -> String {
        var hash = SHA256()
        hash.update(data: head)
        for chunk in chunks { hash.update(data: try archived(chunk)) }
        return SHA256Hex.hexadecimal(Array(hash.finalize()))
    }

    /// The end of the newest frame, which lasts as long as the one before it.
    private func durationMilliseconds() throws(RecordingError) -> Int64 {
        guard let newest = chunks.max(by: { $0.lastMilliseconds < $1.lastMilliseconds }) else {
            return 0
        }
        guard let frames = Cluster.frames(try archived(newest)) else {
            throw .damaged(path: path, chunk: newest.index, offset: newest.offset)
        }
        let usual: Int64 = 40
        guard let last = frames.last, frames.count > 1 else {
            return newest.lastMilliseconds + usual
        }
        let lasts = last.milliseconds - frames[frames.count - 2].milliseconds
        return newest.lastMilliseconds + (lasts > 0 ? lasts : usual)
    }
}
