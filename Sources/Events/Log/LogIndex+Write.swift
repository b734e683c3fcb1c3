// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension LogIndex {
    /// Adds committed events and the tiles they changed, in one synced transaction.
    ///
    /// - Parameters:
    ///   - items: The events, in order, beginning where the index ends.
    ///   - tree: The tree before them; it grows with them if the transaction is kept.
    func add(
        _ items: [UnindexedTail.Item],
        to tree: inout TileBuilder
    ) throws(LMDBError) {
        guard let last = items.last else { return }
        var grown = tree
        for item in items { grown.append(item.leafHash) }
        let transaction = try environment.beginWrite()
        do throws(LMDBError) {
            try addSubjects(items, transaction)
            try addCommands(items, transaction)
            try addPositions(items, transaction)
            try addTiles(&grown, transaction)
            try setProgress(grown.size, last.leafHash, transaction)
        } catch {
            transaction.abort()
            throw error
        }
        try transaction.commit()
        tree = grown
    }

    private func addSubjects(
        _ items: [UnindexedTail.Item],
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        var changed: [Subject: SubjectRecord] = [:]
        var next = UInt32(try transaction.count(tables.subjects))
        var places: [(number: UInt32, place: RevisionPlace)] = []
        var links: [(number: UInt32, position: UInt64)] = []
        places.reserveCapacity(items.count)
        for item in items {
            var record = try known(item.subject, &changed, &next, transaction)
            record.revision = item.revision.rawValue
            record.position = item.position.rawValue
            changed[item.subject] = record
            places.append(
                (
                    record.number,
                    RevisionPlace(
                        revision: item.revision.rawValue,
                        position: item.position.rawValue
                    )
                )
            )
            for link in Set(item.links) {
                let linked = try known(link, &changed, &next, transaction)
                changed[link] = linked
                links.append((linked.number, item.position.rawValue))
            }
        }
        // Sorted, so that each page of the tree is visited once.
        for (subject, record) in changed.sorted(by: { $0.key.text < $1.key.text }) {
            try withText(subject.text) { key throws(LMDBError) in
                record.write(
                    to: try transaction.reserve(
                        tables.subjects,
                        key,
                        byteCount: SubjectRecord.byteCount
                    )
                )
            }
        }
        places.sort { ($0.number, $0.place.revision) < ($1.number, $1.place.revision) }
        for (number, place) in places {
            var bytes = place.bytes
            try withKey(UInt64(number)) { key throws(LMDBError) in
                try withUnsafeBytes(of: &bytes) { value throws(LMDBError) in
                    try transaction.put(tables.revisions, key, value, .appendDuplicate)
                }
            }
        }
        links.sort { ($0.number, $0.position) < ($1.number, $1.position) }
        for (number, position) in links {
            try addPosition(tables.links, number, position, transaction)
        }
    }

    private func known(
        _ subject: Subject,
        _ changed: inout [Subject: SubjectRecord],
        _ next: inout UInt32,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) -> SubjectRecord {
        if let record = changed[subject] { return record }
        if let record = try record(of: subject, transaction) { return record }
        defer { next += 1 }
        // A subject that is only linked to so far has no revision: the highest number stands for none.
        return SubjectRecord(number: next, revision: .max, position: .max)
    }

    private func addCommands(
        _ items: [UnindexedTail.Item],
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        var commands: [(text: String, first: UInt64, count: UInt32)] = []
        for item in items {
            guard let command = item.command else { continue }
            commands.append((command.indexText, item.position.rawValue, UInt32(item.count)))
        }
        commands.sort { $0.text < $1.text }
        for (text, first, count) in commands {
            try withText(text) { key throws(LMDBError) in
                let value = try transaction.reserve(tables.commands, key, byteCount: 12)
                value.storeBytes(of: first, as: UInt64.self)
                value.storeBytes(of: count, toByteOffset: 8, as: UInt32.self)
            }
        }
    }

    private func addPositions(
        _ items: [UnindexedTail.Item],
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        var numbers: [String: UInt32] = [:]
        for item in items {
            let position = item.position.rawValue
            let kind = try number(of: item.kind.text, &numbers, transaction)
            try addPosition(tables.kinds, kind, position, transaction)
            let category = try number(of: String(item.subject.category), &numbers, transaction)
            try addPosition(tables.categories, category, position, transaction)
        }
    }

    private func number(
        of name: String,
        _ numbers: inout [String: UInt32],
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) -> UInt32 {
        if let number = numbers[name] { return number }
        let number = try withText(name) { key throws(LMDBError) -> UInt32 in
            if let known = try transaction.get(tables.names, key) {
                return known.loadUnaligned(as: UInt32.self)
            }
            var new = UInt32(try transaction.count(tables.names))
            try withUnsafeBytes(of: &new) { value throws(LMDBError) in
                try transaction.put(tables.names, key, value)
            }
            return new
        }
        numbers[name] = number
        return number
    }

    private func addPosition(
        _ table: LMDBTable,
        _ number: UInt32,
        _ position: UInt64,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        try withKey(UInt64(number)) { key throws(LMDBError) in
            try withKey(position) { value throws(LMDBError) in
                try transaction.put(table, key, value, .appendDuplicate)
            }
        }
    }

    private func addTiles(
        _ tree: inout TileBuilder,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        var failure: LMDBError?
        tree.drain { tile, hashes in
            guard failure == nil else { return }
            do throws(LMDBError) {
                try put(tile, hashes, transaction)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func put(
        _ tile: Tile,
        _ hashes: UnsafeRawBufferPointer,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        var key = TileKey(level: tile.level, number: tile.index).bytes
        try withUnsafeBytes(of: &key) { key throws(LMDBError) in
            try transaction.put(tables.tiles, key, hashes)
        }
    }

    private func setProgress(
        _ size: UInt64,
        _ leafHash: MerkleHash,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        try withText("progress") { key throws(LMDBError) in
            let value = try transaction.reserve(tables.progress, key, byteCount: 48)
            value.storeBytes(of: Self.format, as: UInt64.self)
            value.storeBytes(of: size, toByteOffset: 8, as: UInt64.self)
            leafHash.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: value[16...]).copyMemory(from: $0)
            }
        }
    }
}
