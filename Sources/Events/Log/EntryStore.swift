// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
public import Foundation

/// The truth on disk: entries by position, signed checkpoints, and what the ledger is called.
///
/// Reading takes no part in appending, so an auditor may open one beside a running gateway.
public final class EntryStore: Sendable {
    let environment: LMDBEnvironment
    private let entries: LMDBTable
    private let checkpoints: LMDBTable
    private let facts: LMDBTable

    /// The format that this program writes and reads.
    public static let format = "daybook-log/1"

    /// Opens a store for reading: `log/` below the ledger's folder.
    ///
    /// Makes no file; needs no key.
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder.
    ///   - mapBytes: How large the map is at first; it follows when a writer outgrows it.
    /// - Returns: The store.
    /// - Throws: ``EventLogError/cannotOpen(path:reason:)``.
    public static func open(_ folder: URL, mapBytes: Int = LogLimits.mapBytes) throws(EventLogError)
        -> EntryStore
    {
        let path = folder.appending(path: "log").path
        // Readers enter themselves in a file, for whoever writes. Where nobody does, or we may not, nothing is changed.
        let writable =
            FolderLock.isHeld(folder)
            && FileManager.default.isWritableFile(atPath: path + "/lock.mdb")
        return try EntryStore(
            path: path,
            access: writable ? .readOnly : .readOnlyWithoutLock,
            map: MapSize(bytes: mapBytes)
        )
    }

    init(path: String, access: LMDBEnvironment.Access, map: MapSize) throws(EventLogError) {
        if access == .readWrite { try Self.checkKnown(path) }
        do {
            environment = try LMDBEnvironment(
                folder: path,
                access: access,
                map: map,
                tablesMax: 3
            )
            let create: LMDBTable.Flags = access == .readWrite ? .create : []
            let transaction =
                access == .readWrite ? try environment.beginWrite() : try environment.beginRead()
            do throws(LMDBError) {
                entries = try transaction.table("entries", [.integerKey, create])
                checkpoints = try transaction.table("checkpoints", [.integerKey, create])
                facts = try transaction.table("facts", create)
            } catch {
                transaction.abort()
                throw error
            }
            // A read transaction must end by commit for its table handles to live on.
            try transaction.commit()
        } catch {
            throw .cannotOpen(path: path, reason: "\(error)")
        }
    }

    /// Refuses a file that its own commits do not fit into: touching what is missing would kill this process.
    ///
    /// One that is not there, or has no byte yet, is begun.
    private static func checkKnown(_ folder: String) throws(EventLogError) {
        let file = folder + "/data.mdb"
        guard let bytes = fileBytes(file), bytes > 0 else { return }
        try LMDBFileHead.check(URL(fileURLWithPath: file))
    }

    // MARK: Reading

    /// How many entries are committed.
    ///
    /// - Throws: ``EventLogError/damaged(position:detail:)`` also for a last position that no log has.
    public func size() throws(EventLogError) -> UInt64 {
        try Self.size(
            last: try reading { transaction throws(LMDBError) in
                try transaction.cursor(entries).last()?.key.loadUnaligned(as: UInt.self)
            }
        )
    }

    private static func size(last position: UInt?) throws(EventLogError) -> UInt64 {
        guard let position else { return 0 }
        guard position < UInt(Int.max) else {
            throw .damaged(position: nil, detail: "it says that its last position is \(position)")
        }
        return UInt64(position) + 1
    }

    /// When the last entry was recorded that can be read; `nil` in a log without any.
    func lastTime() throws(EventLogError) -> Timestamp? {
        var next = try size()
        while next > 0 {
            next -= 1
            guard let bytes = try bytes(at: LogPosition(next)) else { continue }
            do {
                return try Entry(parsing: bytes).envelope.time
            } catch {
                // The one before was recorded no later.
                continue
            }
        }
        return nil
    }

    /// The bytes of one entry; `nil` if there is none.
    public func bytes(at position: LogPosition) throws(EventLogError) -> [UInt8]? {
        try reading { transaction throws(LMDBError) in
            try withKey(position.rawValue) { key throws(LMDBError) in
                try transaction.get(entries, key).map { [UInt8]($0) }
            }
        }
    }

