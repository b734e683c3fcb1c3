// SPDX-License-Identifier: Apache-2.0
import Crypto
public import Events
import GRDB
import GRDBSQLite

/// What a read model holds at a position, in 32 bytes.
public struct ReadModelDigest: Hashable, Sendable {
    /// Which read model.
    public let identity: ProjectorIdentity
    /// For which events the rows stand.
    public let progress: ProjectionProgress
    /// SHA-256 over each declared table in primary-key order.
    public let digest: Events.SHA256Digest
    /// How many rows there are.
    public let rows: Int
}

extension ReadDatabase {
    /// Computes the digest in one read transaction; it costs a walk over every row.
    ///
    /// Each table gives its name, its column names and how many rows it has; each value gives one byte for its type, eight for its length or
    /// number, and its bytes. Full-text tables and SQLite's own are left out, and no row number that SQLite gave counts.
    ///
    /// - Parameter projector: Whose tables.
    /// - Returns: The digest, and the progress it belongs to.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func digest(of projector: any Projector) async throws -> ReadModelDigest {
        try await read { try $0.digest(of: projector) }
    }
}

extension ReadTransaction {
    /// See ``ReadDatabase/digest(of:)``.
    public func digest(of projector: any Projector) throws -> ReadModelDigest {
        var hash = SHA256()
        var rows = 0
        for table in projector.tables {
            hash.update(text: table.name)
            for column in table.columnNames { hash.update(text: column) }
            // Told first, so that no row can be taken for the name of the next table.
            let count = try first("SELECT count(*) FROM \(table.name)") { try $0.integer() } ?? 0
            hash.update(number: Int64(count), type: 1)
            _ = try all(table.digestQuery) { row in row.update(&hash) }
            rows += count
        }
        return ReadModelDigest(
            identity: projector.identity,
            progress: try progress(),
            digest: Events.SHA256Digest(bytes: Array(hash.finalize())),
            rows: rows
        )
    }
}

extension Table {
    fileprivate var digestQuery: String {
        "SELECT \(columnNames.joined(separator: ", ")) FROM \(name)"
            + " ORDER BY \(key.joined(separator: ", "))"
    }
}

extension SHA256 {
    fileprivate mutating func update(text: String) {
        update(number: Int64(text.utf8.count), type: 3)
        update(data: Array(text.utf8))
    }

    mutating func update(number: Int64, type: UInt8) {
        withUnsafeBytes(of: type) { update(bufferPointer: $0) }
        withUnsafeBytes(of: number.littleEndian) { update(bufferPointer: $0) }
    }
}
