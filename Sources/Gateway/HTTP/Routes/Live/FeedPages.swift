// SPDX-License-Identifier: Apache-2.0
import Events

/// What a feed reads: the whole log, or what the index has of one kind or of one subject.
///
/// With a filter an answer costs what it shows, however long the log is; without one the log is read from the place that was
/// asked for, a page at a time.
struct FeedPages {
    private let log: EventLog
    private let subject: Subject?
    private let kind: Kind?
    /// Where to go on.
    private(set) var next: LogPosition
    /// Of a subject, where it goes on in its own events; looked up first.
    private var revision: Revision?

    /// - Parameters:
    ///   - log: What is read.
    ///   - start: The first position.
    ///   - subject: Only its events.
    ///   - kind: Only events of it.
    init(_ log: EventLog, from start: LogPosition, subject: Subject?, kind: Kind?) {
        self.log = log
        self.subject = subject
        self.kind = kind
        next = start
    }

    /// Reads on.
    ///
    /// - Returns: What comes next, in order, and whether there was nothing: then ``next`` is where the log ended.
    /// - Throws: What the log throws.
    mutating func page() throws(EventLogError) -> (entries: [Entry], isEnd: Bool) {
        // First, so that nothing that comes while the index is asked is passed over.
        let size = log.size
        let entries = try read()
        guard let last = entries.last else {
            next = max(next, LogPosition(size))
            return ([], true)
        }
        next = last.envelope.position.next
        guard let kind, subject != nil else { return (entries, false) }
        return (entries.filter { $0.envelope.kind == kind }, false)
    }

    private mutating func read() throws(EventLogError) -> [Entry] {
        if let subject {
            let from = if let revision { revision } else { try firstRevision(of: subject) }
            let entries = try log.entries(of: subject, from: from)
            revision = entries.last?.envelope.revision.next ?? from
            return entries
        }
        if let kind { return try log.entries(of: kind, from: next) }
        return try log.entries(from: next)
    }

    /// The first of a subject's events that stands at the start or behind it.
    private func firstRevision(of subject: Subject) throws(EventLogError) -> Revision {
        var low: UInt64 = 0
        var high = try log.revision(of: subject)?.next.rawValue ?? 0
        while low < high {
            let middle = low + (high - low) / 2
            let entry = try log.entries(of: subject, from: Revision(middle), limit: 1).first
            if let entry, entry.envelope.position < next { low = middle + 1 } else { high = middle }
        }
        return Revision(low)
    }
}
