// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension EventLog {
    /// The last revision of a subject; `nil` if it has no event.
    public func revision(of subject: Subject) throws(EventLogError) -> Revision? {
        try head(of: subject)?.revision
    }

    /// One entry, which is the one that was committed there; `nil` if the log is shorter.
    ///
    /// Held against its leaf in the sealed index, as everything that is found by the index is: decisions rest on it. A
    /// page of the log by position is not, since read models are disposable and `verify` reads everything.
    ///
    /// - Throws: ``EventLogError/damaged(position:detail:)`` where somebody changed it.
    public func entry(at position: LogPosition) throws(EventLogError) -> Entry? {
        guard position.rawValue < size, let bytes = try store.bytes(at: position) else {
            return nil
        }
        let entry = try parse(bytes, at: position)
        try vouch(for: entry, at: position)
        return entry
    }

    /// Refuses an entry that is not the one that was committed there, as far as this log has keys to tell.
    ///
    /// What waits for the index was committed by this process a moment ago. A log that opened for reading only is shown as
    /// it is, and nothing acts on it.
    func vouch(for entry: Entry, at position: LogPosition) throws(EventLogError) {
        guard configuration.memory?.sealer != nil, !isDoubted else { return }
        guard let leaf = try asking({ try index.leaf(at: position) }), leaf != entry.leafHash
        else { return }
        noteUnreadable(position)
        throw .damaged(position: position, detail: "it is not the entry that was committed there")
    }

    /// A page of the log from a position on.
    ///
    /// - Parameters:
    ///   - position: Where to begin.
    ///   - limit: How many entries at most; ``LogLimits/pageBytesMax`` also ends a page.
    /// - Returns: The entries in order; empty at the live end.
    /// - Throws: ``EventLogError`` when the log cannot be read or an entry of the page is damaged.
    public func entries(
        from position: LogPosition,
        limit: Int = LogLimits.pageEntriesDefault
    ) throws(EventLogError) -> [Entry] {
        // What is on disk and not published yet is found by no subject either: whoever followed the log and was shown it
        // here would ask there, find nothing, and never be told of it again.
        let size = size
        guard position.rawValue < size else { return [] }
        let limit = min(UInt64(max(0, limit)), size - position.rawValue)
        var raw: [(LogPosition, [UInt8])] = []
        try store.page(from: position, limit: Int(limit)) { place, bytes in
            raw.append((place, [UInt8](bytes)))
            return true
        }
        return try raw.map { place, bytes throws(EventLogError) in try parse(bytes, at: place) }
    }

    /// A page of the log from a position on, past entries that cannot be read; they are named in ``unreadable``, too.
    ///
    /// - Parameters:
    ///   - position: Where to begin, below the size.
    ///   - limit: How many entries at most, read or not.
    /// - Returns: At least one position.
    /// - Throws: ``EventLogError`` when the log cannot be read, or an entry is missing: what is only not there now, nobody passes.
    public func readableRun(
        from position: LogPosition,
        limit: Int = LogLimits.pageEntriesDefault
    ) throws(EventLogError) -> ReadableRun {
        let end = size
        var run = ReadableRun(next: position.rawValue)
        try store.page(from: position, limit: limit) { place, bytes in
            guard place.rawValue < end, place.rawValue == run.next else { return false }
            run.take(place.rawValue, bytes)
            return true
        }
        guard run.next > position.rawValue else {
            throw .damaged(position: position, detail: "the entry is missing")
        }
        for gap in run.unreadable { noteUnreadable(gap.first...gap.last) }
        return run
    }

    /// Where entries stand that this process came upon and could not read, in order; the first of them alone, where there are many.
    public var unreadable: [LogPosition] { state.withLock { $0.unreadable.sorted() } }

    /// Notes that an entry cannot be read by whoever decodes it.
    public func noteUnreadable(_ position: LogPosition) {
        noteUnreadable(position.rawValue...position.rawValue)
    }

    func noteUnreadable(_ places: ClosedRange<UInt64>) {
        state.withLock { state in
            for place in places where state.unreadable.count < LogLimits.unreadableNotedMax {
                state.unreadable.insert(LogPosition(place))
            }
        }
    }

    /// A page of one subject's entries from a revision on.
    public func entries(
        of subject: Subject,
        from revision: Revision = Revision(0),
        limit: Int = LogLimits.pageEntriesDefault
    ) throws(EventLogError) -> [Entry] {
        let recent = state.withLock {
            $0.unindexed.positions(of: subject, from: revision, limit: limit)
        }
        let indexed = try asking { try index.positions(of: subject, from: revision, limit: limit) }
        return try entries(at: indexed, and: recent, limit)
    }

    /// A page of the entries that link to a subject, in one role or in any, from a position on.
    public func entries(
        linkedTo subject: Subject,
        as role: LinkRole? = nil,
        from position: LogPosition = LogPosition(0),
        limit: Int = LogLimits.pageEntriesDefault
    ) throws(EventLogError) -> [Entry] {
        let roles = role.map { [$0] } ?? LinkRole.allCases
        let recent = state.withLock {
            $0.unindexed.positions(linkedTo: subject, as: roles, from: position, limit: limit)
        }
        let indexed = try asking {
            try index.positions(linkedTo: subject, as: roles, from: position, limit: limit)
        }
        return try entries(at: indexed, and: recent, limit)
    }

    /// A page of the entries of a kind, from a position on.
    public func entries(
        of kind: Kind,
        from position: LogPosition = LogPosition(0),
        limit: Int = LogLimits.pageEntriesDefault
    ) throws(EventLogError) -> [Entry] {
        try positions(of: kind, from: position, limit).map(known)
    }

    /// A page of the entries of a kind, past those that cannot be read: one that was damaged hides no other.
    ///
    /// - Throws: ``EventLogError`` when it is not known where the entries stand.
    public func entriesPastDamage(
        of kind: Kind,
        from position: LogPosition = LogPosition(0),
        limit: Int = LogLimits.pageEntriesDefault
    ) throws(EventLogError) -> PagePastDamage {
        let positions = try positions(of: kind, from: position, limit)
        var page = PagePastDamage(next: positions.last?.next)
        for place in positions {
            do throws(EventLogError) {
                page.entries.append(try known(place))
            } catch {
                switch error {
                case .damaged, .unreadable: page.damaged.append(place)
                default: throw error
                }
            }
        }
        return page
    }

    private func positions(
        of kind: Kind,
        from position: LogPosition,
        _ limit: Int
    ) throws(EventLogError) -> [LogPosition] {
        let recent = state.withLock {
            $0.unindexed.positions(of: kind, from: position, limit: limit)
        }
        let indexed = try asking { try index.positions(of: kind, from: position, limit: limit) }
        return merged(indexed, recent, limit)
    }

    /// A page of the entries whose subject is of a category, such as `session`, from a position on.
    public func entries(
        category: String,
        from position: LogPosition = LogPosition(0),
        limit: Int = LogLimits.pageEntriesDefault
    ) throws(EventLogError) -> [Entry] {
        let recent = state.withLock {
            $0.unindexed.positions(category: category, from: position, limit: limit)
        }
        let indexed = try asking {
            try index.positions(category: category, from: position, limit: limit)
        }
        return try entries(at: indexed, and: recent, limit)
    }

    /// The position of the first event recorded at or after a time; the size of the log if there is none.
    ///
    /// Recorded time never goes back, so this takes O(log n) reads. What cannot be read before it may have been recorded then, too,
    /// and is behind the position.
    public func position(at time: Timestamp) throws(EventLogError) -> LogPosition {
        var low: UInt64 = 0
        var high = size
        while low < high {
            let middle = low + (high - low) / 2
            var next = middle
            var found: Entry?
            while found == nil, next < high {
                found = try entryUnlessDamaged(at: LogPosition(next))
                next += 1
            }
            if let found, found.envelope.time < time { low = next } else { high = middle }
        }
        return LogPosition(low)
    }

    private func entryUnlessDamaged(at position: LogPosition) throws(EventLogError) -> Entry? {
        do throws(EventLogError) {
            return try entry(at: position)
        } catch {
            guard case .damaged = error else { throw error }
            return nil
        }
    }

    private func entries(
        at indexed: [LogPosition],
        and recent: [LogPosition],
        _ limit: Int
    ) throws(EventLogError) -> [Entry] {
        try merged(indexed, recent, limit).map(known)
    }

    private func merged(
        _ indexed: [LogPosition],
        _ recent: [LogPosition],
        _ limit: Int
    ) -> [LogPosition] {
        // Both may know the same event when the index caught up between the two questions.
        let newer = recent.drop { position in indexed.last.map { position <= $0 } ?? false }
        return Array((indexed + newer).prefix(limit))
    }

    /// An entry that the index names.
    private func known(_ position: LogPosition) throws(EventLogError) -> Entry {
        guard let entry = try entry(at: position) else {
            throw .damaged(
                position: position,
                detail: "the index names it, the log does not have it"
            )
        }
        return entry
    }

    func parse(_ bytes: [UInt8], at position: LogPosition) throws(EventLogError) -> Entry {
        do {
            return try Entry(parsing: bytes)
        } catch {
            noteUnreadable(position)
            throw .damaged(position: position, detail: error.reason)
        }
    }
}

/// Entries that could be read, of a page, and where the others stand.
public struct PagePastDamage: Sendable {
    public fileprivate(set) var entries: [Entry] = []
    /// Those that cannot be read.
    public fileprivate(set) var damaged: [LogPosition] = []
    /// Where the next page begins; `nil` behind the last entry.
    public let next: LogPosition?

    fileprivate init(next: LogPosition?) { self.next = next }
}
