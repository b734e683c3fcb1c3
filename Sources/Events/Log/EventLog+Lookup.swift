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

    /// The receipt of a command that was taken before; `nil` if none of that actor and id was.
    public func receipt(of stamp: CommandStamp) throws(EventLogError) -> Receipt? {
        try receipt(of: CommandKey(stamp))
    }

    /// The receipt of a command that was taken before.
    func receipt(of key: CommandKey) throws(EventLogError) -> Receipt? {
        var known = state.withLock { $0.unindexed.command(key) }
        if known == nil { known = try asking { try index.command(key) } }
        guard let command = known else { return nil }
        var revisions: [Subject: Revision] = [:]
        var time = Timestamp(microseconds: 0)
        for entry in try entries(from: command.first, count: command.count) {
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

    /// So many entries from a position on, however many pages they take; fewer only at the live end.
    func entries(from first: LogPosition, count: Int) throws(EventLogError) -> [Entry] {
        var all: [Entry] = []
        while all.count < count {
            let next = LogPosition(first.rawValue + UInt64(all.count))
            let page = try entries(from: next, limit: count - all.count)
            guard !page.isEmpty else { break }
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
