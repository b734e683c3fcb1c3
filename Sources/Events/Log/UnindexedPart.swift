// SPDX-License-Identifier: Apache-2.0
/// Committed events that one commit of the index will hold, found by whatever the index finds them by.
struct UnindexedPart: Sendable {
    /// In the order of the log.
    private(set) var items: [UnindexedTail.Item] = []
    private(set) var commands: [CommandKey: UnindexedTail.Command] = [:]
    private(set) var ids: Set<EventID> = []
    private var subjects: [Subject: Places] = [:]
    private var firstRevisions: [Subject: Revision] = [:]
    private var links: [SubjectLink: Places] = [:]
    private var kinds: [Kind: Places] = [:]
    private var categories: [String: Places] = [:]

    mutating func append(_ item: UnindexedTail.Item) {
        items.append(item)
        ids.insert(item.id)
        let position = item.position
        if subjects.add(position, under: item.subject) {
            firstRevisions[item.subject] = item.revision
        }
        for link in item.links { links.add(position, under: link) }
        kinds.add(position, under: item.kind)
        categories.add(position, under: String(item.subject.category))
        if let command = item.command {
            commands[command] = UnindexedTail.Command(first: position, count: item.count)
        }
    }

    func head(of subject: Subject) -> UnindexedTail.Head? {
        guard let places = subjects[subject], let first = firstRevisions[subject] else {
            return nil
        }
        // Revisions are gapless, so the places of a subject count them.
        let last = Revision(first.rawValue + UInt64(places.count) - 1)
        return UnindexedTail.Head(revision: last, position: places.last)
    }

    func last(_ link: SubjectLink) -> LogPosition? { links[link]?.last }

    func positions(of subject: Subject, from revision: Revision, limit: Int) -> [LogPosition] {
        guard let places = subjects[subject], let first = firstRevisions[subject] else { return [] }
        let start = revision > first ? revision.rawValue - first.rawValue : 0
        guard start < UInt64(places.count) else { return [] }
        return places.slice(from: Int(start), limit)
    }

    func positions(
        linkedTo subject: Subject,
        as roles: [LinkRole],
        from position: LogPosition,
        limit: Int
    ) -> [LogPosition] {
        roles.flatMap { role in
            links[SubjectLink(subject, as: role)]?.slice(from: position, limit) ?? []
        }.merged(limit: limit)
    }

    func positions(of kind: Kind, from position: LogPosition, limit: Int) -> [LogPosition] {
        kinds[kind]?.slice(from: position, limit) ?? []
    }

    func positions(category: String, from position: LogPosition, limit: Int) -> [LogPosition] {
        categories[category]?.slice(from: position, limit) ?? []
    }
}

/// Positions of the log in order, at least one; the first needs no memory of its own, because often there is no other.
private struct Places: Sendable {
    private let first: LogPosition
    private var others: [LogPosition] = []

    init(_ first: LogPosition) {
        self.first = first
    }

    var count: Int { others.count + 1 }
    var last: LogPosition { others.last ?? first }

    /// Adds a position behind the others; one that is there already, because an event names a thing twice, stays one.
    mutating func append(_ position: LogPosition) {
        if last < position { others.append(position) }
    }

    /// So many of them at most, from the n-th on.
    func slice(from index: Int, _ limit: Int) -> [LogPosition] {
        let end = index + min(limit, count - index)
        return (index..<end).map { $0 == 0 ? first : others[$0 - 1] }
    }

    /// So many of them at most, from a position on.
    func slice(from position: LogPosition, _ limit: Int) -> [LogPosition] {
        guard first < position else { return slice(from: 0, limit) }
        var (low, high) = (0, others.count)
        while low < high {
            let middle = low + (high - low) / 2
            if others[middle] < position { low = middle + 1 } else { high = middle }
        }
        return slice(from: low + 1, limit)
    }
}

extension Dictionary where Value == Places {
    /// Adds a position under a key.
    ///
    /// - Returns: Whether it is the first there.
    @discardableResult
    fileprivate mutating func add(_ position: LogPosition, under key: Key) -> Bool {
        guard let index = index(forKey: key) else {
            self[key] = Places(position)
            return true
        }
        values[index].append(position)
        return false
    }
}
