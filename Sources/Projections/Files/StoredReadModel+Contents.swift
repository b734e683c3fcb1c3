// SPDX-License-Identifier: Apache-2.0
import Crypto
import Events
public import Foundation
import GRDB

extension StoredReadModel {
    /// Whether somebody copied the files and followed the links: then none of them serves, and none is the current one.
    public static func isFollowedCopy(_ projector: any Projector, in folder: URL) -> Bool {
        let link = ProjectionFolder(folder, projector.identity).link
        var found = stat()
        return lstat(link.path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG
    }

    /// Lets SQLite look at every page and at the full text of a copy.
    static func check(_ queue: DatabaseQueue, of projector: any Projector) throws {
        try queue.writeWithoutTransaction { database in
            let pages = try String.fetchAll(database, sql: "PRAGMA quick_check(1)")
            guard pages == ["ok"] else {
                throw ReadModelError.damaged(pages.first ?? "its pages cannot be checked")
            }
            for table in projector.searchTables {
                do {
                    let name = table.name
                    try database.execute(
                        sql: "INSERT INTO \(name)(\(name)) VALUES ('integrity-check')"
                    )
                } catch {
                    throw ReadModelError.damaged(
                        "its full text \(table.name) does not fit: \(error)"
                    )
                }
            }
        }
    }
}

extension ReadTransaction {
    /// One digest for each declared table, then for each full text, then for the schema.
    ///
    /// - Parameters:
    ///   - projector: Whose read model it is.
    ///   - withOpened: Whether columns count that only keys fill; without them full texts do not count, either.
    /// - Returns: The digests.
    /// - Throws: What SQLite says of a file that it cannot read.
    func tableDigests(
        of projector: any Projector,
        withOpened: Bool = true
    ) throws -> [StoredReadModel.TableDigest] {
        var digests = try projector.tables.map { table in
            let opened = withOpened ? [] : table.opened
            let columns = table.columnNames.filter { !opened.contains($0) }
            return try digest(
                table.name,
                "SELECT \(columns.joined(separator: ", ")) FROM \(table.name)"
                    + " ORDER BY \(table.key.joined(separator: ", "))"
            )
        }
        for table in projector.searchTables where withOpened {
            digests.append(
                try digest(
                    table.name,
                    "SELECT rowid, \(table.columns.joined(separator: ", ")) FROM \(table.name)"
                        + " ORDER BY rowid"
                )
            )
        }
        digests.append(
            try digest(
                "sqlite_master",
                "SELECT type, name, tbl_name, sql FROM sqlite_master"
                    + " WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name"
            )
        )
        return digests
    }

    private func digest(_ name: String, _ sql: String) throws -> StoredReadModel.TableDigest {
        var hash = SHA256()
        let rows = try all(sql) { row in row.update(&hash) }.count
        return StoredReadModel.TableDigest(
            table: name,
            digest: Events.SHA256Digest(bytes: Array(hash.finalize())),
            rows: rows
        )
    }
}
