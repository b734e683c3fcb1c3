// SPDX-License-Identifier: Apache-2.0
import Commands
import Events

/// The entries of some subjects, in the order of the log, up to where it ended: found by the index, so that it costs what
/// these subjects have, however long the log is.
struct OwnEntries: Sendable {
    /// A subject that has more, and what was read ahead of it.
    private struct Source: Sendable {
        let subject: Subject
        var revision: Revision
        var ahead: ArraySlice<Entry> = []
    }

    private let log: EventLog
    /// Where it ends.
    let end: LogPosition
    private var sources: [Source]
    /// Entries read ahead of each: few of each where there are many.
    private let aheadEntries: Int

    /// - Parameters:
    ///   - subjects: Whose entries.
    ///   - log: What is read.
    ///   - start: The first position.
    ///   - end: The one behind the last.
    /// - Throws: What the log throws.
    init(
        of subjects: Set<Subject>,
        in log: EventLog,
        from start: LogPosition,
        before end: LogPosition
    ) throws(EventLogError) {
        self.log = log
        self.end = end
        aheadEntries = max(1, GatewayLimits.feedPageEntries / max(1, subjects.count))
        sources = []
        for subject in subjects {
            let revision = try log.firstRevision(of: subject, from: start)
            sources.append(Source(subject: subject, revision: revision))
        }
    }

    /// The next entries; none when all were read.
    mutating func page() throws(EventLogError) -> [Entry] {
        var page: [Entry] = []
        while page.count < GatewayLimits.feedPageEntries, let entry = try next() {
            page.append(entry)
        }
        return page
    }

    private mutating func next() throws(EventLogError) -> Entry? {
        var first: (index: Int, position: LogPosition)?
        for index in sources.indices.reversed() {
            guard let position = try position(of: index) else {
                sources.remove(at: index)
                if let found = first { first = (found.index - 1, found.position) }
                continue
            }
            if first.map({ position < $0.position }) ?? true { first = (index, position) }
        }
        return first.flatMap { sources[$0.index].ahead.popFirst() }
    }

    /// Where the next entry of a source stands; `nil` when it has none left.
    private mutating func position(of index: Int) throws(EventLogError) -> LogPosition? {
        if sources[index].ahead.isEmpty {
            let source = sources[index]
            let page = try log.entries(
                of: source.subject,
                from: source.revision,
                limit: aheadEntries
            )
            sources[index].ahead = page.prefix { $0.envelope.position < end }
            sources[index].revision = page.last?.envelope.revision.next ?? source.revision
        }
        return sources[index].ahead.first?.envelope.position
    }
}

extension EventLog {
    /// The first of a subject's events that stands at a position or behind it; the one to come if there is none.
    ///
    /// - Complexity: O(log n) reads.
    func firstRevision(
        of subject: Subject,
        from position: LogPosition
    ) throws(EventLogError) -> Revision {
        var low: UInt64 = 0
        var high = try revision(of: subject)?.next.rawValue ?? 0
        while low < high {
            let middle = low + (high - low) / 2
            let entry = try entries(of: subject, from: Revision(middle), limit: 1).first
            if let entry, entry.envelope.position < position {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return Revision(low)
    }
}

extension FeedRights {
    /// The subjects of all entries that a caller may have: the own sessions, and the streams and incidents that are linked
    /// with them; `nil` for whoever may have entries of others.
    ///
    /// It may name more than ``admits(_:)`` lets pass, and never less.
    func ownSubjects() throws -> Set<Subject>? {
        guard reader.role.reach == .own else { return nil }
        guard let person = reader.person else { return [] }
        let own = try rights.states.current(Caller.self, person).sessions
            .filter { reader.sees($0.key) }
        var found = Set(own.keys.map(Subject.session) + own.values.map(Subject.incident))
        var unseen = Array(found)
        while let subject = unseen.popLast() {
            for linked in try linked(to: subject) where found.insert(linked).inserted {
                // An incident brings those that were merged with it; a stream brings nothing more.
                if linked.category == "incident" { unseen.append(linked) }
            }
        }
        return found
    }

    /// The streams and incidents whose events name a subject.
    private func linked(to subject: Subject) throws -> Set<Subject> {
        var found: Set<Subject> = []
        var next = LogPosition(0)
        while true {
            let page = try rights.log.entries(linkedTo: subject, from: next)
            guard let last = page.last else { return found }
            found.formUnion(
                page.map(\.envelope.subject)
                    .filter { ["stream", "incident"].contains($0.category) }
            )
            next = last.envelope.position.next
        }
    }
}
