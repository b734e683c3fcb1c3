// SPDX-License-Identifier: Apache-2.0
import Events

/// What a feed reads: the whole log, what the index has of one kind or of one subject, or of what is a caller's own.
///
/// With a filter an answer costs what it shows, however long the log is; without one the log is read from the place that was
/// asked for, a page at a time. So are its last entries for a caller: among them is what became the caller's a moment ago.
struct FeedPages: Sendable {
    private let log: EventLog
    private let subject: Subject?
    private let kind: Kind?
    /// The subjects of all that the reader may have; `nil` for any.
    private let ownSubjects: @Sendable () throws -> Set<Subject>?
    /// Where to go on.
    private(set) var next: LogPosition
    /// Of a subject, where it goes on in its own events; looked up first.
    private var revision: Revision?
    /// What is read of a caller's own.
    private var own: OwnEntries?

    /// - Parameters:
    ///   - log: What is read.
    ///   - start: The first position.
    ///   - subject: Only its events.
    ///   - kind: Only events of it.
    ///   - ownSubjects: The subjects of all that the reader may have; `nil` for any.
    init(
        _ log: EventLog,
        from start: LogPosition,
        subject: Subject?,
        kind: Kind?,
        ownSubjects: @escaping @Sendable () throws -> Set<Subject>? = { nil }
    ) {
        self.log = log
        self.subject = subject
        self.kind = kind
        self.ownSubjects = ownSubjects
        next = start
    }

    /// Reads on; blocks.
    ///
    /// - Returns: What comes next, in order, and whether there was nothing: then ``next`` is where the log ended.
    /// - Throws: What the log throws.
    mutating func page() throws -> (entries: [Entry], isEnd: Bool) {
        // First, so that nothing that comes while the index is asked is passed over.
        let size = log.size
        if let entries = try ownPage(before: LogPosition(size)) { return (entries, false) }
        let entries = try read()
        guard let last = entries.last else {
            next = max(next, LogPosition(size))
            return ([], true)
        }
        next = last.envelope.position.next
        guard let kind, subject != nil else { return (entries, false) }
        return (entries.filter { $0.envelope.kind == kind }, false)
    }

    /// What comes next of a caller's own; `nil` near the end of the log, and for others.
    private mutating func ownPage(before end: LogPosition) throws -> [Entry]? {
        guard subject == nil else { return nil }
        let distance = Int(clamping: end.rawValue) - Int(clamping: next.rawValue)
        if own == nil, distance > GatewayLimits.feedPageEntries {
            own = try ownSubjects().map {
                try OwnEntries(of: $0, in: log, from: next, before: end)
            }
        }
        guard let page = try own?.page(), let ownEnd = own?.end else { return nil }
        next = page.last?.envelope.position.next ?? ownEnd
        if page.isEmpty { own = nil }
        return kind.map { kind in page.filter { $0.envelope.kind == kind } } ?? page
    }

    private mutating func read() throws(EventLogError) -> [Entry] {
        let limit = GatewayLimits.feedPageEntries
        if let subject {
            let from =
                if let revision { revision } else {
                    try log.firstRevision(of: subject, from: next)
                }
            let entries = try log.entries(of: subject, from: from, limit: limit)
            revision = entries.last?.envelope.revision.next ?? from
            return entries
        }
        if let kind { return try log.entries(of: kind, from: next, limit: limit) }
        return try log.entries(from: next, limit: limit)
    }
}
