// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension RecordingWriter {
    /// Opens a file that was just claimed, or one that a crash, a stop or finalising left.
    ///
    /// Whole clusters that the ledger does not know are found, a torn one behind them is cut off, and each part
    /// goes on where its last cluster ends. What was found is written and synced once more before it is returned: the
    /// crash may have come before the sync, or the sync may have failed, and then the bytes may stand in the system's
    /// memory alone, where they read as whole until the power goes. The logged chunks are held to the file: their
    /// places all, their bytes for the last one (`daybook verify` holds all of them).
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - start: The time that is 0 on the timeline; the same at every opening.
    ///   - logged: The chunks that the ledger knows, from the first.
    /// - Returns: The writer, and what the ledger has yet to log.
    /// - Throws: ``RecordingError/damaged(path:chunk:offset:)`` when a logged chunk is not there as logged;
    ///   ``RecordingError/storage(_:path:code:)`` when what was found cannot be made safe.
    public static func open(
        _ path: String,
        start: Date,
        logged: [LoggedChunk] = []
    ) throws(RecordingError) -> RecoveredRecording {
        let file = try ArchiveFile(path, .write)
        let writer = RecordingWriter(file: file, start: start)
        var scan = try ClusterScan(file)
        for chunk in logged { try writer.recover(chunk, &scan) }
        try writer.checkLast(of: logged)
        while let chunk = try writer.recoverUnlogged(&scan) { writer.chunks.append(chunk) }
        if writer.chunks.count > logged.count { try writer.secureHead() }
        let torn = try writer.cutTornTail()
        let unlogged = Array(writer.chunks.dropFirst(logged.count))
        return RecoveredRecording(writer: writer, unlogged: unlogged, tornBytes: torn)
    }

    private func recover(_ logged: LoggedChunk, _ scan: inout ClusterScan) throws(RecordingError) {
        guard let found = try scan.next(), found.record.index == logged.index,
            found.offset == logged.offset, found.length == logged.length
        else { throw .damaged(path: path, chunk: logged.index, offset: logged.offset) }
        chunks.append(
            ArchivedChunk(
                record: found.record,
                offset: found.offset,
                length: found.length,
                sha256: logged.sha256
            )
        )
        recover(found.record)
    }

    /// Takes a part up where one of its clusters left it.
    private func recover(_ record: ClusterRecord) {
        parts[record.part] = PartIntake(recovered: record)
        timelineEnd = max(timelineEnd ?? record.lastMilliseconds, record.lastMilliseconds)
    }

    private func checkLast(of logged: [LoggedChunk]) throws(RecordingError) {
        guard let last = logged.last else { return }
        let cluster = try file.read(at: last.offset, count: last.length)
        guard SHA256Hex.text(cluster) == last.sha256 else {
            throw .damaged(path: path, chunk: last.index, offset: last.offset)
        }
    }

    private func recoverUnlogged(_ scan: inout ClusterScan) throws(RecordingError) -> ArchivedChunk?
    {
        guard let found = try scan.next() else { return nil }
        let cluster = try file.read(at: found.offset, count: found.length)
        // After a power cut the size may be right and the bytes not.
        guard ClusterRecord.isIntact(cluster: cluster), Cluster.frames(cluster) != nil else {
            return nil
        }
        // Nobody knows whether these bytes were ever synced. Linux tells a failed sync once and may drop what was not
        // written, so a sync alone does not do: the bytes are written again, and synced by secureHead.
        try file.write(cluster, at: found.offset)
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

    private func cutTornTail() throws(RecordingError) -> UInt64 {
        let size = try file.size()
        // Without a chunk the head tells nothing either, so the file begins anew.
        let end = chunks.last?.end ?? 0
        guard size > end else { return 0 }
        try file.truncate(to: end)
        return size - end
    }
}
