// SPDX-License-Identifier: Apache-2.0

extension RecordingWriter {
    /// Completes the file: duration, cues and seek head go into the room kept for them; no cluster moves.
    ///
    /// Log the chunks of a ``flush()`` (or of ``end(part:)``) before: finalising throws waiting frames away, and
    /// takes nothing afterwards. Doing it again, also after a crash in the middle, gives the same bytes.
    ///
    /// - Returns: The digest and length of the whole file. Reads it once from end to end.
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
        if let first = chunks.first {
            let size = try file.size()
            let cues = keys.map {
                RecordingHead.Cue(milliseconds: $0.firstMilliseconds, offset: $0.offset)
            }
            let ending = RecordingHead.Ending(
                milliseconds: milliseconds,
                fileSize: size,
                cues: cues.sorted { $0.milliseconds < $1.milliseconds }
            )
            try file.write(head(for: first).bytes(ending: ending), at: 0)
            try file.synchronizeData()
        }
        let (digest, length) = try file.sha256()
        return FinishedRecording(
            path: path,
            length: length,
            sha256: digest,
            milliseconds: milliseconds,
            chunks: chunks.count,
            keyFrameChunks: keys.count
        )
    }

    /// The end of the newest frame, which lasts as long as the one before it.
    private func durationMilliseconds() throws(RecordingError) -> Int64 {
        guard let newest = chunks.max(by: { $0.lastMilliseconds < $1.lastMilliseconds }) else {
            return 0
        }
        let cluster = try file.read(at: newest.offset, count: newest.length)
        guard let frames = Cluster.frames(cluster) else {
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
