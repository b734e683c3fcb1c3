// SPDX-License-Identifier: Apache-2.0
/// What was committed to the log and is not yet in the index; decides and answers together with it.
///
/// It stands in parts, oldest first, each of which is one commit of the index. There are few of them, and a part finds
/// by dictionaries, so what is asked under the lock costs the same however much waits.
struct UnindexedTail: Sendable {
    /// One committed event, as the index needs it.
    struct Item: Sendable {
        let id: EventID
        let position: LogPosition
        let revision: Revision
        let subject: Subject
        let kind: Kind
        let links: [SubjectLink]
        let leafHash: MerkleHash
        /// Set on the first event of each append.
        let command: CommandKey?
        /// How many events that append has.
        let count: Int
    }

    /// How a subject stands.
    struct Head: Hashable, Sendable {
        let revision: Revision
        let position: LogPosition
    }

    /// Where a command's events stand.
    struct Command: Hashable, Sendable {
        let first: LogPosition
        let count: Int
    }

    private let itemsPerPartMax: Int
    /// Oldest first; the newest takes what is committed next, unless it is being indexed.
    private var parts: [UnindexedPart] = []
    /// Whether the oldest part is being indexed: it grows no more.
    private(set) var isBeingIndexed = false
    /// How many events wait for the index.
    private(set) var count = 0

    init(itemsPerPartMax: Int = LogLimits.eventsPerIndexCommit) {
        self.itemsPerPartMax = itemsPerPartMax
    }

    // MARK: What changes it

    /// Adds events that were committed, in order: whole appends.
    mutating func append(_ committed: [Item]) {
        for item in committed {
            if item.command != nil { makeRoom(for: item.count) }
            parts[parts.count - 1].append(item)
        }
        count += committed.count
    }

    /// What the next commit of the index holds; `nil` when nothing waits.
    ///
    /// It is the same again until it is dropped.
    mutating func take() -> [Item]? {
        guard let oldest = parts.first else { return nil }
        isBeingIndexed = true
        return oldest.items
    }

    /// Forgets what the index holds now.
    ///
    /// - Returns: What is forgotten, so that it is freed outside the lock.
    mutating func dropIndexed() -> UnindexedPart {
        precondition(isBeingIndexed, "only what was taken can have been indexed")
        isBeingIndexed = false
        let indexed = parts.removeFirst()
        count -= indexed.items.count
        return indexed
    }

    /// Begins another part where the newest one is full or is being indexed; an append is never cut.
    private mutating func makeRoom(for events: Int) {
        let isOpen = parts.count > (isBeingIndexed ? 1 : 0)
        if isOpen, let newest = parts.last, newest.items.count + events <= itemsPerPartMax {
            return
        }
        parts.append(UnindexedPart())
    }

    // MARK: What is asked

    func head(of subject: Subject) -> Head? { newest { $0.head(of: subject) } }

    func last(_ link: SubjectLink) -> LogPosition? { newest { $0.last(link) } }

    func command(_ key: CommandKey) -> Command? { newest { $0.commands[key] } }

    /// The first of these ids that an event has; see ``LogBatch``.
    func first(of ids: [EventID]) -> EventID? {
        ids.first { id in parts.contains { $0.ids.contains(id) } }
    }

    func positions(of subject: Subject, from revision: Revision, limit: Int) -> [LogPosition] {
        oldest(limit) { $0.positions(of: subject, from: revision, limit: $1) }
    }

    /// Where events link to a subject in any of these roles.
    func positions(
        linkedTo subject: Subject,
        as roles: [LinkRole],
        from position: LogPosition,
        limit: Int
    ) -> [LogPosition] {
        oldest(limit) { $0.positions(linkedTo: subject, as: roles, from: position, limit: $1) }
    }

    func positions(of kind: Kind, from position: LogPosition, limit: Int) -> [LogPosition] {
        oldest(limit) { $0.positions(of: kind, from: position, limit: $1) }
    }

    func positions(
        category: String,
        from position: LogPosition,
        limit: Int
    ) -> [LogPosition] {
        oldest(limit) { $0.positions(category: category, from: position, limit: $1) }
    }

    private func newest<Found>(_ find: (UnindexedPart) -> Found?) -> Found? {
        for part in parts.reversed() {
            if let found = find(part) { return found }
        }
        return nil
    }

    private func oldest(
        _ limit: Int,
        _ find: (UnindexedPart, Int) -> [LogPosition]
    ) -> [LogPosition] {
        var found: [LogPosition] = []
        for part in parts where found.count < limit {
            found += find(part, limit - found.count)
        }
        return found
    }
}
