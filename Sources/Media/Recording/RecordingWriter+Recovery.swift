// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension RecordingWriter {
    /// Opens a file that was just claimed, or one that a crash, a stop or finalising left.
    ///
    /// Whole clusters that the ledger does not know and that carry the recording's seal are taken up, a torn one behind
    /// them is cut off, and each part goes on where its last cluster ends. What else stands there is set aside: nobody
    /// vouches for it. What was found is written and synced once more before it is returned: the
    /// crash may have come before the sync, or the sync may have failed, and then the bytes may stand in the system's
    /// memory alone, where they read as whole until the power goes. The logged chunks are held to the file: what they tell
    /// of themselves all, their bytes for the first, and for the last of each part, for these say how it goes on.
    /// ``finalize()`` holds the bytes of all.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - seal: The recording's own.
    ///   - start: The time that is 0 on the timeline; the same at every opening.
    ///   - logged: The chunks that the ledger knows, from the first.
    ///   - vouched: The byte of the file up to which somebody else holds the unlogged chunks to their digests: those are not written again.
    ///   - allowance: How many chunks it may make, of its own or with others.
    /// - Returns: The writer, and what the ledger has yet to log.
    /// - Throws: ``RecordingError/damaged(path:chunk:offset:)`` when a logged chunk is not there as logged;
    ///   ``RecordingError/storage(_:path:code:)`` when what was found cannot be made safe.
    public static func open(
        _ path: String,
        seal: RecordingSeal,
        start: Date,
        logged: [LoggedChunk] = [],
        vouched: UInt64 = 0,
        allowance: ChunkAllowance = ChunkAllowance()
    ) throws(RecordingError) -> RecoveredRecording {
        let file = try ArchiveFile(path, .write)
        let writer = RecordingWriter(file: file, seal: seal, start: start, allowance: allowance)
        var scan = try ClusterScan(file)
        for chunk in logged { try writer.recover(chunk, &scan) }
        try writer.checkWhatDecides()
        while let chunk = try writer.recoverUnlogged(&scan, vouched: vouched) {
            writer.chunks.append(chunk)
        }
        if writer.chunks.count > logged.count { try writer.secureHead() }
        let rest = try writer.clearTail(isTorn: try scan.isAtTornEnd())
        let unlogged = Array(writer.chunks.dropFirst(logged.count))
        return RecoveredRecording(
            writer: writer,
            unlogged: unlogged,
            tornBytes: rest.torn,
            setAside: rest.aside
        )
    }

    private func recover(_ logged: LoggedChunk, _ scan: inout ClusterScan) throws(RecordingError) {
        let place = logged.place
        guard let found = try scan.next() else {
            throw .damaged(path: path, chunk: place.index, offset: place.offset)
        }
        let chunk = ArchivedChunk(
            record: found.record,
            offset: found.offset,
            length: found.length,
            sha256: logged.sha256
        )
        guard logged.isTold(by: chunk) else {
            throw .damaged(path: path, chunk: place.index, offset: place.offset)
        }
        chunks.append(chunk)
        recover(found.record)
    }

    /// Takes a part up where one of its clusters left it.
    private func recover(_ record: ClusterRecord) {
        parts[record.part] = PartIntake(recovered: record)
        timelineEnd = max(timelineEnd ?? record.lastMilliseconds, record.lastMilliseconds)
    }

    /// Holds the bytes of the chunks that the writer goes on from: the first, and the last of each part.
    private func checkWhatDecides() throws(RecordingError) {
        var newest: [UInt32: ArchivedChunk] = [:]
        for chunk in chunks { newest[chunk.part] = chunk }
        var deciding = Set(newest.values)
        if let first = chunks.first { deciding.insert(first) }
        for chunk in deciding.sorted(by: { $0.index < $1.index }) { _ = try archived(chunk) }
    }

    private func recoverUnlogged(
        _ scan: inout ClusterScan,
        vouched: UInt64
    ) throws(RecordingError) -> ArchivedChunk? {
        var ahead = scan
        guard let found = try ahead.next() else { return nil }
        let cluster = try file.read(at: found.offset, count: found.length)
        // After a power cut the size may be right and the bytes not; or they are somebody else's.
        guard ClusterRecord.isSealed(cluster: cluster, by: seal), Cluster.frames(cluster) != nil
        else { return nil }
        scan = ahead
        // Nobody knows whether these bytes were ever synced. Linux tells a failed sync once and may drop what was not
        // written, so a sync alone does not do: the bytes are written again, and synced by secureHead.
        if found.offset >= vouched { try file.write(cluster, at: found.offset) }
        recover(found.record)
        return ArchivedChunk(
            record: found.record,
            offset: found.offset,
            length: found.length,
            sha256: SHA256Hex.text(cluster)
        )
    }

    /// Writes the head, which was written with the first cluster and may be lost as well, and syncs all.
    private func secureHead() throws(RecordingError) {
        guard let first = chunks.first else { return }
        try file.write(head(for: first).bytes(), at: 0)
        try file.synchronizeData()
        state = .growing
    }

    /// Takes away what stands behind the last chunk: a torn cluster for good, anything else into a file beside.
    func clearTail(
        isTorn: Bool
    ) throws(RecordingError) -> (torn: UInt64, aside: SetAside?) {
        let size = try file.size()
        // Without a chunk the head tells nothing either, so the file begins anew.
        let end = chunks.last?.end ?? 0
        guard size > end else { return (0, nil) }
        guard isTorn else { return (0, try file.setAside(from: end)) }
        try file.truncate(to: end)
        return (size - end, nil)
    }
}
