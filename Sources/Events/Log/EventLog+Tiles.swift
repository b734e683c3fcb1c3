// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension EventLog {
    /// The bytes of a hash tile below the newest checkpoint (C2SP tlog-tiles).
    ///
    /// - Returns: `nil` for a tile that the newest checkpoint does not cover.
    /// - Throws: ``EventLogError`` when the index cannot be read.
    public func tile(_ tile: Tile) throws(EventLogError) -> [UInt8]? {
        guard tile.isWithin(size: checkpointSize) else { return nil }
        let bytes = try asking { try index.tile(level: tile.level, number: tile.index) }
        guard let bytes, bytes.count >= tile.byteCount else { return nil }
        // A stored right-edge tile grows in place; a partial one is its beginning.
        return Array(bytes.prefix(tile.byteCount))
    }

    /// The bytes of an entry bundle below the newest checkpoint; `nil` when that does not cover it.
    public func bundle(_ bundle: EntryBundle) throws(EventLogError) -> [UInt8]? {
        guard bundle.isWithin(size: checkpointSize) else { return nil }
        var bytes: [UInt8] = []
        var next = bundle.positions.lowerBound
        while next < bundle.positions.upperBound {
            let wanted = Int(bundle.positions.upperBound - next)
            let page = try entries(from: LogPosition(next), limit: wanted)
            guard !page.isEmpty else { return nil }
            for entry in page { try Self.append(entry, to: &bytes) }
            next += UInt64(page.count)
        }
        return bytes
    }

    /// Proves that an entry stands at its place under the newest checkpoint.
    ///
    /// - Returns: The proof, and the checkpoint's note; `nil` while no checkpoint covers the entry.
    public func inclusionProof(
        of position: LogPosition
    ) throws(EventLogError) -> (proof: InclusionProof, note: String)? {
        let newest = state.withLock { $0.checkpoint }
        guard let newest, position.rawValue < newest.size else { return nil }
        let proof = try asking {
            try MerkleTree(size: newest.size) { tile in
                try self.index.tile(level: tile.level, number: tile.index) ?? []
            }.inclusionProof(of: position.rawValue)
        }
        return (proof, newest.note)
    }

    private var checkpointSize: UInt64 { state.withLock { $0.checkpoint?.size ?? 0 } }

    private static func append(_ entry: Entry, to bytes: inout [UInt8]) throws(EventLogError) {
        let result: Result<Void, TileError> = entry.bytes.withUnsafeBytes { raw in
            do throws(TileError) {
                try EntryBundle.append(raw, to: &bytes)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        do { try result.get() } catch {
            throw .damaged(position: entry.envelope.position, detail: "\(error)")
        }
    }
}
