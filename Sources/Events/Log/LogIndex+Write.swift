// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
import Synchronization

extension LogIndex {
    /// Adds committed events and the tiles they changed, in one synced transaction.
    ///
    /// - Parameters:
    ///   - items: The events, in order, beginning where the index ends.
    ///   - leaves: Those of all entries, also of such as cannot be read and are no events; `nil` where there are none of these.
    ///   - tree: The tree before them; it grows with them if the transaction is kept.
    /// - Throws: ``LMDBError``; nothing was kept then.
    func add(
        _ items: [UnindexedTail.Item],
        over leaves: [MerkleHash]? = nil,
        to tree: inout TileBuilder
    ) throws(LMDBError) {
        environment.keepRoom()
        let leaves = leaves ?? items.map(\.leafHash)
        do throws(LMDBError) {
            try write(items, leaves, to: &tree)
        } catch  where error.isMapFull && environment.makeRoom() {
            try add(items, over: leaves, to: &tree)
        }
    }

    private func write(
        _ items: [UnindexedTail.Item],
        _ leaves: [MerkleHash],
        to tree: inout TileBuilder
    ) throws(LMDBError) {
        guard let last = leaves.last else { return }
        var grown = tree
        var digest = rows.withLock { $0 }
        for leaf in leaves { grown.append(leaf) }
        let transaction = try environment.beginWrite()
        do throws(LMDBError) {
            var places = IndexPlaces()
            for item in items { try place(item, &places, &digest, transaction) }
            try addSubjects(places, &digest, transaction)
            try addPlaces(places, &digest, transaction)
            try addCommands(items, &digest, transaction)
            try addTiles(&grown, &digest, transaction)
            try setProgress(grown.size, last, transaction)
            try seal(digest, transaction)
        } catch {
            transaction.abort()
            throw error
        }
        try transaction.commit()
        tree = grown
        rows.withLock { $0 = digest }
    }

    // MARK: Gathering, so that each key is visited once

    private func place(
        _ item: UnindexedTail.Item,
        _ places: inout IndexPlaces,
        _ digest: inout RowDigest,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        let slot = try slot(of: item.subject, &places, &digest, transaction)
        places.subjects[slot].add(item.revision, item.position)
        for link in Set(item.links) {
            let linked = try self.slot(of: link.subject, &places, &digest, transaction)
            let key = LinkKey(subject: places.subjects[linked].record.number, role: link.role)
            places.links[key.packed, default: []].append(UInt(item.position.rawValue))
        }
        let kind = try number(of: item.kind.text, &places, &digest, transaction)
        places.kinds[kind, default: []].append(UInt(item.position.rawValue))
        let category = places.subjects[slot].category
        places.categories[category, default: []].append(UInt(item.position.rawValue))
    }

    private func slot(
        of subject: Subject,
        _ places: inout IndexPlaces,
        _ digest: inout RowDigest,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) -> Int {
        if let slot = places.slots[subject] { return slot }
        let known = try record(of: subject, transaction)
        if places.subjectCount == nil {
            places.subjectCount = try transaction.count(tables.subjects)
        }
        let category = try number(of: String(subject.category), &places, &digest, transaction)
        return places.add(subject, known, category: category)
    }

    private func number(
        of name: String,
        _ places: inout IndexPlaces,
        _ digest: inout RowDigest,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) -> UInt32 {
        if let number = places.numbers[name] { return number }
        let number = try withText(name) { key throws(LMDBError) -> UInt32 in
            if let known = try transaction.get(tables.names, key) {
                return known.loadUnaligned(as: UInt32.self)
            }
            var new = UInt32(try transaction.count(tables.names))
            try withUnsafeBytes(of: &new) { value throws(LMDBError) in
                try put(.names, key, value, &digest, transaction)
            }
            return new
        }
        places.numbers[name] = number
        return number
    }

    // MARK: Writing

    private func addSubjects(
        _ places: IndexPlaces,
        _ digest: inout RowDigest,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        // In the order of the keys, so that each page of the tree is visited once.
        for place in places.subjects.sorted(by: { $0.subject.text < $1.subject.text }) {
            try withText(place.subject.text) { key throws(LMDBError) in
                let value = place.record.bytes
                try value.withUnsafeBufferPointer { value throws(LMDBError) in
                    try put(.subjects, key, UnsafeRawBufferPointer(value), &digest, transaction)
                }
            }
        }
    }

    private func addPlaces(
        _ places: IndexPlaces,
        _ digest: inout RowDigest,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        for place in places.subjects.sorted(by: { $0.record.number < $1.record.number }) {
            let number = UInt64(place.record.number)
            try put(place.revisions, .revisions, under: number, &digest, transaction)
        }
        for (key, positions) in places.links.sorted(by: { $0.key < $1.key }) {
            try put(positions, .links, under: key, &digest, transaction)
        }
        for (kind, positions) in places.kinds {
            try put(positions, .kinds, under: UInt64(kind), &digest, transaction)
        }
        for (category, positions) in places.categories {
            try put(positions, .categories, under: UInt64(category), &digest, transaction)
        }
    }

    /// Adds values under a number that stand nowhere yet.
    private func put<Value: BitwiseCopyable>(
        _ values: [Value],
        _ sealed: Sealed,
        under number: UInt64,
        _ digest: inout RowDigest,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        guard !values.isEmpty else { return }
        let cursor = try transaction.cursor(table(sealed))
        try withKey(number) { key throws(LMDBError) in
            try values.withUnsafeBufferPointer { values throws(LMDBError) in
                let bytes = UnsafeRawBufferPointer(values)
                let size = MemoryLayout<Value>.size
                for start in stride(from: 0, to: bytes.count, by: size) {
                    let value = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + size)])
                    digest.add(sealed.rawValue, key, value)
                }
                try cursor.put(key, values: bytes, byteCount: size)
            }
        }
    }

    private func addCommands(
        _ items: [UnindexedTail.Item],
        _ digest: inout RowDigest,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        var commands: [(text: String, position: UInt64, count: UInt32)] = []
        commands.reserveCapacity(items.count)
        for item in items {
            guard let command = item.command else { continue }
            commands.append((command.indexText, item.position.rawValue, UInt32(item.count)))
        }
        commands.sort { $0.text < $1.text }
        for command in commands {
            try withText(command.text) { key throws(LMDBError) in
                var value = (command.position, command.count)
                try withUnsafeBytes(of: &value) { value throws(LMDBError) in
                    let value = UnsafeRawBufferPointer(rebasing: value[..<12])
                    try put(.commands, key, value, &digest, transaction)
                }
            }
        }
    }

    private func addTiles(
        _ tree: inout TileBuilder,
        _ digest: inout RowDigest,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        var failure: LMDBError?
        tree.drain { tile, hashes in
            guard failure == nil else { return }
            do throws(LMDBError) {
                try put(tile, hashes, &digest, transaction)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func put(
        _ tile: Tile,
        _ hashes: UnsafeRawBufferPointer,
        _ digest: inout RowDigest,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        var key = TileKey(level: tile.level, number: tile.index).bytes
        try withUnsafeBytes(of: &key) { key throws(LMDBError) in
            try put(.tiles, key, hashes, &digest, transaction)
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
