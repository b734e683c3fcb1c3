// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension EventLog {
    // Each asks the unindexed tail first and the index afterwards: what left the tail in between is in the index by then.

    /// How a subject stands; `nil` if it has no event.
    func head(of subject: Subject) throws(EventLogError) -> UnindexedTail.Head? {
        if let head = state.withLock({ $0.unindexed.head(of: subject) }) { return head }
        return try asking { try index.head(of: subject) }
    }

    /// The last event that links to a subject in a role; `nil` if there is none.
    public func last(_ link: SubjectLink) throws(EventLogError) -> LogPosition? {
        if let position = state.withLock({ $0.unindexed.last(link) }) { return position }
        return try asking { try index.last(link) }
    }

    /// Whether the log keeps, for ever, what a command asked: if it signs.
    public var remembersWhatWasAsked: Bool { hasher != nil }

    /// The receipt of a command that was taken before; `nil` if none of that actor and id was.
    ///
    /// - Throws: ``EventLogError/idReused(_:)`` if that one asked something else.
    public func receipt(of stamp: CommandStamp) throws(EventLogError) -> Receipt? {
        try receipt(of: CommandKey(stamp), stamp)
    }

    /// The receipt of a command that was taken before.
    func receipt(
        of key: CommandKey,
        _ stamp: CommandStamp
    ) throws(EventLogError) -> Receipt? {
        var known = state.withLock { $0.unindexed.command(key) }
        if known == nil { known = try asking { try index.command(key) } }
        guard let command = known else { return nil }
        var revisions: [Subject: Revision] = [:]
        var time = Timestamp(microseconds: 0)
        let entries = try entries(from: command.first, count: command.count)
        guard !isOther(entries, than: stamp) else { throw .idReused(stamp.command) }
        for entry in entries {
            revisions[entry.envelope.subject] = entry.envelope.revision
            time = entry.envelope.time
        }
        return Receipt(
            first: command.first,
            count: command.count,
            revisions: revisions,
            time: time,
            repeated: true
        )
    }

    /// Whether entries are of a command that asked something else, as far as that can be known.
    ///
    /// It cannot of commands that nobody hashed, that another ledger's key hashed, or whose person is erased.
    private func isOther(_ entries: [Entry], than stamp: CommandStamp) -> Bool {
        guard let asked = stamp.asked, let hasher,
            let known = entries.first?.envelope.commandHash, hasher.made(known)
        else { return false }
        let persons = entries.reduce(into: Set<PersonID>()) {
            $0.formUnion(sealedPersons(in: $1.data))
        }
        return hasher.hash(asked, about: persons, configuration.keys).map { $0 != known } ?? false
    }

    /// So many entries from a position on, however many pages they take; fewer only at the live end.
    func entries(from first: LogPosition, count: Int) throws(EventLogError) -> [Entry] {
        var all: [Entry] = []
        while all.count < count {
            let next = LogPosition(first.rawValue + UInt64(all.count))
            let page = try entries(from: next, limit: count - all.count)
            guard !page.isEmpty else { break }
            for (offset, entry) in page.enumerated() {
                try vouch(for: entry, at: LogPosition(next.rawValue + UInt64(offset)))
            }
            all += page
        }
        return all
    }

    func asking<Answer>(_ question: () throws -> Answer) throws(EventLogError) -> Answer {
        do {
            return try question()
        } catch {
            throw .unreadable(detail: "index: \(error)")
        }
    }
}
