// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension LogIndex {
    /// How far the index has come; nowhere, if it is of another format.
    func progress() throws -> IndexProgress {
        guard let stored = try storedProgress(), stored.format == Self.format else {
            return IndexProgress(format: Self.format, size: 0, leafHash: nil)
        }
        return stored
    }

    /// How far it says that it has come, in whatever format; `nil` before its first commit.
    func storedProgress() throws -> IndexProgress? {
        try environment.read { transaction throws(LMDBError) in
            try IndexProgress(in: tables, transaction)
        }
    }

    /// How a subject stands, as far as the index knows.
    func head(of subject: Subject) throws -> UnindexedTail.Head? {
        try environment.read { transaction throws(LMDBError) -> UnindexedTail.Head? in
            guard let record = try record(of: subject, transaction), record.revision != .max else {
                return nil
            }
            return UnindexedTail.Head(
                revision: Revision(record.revision),
                position: LogPosition(record.position)
            )
        }
    }

    /// The last event that links to a subject in a role and is indexed.
    func last(_ link: SubjectLink) throws -> LogPosition? {
        try environment.read { transaction throws(LMDBError) -> LogPosition? in
            guard let number = try record(of: link.subject, transaction)?.number else { return nil }
            let cursor = try transaction.cursor(tables.links)
            return try withKey(LinkKey(subject: number, role: link.role).packed) {
                key throws(LMDBError) -> LogPosition? in
                guard try cursor.find(key) != nil, let last = try cursor.lastDuplicate() else {
                    return nil
                }
                return LogPosition(UInt64(last.value.loadUnaligned(as: UInt.self)))
            }
        }
    }

    /// Where the events of a command stand.
    func command(_ key: CommandKey) throws -> UnindexedTail.Command? {
        try environment.read { transaction throws(LMDBError) in
            try withText(key.indexText) { text throws(LMDBError) in
                try transaction.get(tables.commands, text).map {
                    UnindexedTail.Command(
                        first: LogPosition($0.loadUnaligned(as: UInt64.self)),
                        count: Int($0.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
                    )
                }
            }
        }
    }

    /// Positions of a subject's events from a revision on, in order.
    func positions(
        of subject: Subject,
        from revision: Revision,
        limit: Int
    ) throws -> [LogPosition] {
        try environment.read { transaction throws(LMDBError) -> [LogPosition] in
            guard let number = try record(of: subject, transaction)?.number else { return [] }
            let cursor = try transaction.cursor(tables.revisions)
            return try withKey(UInt64(number)) { key throws(LMDBError) -> [LogPosition] in
                var wanted = RevisionPlace(revision: revision.rawValue, position: 0).bytes
                var found: [LogPosition] = []
                var pair = try withUnsafeBytes(of: &wanted) { value throws(LMDBError) in
                    try cursor.seek(key, duplicate: value)
                }
                while let place = pair, found.count < limit {
                    found.append(LogPosition(RevisionPlace(place.value).position))
                    pair = try cursor.nextDuplicate()
                }
                return found
            }
        }
    }

    /// Positions of events that link to a subject in any of these roles.
    func positions(
        linkedTo subject: Subject,
        as roles: [LinkRole],
        from position: LogPosition,
        limit: Int
    ) throws -> [LogPosition] {
        try environment.read { transaction throws(LMDBError) -> [LogPosition] in
            guard let number = try record(of: subject, transaction)?.number else { return [] }
            var found: [LogPosition] = []
            for role in roles {
                let key = LinkKey(subject: number, role: role).packed
                found += try self.positions(tables.links, key, from: position, limit, transaction)
            }
            return found.merged(limit: limit)
        }
    }

    /// Positions of events of a kind.
    func positions(of kind: Kind, from position: LogPosition, limit: Int) throws -> [LogPosition] {
        try positions(tables.kinds, named: kind.text, from: position, limit)
    }

    /// Positions of events whose subject is of a category, such as `session`.
    func positions(
        category: String,
        from position: LogPosition,
        limit: Int
    ) throws -> [LogPosition] {
        try positions(tables.categories, named: category, from: position, limit)
    }

    /// The stored bytes of a tile, full or partial.
    func tile(level: Int, number: UInt64) throws -> [UInt8]? {
        try environment.read { transaction throws(LMDBError) in
            var key = TileKey(level: level, number: number).bytes
            return try withUnsafeBytes(of: &key) { key throws(LMDBError) in
                try transaction.get(tables.tiles, key).map { [UInt8]($0) }
            }
        }
    }

    /// The hash of an entry as it was committed; `nil` if the index has not come so far.
    func leaf(at position: LogPosition) throws -> MerkleHash? {
        let (number, place) = position.rawValue.quotientAndRemainder(dividingBy: 256)
        return try environment.read { transaction throws(LMDBError) -> MerkleHash? in
            var key = TileKey(level: 0, number: number).bytes
            return try withUnsafeBytes(of: &key) { key throws(LMDBError) -> MerkleHash? in
                let start = Int(place) * 32
                guard let tile = try transaction.get(tables.tiles, key), tile.count >= start + 32
                else { return nil }
                return MerkleHash(bytes: tile[start..<(start + 32)])
            }
        }
    }

    // MARK: Parts

    func record(
        of subject: Subject,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) -> SubjectRecord? {
        try withText(subject.text) { key throws(LMDBError) in
            try transaction.get(tables.subjects, key).map { SubjectRecord($0) }
        }
    }

    private func positions(
        _ table: LMDBTable,
        named name: String,
        from position: LogPosition,
        _ limit: Int
    ) throws -> [LogPosition] {
        try environment.read { transaction throws(LMDBError) -> [LogPosition] in
            let number = try withText(name) { key throws(LMDBError) in
                try transaction.get(tables.names, key)?.loadUnaligned(as: UInt32.self)
            }
            guard let number else { return [] }
            return try self.positions(table, UInt64(number), from: position, limit, transaction)
        }
    }

    private func positions(
        _ table: LMDBTable,
        _ number: UInt64,
        from position: LogPosition,
        _ limit: Int,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) -> [LogPosition] {
        let cursor = try transaction.cursor(table)
        return try withKey(number) { key throws(LMDBError) -> [LogPosition] in
            var pair = try withKey(position.rawValue) { value throws(LMDBError) in
                try cursor.seek(key, duplicate: value)
            }
            var found: [LogPosition] = []
            while let place = pair, found.count < limit {
                found.append(LogPosition(UInt64(place.value.loadUnaligned(as: UInt.self))))
                pair = try cursor.nextDuplicate()
            }
            return found
        }
    }
}

