// SPDX-License-Identifier: Apache-2.0

/// Walks the clusters of a recording, from its first or from the end of one known.
struct ClusterScan {
    let file: ArchiveFile
    /// How much of the file there is.
    let fileSize: UInt64
    private(set) var offset: UInt64
    private(set) var index: Int

    init(_ file: ArchiveFile, from offset: UInt64 = UInt64(RecordingHead.byteCount), index: Int = 0)
        throws(RecordingError)
    {
        self.file = file
        self.offset = offset
        self.index = index
        fileSize = try file.size()
    }

    struct Found {
        let offset: UInt64
        let length: Int
        let record: ClusterRecord
    }

    /// The next cluster; `nil` where none of ours begins, or it is not whole.
    ///
    /// Reads its ends only.
    mutating func next() throws(RecordingError) -> Found? {
        let headerBytes = UInt64(Cluster.headerBytes)
        guard offset + headerBytes <= fileSize else { return nil }
        let header = try file.read(at: offset, count: Cluster.headerBytes)
        guard let length = Cluster.length(header: header), offset + UInt64(length) <= fileSize,
            let record = try record(length: length), record.index == index
        else { return nil }
        defer {
            offset += UInt64(length)
            index += 1
        }
        return Found(offset: offset, length: length, record: record)
    }

    /// Whether what follows is the beginning of a cluster, or nothing: what a crash leaves in the middle of a write.
    func isAtTornEnd() throws(RecordingError) -> Bool {
        let headerBytes = UInt64(Cluster.headerBytes)
        guard offset + headerBytes <= fileSize else { return true }
        let header = try file.read(at: offset, count: Cluster.headerBytes)
        return Cluster.length(header: header).map { offset + UInt64($0) > fileSize } ?? false
    }

    private func record(length: Int) throws(RecordingError) -> ClusterRecord? {
        let trailerAt = offset + UInt64(length - ClusterRecord.trailerBytes)
        let trailer = try file.read(at: trailerAt, count: ClusterRecord.trailerBytes)
        guard let count = ClusterRecord.recordBytes(trailer: trailer),
            count + ClusterRecord.trailerBytes + Cluster.headerBytes <= length
        else { return nil }
        return ClusterRecord(try file.read(at: trailerAt - UInt64(count), count: count))
    }
}