    /// Shows entries in order, in one short read transaction, until `take` answers false, the page is full or the log ends.
    ///
    /// The bytes die with the call. Positions are as stored: a gap shows as a jump.
    public func page(
        from position: LogPosition,
        limit: Int = LogLimits.pageEntriesDefault,
        _ take: (LogPosition, UnsafeRawBufferPointer) -> Bool
    ) throws(EventLogError) {
        guard !environment.isLockFree else { return try copiedPage(from: position, limit, take) }
        try reading { transaction throws(LMDBError) in
            let cursor = try transaction.cursor(entries)
            var pair = try withKey(position.rawValue) { key throws(LMDBError) in
                try cursor.seek(key)
            }
            var count = 0
            var bytes = 0
            while let found = pair, count < limit, bytes < LogLimits.pageBytesMax {
                let place = LogPosition(UInt64(found.key.loadUnaligned(as: UInt.self)))
                guard take(place, found.value) else { return }
                count += 1
                bytes += found.value.count
                pair = try cursor.next()
            }
        }
    }

    /// A page read without a lock: shown only once it is known that no writer touched it meanwhile.
    private func copiedPage(
        from position: LogPosition,
        _ limit: Int,
        _ take: (LogPosition, UnsafeRawBufferPointer) -> Bool
    ) throws(EventLogError) {
        let copies = try reading { transaction throws(LMDBError) in
            let cursor = try transaction.cursor(entries)
            var pair = try withKey(position.rawValue) { key throws(LMDBError) in
                try cursor.seek(key)
            }
            var copies: [(LogPosition, [UInt8])] = []
            var bytes = 0
            while let found = pair, copies.count < limit, bytes < LogLimits.pageBytesMax {
                let place = LogPosition(UInt64(found.key.loadUnaligned(as: UInt.self)))
                copies.append((place, [UInt8](found.value)))
                bytes += found.value.count
                pair = try cursor.next()
            }
            return copies
        }
        for (place, bytes) in copies {
            guard bytes.withUnsafeBytes({ take(place, $0) }) else { return }
        }
    }

    /// The signed checkpoints, oldest first: the size each covers and the note.
    ///
    /// - Throws: ``EventLogError`` also for a table that holds what no log can; see ``rows(of:called:rowBytesMax:isAfter:)``.
    public func checkpointNotes() throws(EventLogError) -> [(size: UInt64, note: String)] {
        try rows(
            of: checkpoints,
            called: "checkpoints",
            rowBytesMax: ProofLimits.noteBytesMax
        ) { $0.loadUnaligned(as: UInt.self) > $1.loadUnaligned(as: UInt.self) }
        .map { (UInt64($0.key.withUnsafeBytes { $0.loadUnaligned(as: UInt.self) }), $0.text) }
    }

    /// The newest signed checkpoint.
    public func newestCheckpointNote() throws(EventLogError) -> String? {
        let note: String?? = try reading { transaction throws(LMDBError) in
            guard let last = try transaction.cursor(checkpoints).last() else { return .some(nil) }
            // What is longer need not even be in the file.
            guard last.value.count <= ProofLimits.noteBytesMax else { return nil }
            return String(decoding: last.value, as: UTF8.self)
        }
        guard let note else { throw Self.impossible("checkpoints", "the last is too long") }
        return note
    }

    /// How many signed checkpoints there are.
    func checkpointCount() throws(EventLogError) -> Int {
        try reading { transaction throws(LMDBError) in try transaction.count(checkpoints) }
    }

    /// What the ledger is called; `nil` in a log that never was written to.
    public func origin() throws(EventLogError) -> String? {
        try fact("origin")
    }

    /// Everything that the log says about itself, by name.
    public func allFacts() throws(EventLogError) -> [(name: String, value: String)] {
        try rows(of: facts, called: "facts", rowBytesMax: ProofLimits.noteBytesMax) {
            $1.lexicographicallyPrecedes($0)
        }
        .map { (String(decoding: $0.key, as: UTF8.self), $0.text) }
    }

