// SPDX-License-Identifier: Apache-2.0
import Events
import GRDB

/// What no row tells of moves the progress in memory alone, until the file says so.
extension ProjectionFile {
    /// Writes the progress that stands in memory alone.
    ///
    /// - Throws: ``ProjectionError/notStored(_:path:reason:)``; then the next to open the file reads some entries again.
    func settle() throws {
        try connections.writeWithoutTransaction { database in try settle(database) }
    }

    /// Goes behind a page that changes no row, without a transaction.
    ///
    /// - Returns: `nil` if it has to be applied.
    func pass(_ page: EventPage, atMost entries: Int) -> ProjectionProgress? {
        let before = tables.progress
        guard tables.rows != nil, !tables.owesRollback, page.first <= before.next,
            page.next > before.next
        else {
            return nil
        }
        let passed = Int(clamping: page.next.rawValue - before.next.rawValue)
        guard passed <= entries - tables.entriesUnwritten else { return nil }
        for event in page.events where event.envelope.position >= before.next {
            guard !projector.kinds.contains(event.envelope.kind) else { return nil }
        }
        for event in page.events where event.envelope.position >= before.next {
            if case .person(.erased(let erased)) = event.fact { keys.forget(erased.person) }
        }
        tables.entriesUnwritten += passed
        tables.progress = ProjectionProgress(next: page.next, leaf: page.leaf, origin: origin)
        return tables.progress
    }

    /// Like ``settle()``, on the writing connection.
    func settle(_ database: Database) throws {
        guard tables.entriesUnwritten > 0, !tables.owesRollback, let rows = tables.rows else {
            return
        }
        do {
            try database.beginTransaction(.immediate)
            write(tables.progress, with: rows)
            if let failure = rows.failure { throw failure }
            try commit(database)
        } catch {
            throw undone(error, in: database)
        }
    }
}
