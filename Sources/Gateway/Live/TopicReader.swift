// SPDX-License-Identifier: Apache-2.0
import Events

/// Reads the entries of some sources in the order of the log, from a position on: each once, a page
/// at a time.
///
/// Far from the end it goes by the log's own indexes; near it, where a follower is nearly always, it reads what
/// there is, once for all sources.
struct TopicReader {
    private let log: EventLog
    private let pageEntries: Int
    /// The first position that was not looked at.
    private(set) var next: LogPosition
    /// Where each subject goes on: its first revision at ``next`` or behind it.
    private var revisions: [Subject: Revision] = [:]

    /// - Parameters:
    ///   - log: What is read.
    ///   - position: Where to begin.
    ///   - pageEntries: How many entries of each source are held at once.
    init(_ log: EventLog, from position: LogPosition, pageEntries: Int) {
        self.log = log
        self.pageEntries = pageEntries
        next = position
    }

    /// The next entries; empty when there are none before `end`.
    ///
    /// - Parameters:
    ///   - sources: Whose entries. A source that is new tells from ``next`` on, too.
    ///   - end: Only what stands before it, so that no source is read further than another.
    /// - Returns: In the order of the log.
    /// - Throws: `EventLogError` when the log cannot be read.
    mutating func page(of sources: Set<LiveSource>, before end: LogPosition) throws -> [Entry] {
        revisions = revisions.filter { sources.contains(.subject($0.key)) }
        while next < end {
            let (entries, bound) =
                end.rawValue - next.rawValue <= UInt64(pageEntries)
                ? try newest(of: sources, before: end) : try indexed(of: sources, before: end)
            for entry in entries where revisions[entry.envelope.subject] != nil {
                revisions[entry.envelope.subject] = entry.envelope.revision.next
            }
            next = bound
            if !entries.isEmpty { return entries }
        }
        return []
    }

    /// The entries of the sources among the last of the log, and how far these were looked at.
    private func newest(
        of sources: Set<LiveSource>,
        before end: LogPosition
    ) throws -> ([Entry], LogPosition) {
        // Past what cannot be read: a page that is open would be told nothing more. It may end early by its bytes.
        let run = try log.readableRun(
            from: next,
            limit: Int(clamping: end.rawValue - next.rawValue)
        )
        return (run.entries.filter { sources.contain($0.envelope) }, LogPosition(run.next))
    }

    /// The next entries of all sources by the indexes, and how far none has any other.
    private mutating func indexed(
        of sources: Set<LiveSource>,
        before end: LogPosition
    ) throws -> ([Entry], LogPosition) {
        var found: [LogPosition: Entry] = [:]
        var bound = end
        for source in sources {
            let page = try page(of: source)
            for entry in page { found[entry.envelope.position] = entry }
            // What a full page left out stands behind its last entry, and so nothing of others may pass that.
            if page.count == pageEntries, let last = page.last?.envelope.position {
                bound = min(bound, last.next)
            }
        }
        let entries = found.values.filter { $0.envelope.position < bound }
            .sorted { $0.envelope.position < $1.envelope.position }
        return (entries, bound)
    }

    private mutating func page(of source: LiveSource) throws -> [Entry] {
        switch source {
        case .category(let category):
            return try log.entries(category: category, from: next, limit: pageEntries)
        case .kind(let kind):
            return try log.entries(of: kind, from: next, limit: pageEntries)
        case .person: return []
        case .subject(let subject):
            let revision = try revisions[subject] ?? log.firstRevision(of: subject, from: next)
            revisions[subject] = revision
            return try log.entries(of: subject, from: revision, limit: pageEntries)
        }
    }
}

extension Set<LiveSource> {
    /// Whether an entry stands at one of them.
    fileprivate func contain(_ envelope: Envelope) -> Bool {
        contains(.category(String(envelope.subject.category))) || contains(.kind(envelope.kind))
            || contains(.subject(envelope.subject))
    }
}