/// Shows a text's bytes.
func withText<Result>(
    _ text: String,
    _ body: (UnsafeRawBufferPointer) throws(LMDBError) -> Result
) throws(LMDBError) -> Result {
    var text = text
    // `withUTF8` rethrows without the error's type, so it is carried around it.
    let result: Swift.Result<Result, LMDBError> = text.withUTF8 { bytes in
        do throws(LMDBError) {
            return .success(try body(UnsafeRawBufferPointer(bytes)))
        } catch {
            return .failure(error)
        }
    }
    return try result.get()
}

/// A revision and its position, in an order that compares bytewise.
struct RevisionPlace {
    let revision: UInt64
    let position: UInt64

    init(revision: UInt64, position: UInt64) {
        self.revision = revision
        self.position = position
    }

    init(_ bytes: UnsafeRawBufferPointer) {
        revision = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        position = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    var bytes: (UInt64, UInt64) { (revision.bigEndian, position.bigEndian) }
}

/// The key of what links to a subject in a role.
struct LinkKey: Hashable {
    let subject: UInt32
    let role: UInt8

    init(subject: UInt32, role: LinkRole) {
        self.subject = subject
        self.role = role.rawValue
    }

    init(packed: UInt64) {
        subject = UInt32(truncatingIfNeeded: packed >> 8)
        role = UInt8(truncatingIfNeeded: packed)
    }

    var packed: UInt64 { UInt64(subject) << 8 | UInt64(role) }
}

/// The key of a tile, in an order that compares bytewise.
struct TileKey {
    let level: Int
    let number: UInt64

    // Eight bytes: a level is below 64 and a tile's number below 2^56.
    var bytes: UInt64 { (UInt64(level) << 56 | number).bigEndian }
}