    /// All rows of a small table, in order.
    ///
    /// Pages that somebody made may lead back to themselves, or to one page a million times. Of a sound table each row comes
    /// once, behind the one before, with bytes of its own: so all together are never longer than the file.
    ///
    /// - Throws: ``EventLogError/unreadable(detail:)`` for any other.
    private func rows(
        of table: LMDBTable,
        called name: String,
        rowBytesMax: Int,
        isAfter: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
    ) throws(EventLogError) -> [(key: [UInt8], text: String)] {
        var fault: String?
        let found = try reading { transaction throws(LMDBError) in
            let cursor = try transaction.cursor(table)
            var found: [(key: [UInt8], text: String)] = []
            var room = environment.bytesOfFile
            var pair = try cursor.first()
            // Without a lock this may be the second reading.
            fault = nil
            while let row = pair {
                let isInOrder = found.last?.key.withUnsafeBytes { isAfter(row.key, $0) } ?? true
                let bytes = row.key.count + row.value.count
                guard isInOrder, row.value.count <= rowBytesMax, bytes <= room else {
                    fault = isInOrder ? "its rows are longer than the file" : "its rows come twice"
                    break
                }
                room -= bytes
                found.append(([UInt8](row.key), String(decoding: row.value, as: UTF8.self)))
                pair = try cursor.next()
            }
            return found
        }
        if let fault { throw Self.impossible(name, fault) }
        return found
    }

    /// What the log's file has beside the tables of a log.
    public func foreignTables() throws(EventLogError) -> [String] {
        let names = try reading { transaction throws(LMDBError) in
            try transaction.tableNames(countMax: LogLimits.tableNamesMax)
        }
        return names.filter { !["entries", "checkpoints", "facts"].contains($0) }
    }

    private static func impossible(_ table: String, _ fault: String) -> EventLogError {
        .unreadable(detail: "no log has a table of \(table) like this one: \(fault)")
    }

    /// How many entries are committed, and what their last commit says of its seal: both of one moment.
    public func sealedEnd() throws(EventLogError) -> (size: UInt64, seal: String?) {
        let end = try reading { transaction throws(LMDBError) in
            let last = try transaction.cursor(entries).last()?.key.loadUnaligned(as: UInt.self)
            let seal = try withText(CommitSeal.factName) { name throws(LMDBError) in
                try transaction.get(facts, name).map { String(decoding: $0, as: UTF8.self) }
            }
            return (last: last, seal: seal)
        }
        return (try Self.size(last: end.last), end.seal)
    }

    func fact(_ name: String) throws(EventLogError) -> String? {
        try reading { transaction throws(LMDBError) in
            try withText(name) { name throws(LMDBError) in
                try transaction.get(facts, name).map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }

    private func reading<Result>(
        _ work: (borrowing LMDBTransaction) throws(LMDBError) -> Result
    ) throws(EventLogError) -> Result {
        do {
            return try environment.read(work)
        } catch {
            throw .unreadable(detail: "\(error)")
        }
    }

    // MARK: Writing, by the writer's thread alone

    /// Makes room for an entry, to be filled before the next call.
    func reserve(
        _ position: LogPosition,
        byteCount: Int,
        in transaction: borrowing LMDBTransaction
    ) throws(LMDBError) -> UnsafeMutableRawBufferPointer {
        try withKey(position.rawValue) { key throws(LMDBError) in
            try transaction.reserve(entries, key, byteCount: byteCount, .append)
        }
    }

    func put(
        checkpoint note: String,
        size: UInt64,
        in transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        try withText(note) { note throws(LMDBError) in
            try withKey(size) { key throws(LMDBError) in
                try transaction.put(checkpoints, key, note)
            }
        }
    }

    /// Empties the table of checkpoints, in a transaction of its own.
    func removeCheckpoints() throws(LMDBError) {
        let transaction = try environment.beginWrite()
        do throws(LMDBError) {
            try transaction.empty(checkpoints)
        } catch {
            transaction.abort()
            throw error
        }
        try transaction.commit()
    }

    func put(
        fact value: String,
        named name: String,
        in transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        try withText(name) { name throws(LMDBError) in
            try withText(value) { value throws(LMDBError) in
                try transaction.put(facts, name, value)
            }
        }
    }
}

/// Shows a number as the native integer key that LMDB compares.
func withKey<Result>(
    _ number: UInt64,
    _ body: (UnsafeRawBufferPointer) throws(LMDBError) -> Result
) throws(LMDBError) -> Result {
    var key = UInt(number)
    return try withUnsafeBytes(of: &key) { key throws(LMDBError) in try body(key) }
}
