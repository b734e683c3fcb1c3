// SPDX-License-Identifier: Apache-2.0

/// Clusters that are written and synced together.
struct ClusterBatch {
    private(set) var bytes: [UInt8] = []
    private(set) var chunks: [ArchivedChunk] = []
    private(set) var nextIndex: Int
    private var nextOffset: UInt64
    let offset: UInt64

    /// An empty batch that goes behind a chunk, or behind the head.
    init(after last: ArchivedChunk?) {
        nextIndex = (last?.index ?? -1) + 1
        offset = last?.end ?? UInt64(RecordingHead.byteCount)
        nextOffset = offset
    }

    mutating func add(_ cluster: [UInt8], record: ClusterRecord, followsLeap: Bool) {
        var chunk = ArchivedChunk(
            record: record,
            offset: nextOffset,
            length: cluster.count,
            sha256: SHA256Hex.text(cluster)
        )
        chunk.followsLeap = followsLeap
        bytes += cluster
        chunks.append(chunk)
        nextIndex += 1
        nextOffset = chunk.end
    }
}

extension ArchivedChunk {
    init(record: ClusterRecord, offset: UInt64, length: Int, sha256: String) {
        self.init(
            index: record.index,
            offset: offset,
            length: length,
            sha256: sha256,
            firstMilliseconds: record.firstMilliseconds,
            lastMilliseconds: record.lastMilliseconds,
            startsWithKeyFrame: record.startsWithKeyFrame,
            frames: record.frames,
            codec: record.position.track.codec,
            size: record.size,
            part: record.part,
            source: record.source
        )
    }
}

extension RecordingWriter {
    /// Moves pending frames of a part into clusters of the batch, of as many frames as given.
    func cut(_ counts: [Int], of part: UInt32, into batch: inout ClusterBatch) {
        guard !counts.isEmpty, let before = parts[part]?.through else { return }
        for count in counts {
            guard let cut = parts[part]?.cut(count, index: batch.nextIndex) else { continue }
            let cluster = Cluster.encoded(cut.frames, record: cut.record, seal: seal)
            batch.add(cluster, record: cut.record, followsLeap: cut.followsLeap)
        }
        parts[part]?.compact()
        noteWaiting(of: part, Int(before) - Int(parts[part]?.through ?? before))
    }

    /// Writes and syncs a batch; from then on its chunks are the recording's.
    func commit(_ batch: ClusterBatch) throws(RecordingError) -> [ArchivedChunk] {
        guard let first = batch.chunks.first else { return [] }
        do {
            if state == .untouched {
                try file.write(head(for: chunks.first ?? first).bytes(), at: 0)
            }
            try file.write(batch.bytes, at: batch.offset)
            try file.synchronizeData()
        } catch {
            state = .failed
            throw error
        }
        state = .growing
        chunks += batch.chunks
        allowance.spend(batch.chunks.count, of: ObjectIdentifier(self))
        return batch.chunks
    }

    /// The head follows from the first chunk, so that it can be made again at any time.
    func head(for first: ArchivedChunk) -> RecordingHead {
        let track = VideoTrack(
            codec: first.codec,
            width: first.size.width,
            height: first.size.height
        )
        return RecordingHead(track: track, start: start)
    }

    /// Holds bytes that came again to those taken the first time.
    func compare(
        _ again: ArraySlice<UInt8>,
        with intake: PartIntake,
        offset: UInt64
    ) throws(RecordingError) {
        guard !again.isEmpty else { return }
        let known = try sourceBytes(offset..<offset + UInt64(again.count), of: intake)
        guard
            let difference = zip(known, again).enumerated().first(where: {
                $0.element.0 != $0.element.1
            })
        else { return }
        throw .conflict(part: intake.number, offset: offset + UInt64(difference.offset))
    }

    /// The bytes of a chunk, as they were archived.
    ///
    /// - Throws: ``RecordingError/damaged(path:chunk:offset:)`` when others stand there.
    func archived(_ chunk: ArchivedChunk) throws(RecordingError) -> [UInt8] {
        let cluster = try file.read(at: chunk.offset, count: chunk.length)
        guard SHA256Hex.text(cluster) == chunk.sha256 else {
            throw .damaged(path: path, chunk: chunk.index, offset: chunk.offset)
        }
        return cluster
    }

    private func sourceBytes(
        _ range: Range<UInt64>,
        of intake: PartIntake
    ) throws(RecordingError) -> [UInt8] {
        var bytes: [UInt8] = []
        for chunk in chunks where chunk.part == intake.number && chunk.source.overlaps(range) {
            let cluster = try archived(chunk)
            guard let source = Cluster.source(cluster), source.count == chunk.source.count else {
                throw .damaged(path: path, chunk: chunk.index, offset: chunk.offset)
            }
            let wanted = chunk.source.clamped(to: range)
            let from = Int(wanted.lowerBound - chunk.source.lowerBound)
            bytes += source[from..<from + wanted.count]
        }
        guard range.upperBound > intake.through else { return bytes }
        return bytes + intake.rawBytes(max(range.lowerBound, intake.through)..<range.upperBound)
    }
}
