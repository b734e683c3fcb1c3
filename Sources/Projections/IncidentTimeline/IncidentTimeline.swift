// SPDX-License-Identifier: Apache-2.0
public import Events

/// Everything that happened in an incident, entry by entry, in the order of the log.
///
/// The subjects of an incident are the incident, each session that was ever linked to it, the streams of those
/// sessions, the guard's alarm with which it was opened, the reports attached to it, the call-outs and alerts caused by any of them, and all subjects of each incident that was ever merged into it. A session
/// that moved stands in the timelines of both incidents, and so does what was merged: in the one that it left with what
/// happened until then and the entry by which it left, in the other with everything, marked where it happened before.
/// A report has a timeline, too: the report and its alerts; and so has a guard's round: the round, the guard's check-ins on it, refused or not,
/// and the guard's alarms; and so has a citizen's call for help, with what its contacts were told and answered.
public struct IncidentTimeline: Sendable {
    /// The rows.
    public let database: ReadDatabase

    public init(_ database: ReadDatabase) {
        self.database = database
    }

    /// What an id names: itself for an incident or a report, the present incident for a session, its stream or alert.
    public func root(of reference: CaseReference) async throws -> Subject? {
        try await database.read { view in try root(of: reference, in: view) }
    }

    /// The subjects of an incident, in the order in which they came to it; empty if there is no such case.
    public func subjects(of reference: CaseReference) async throws -> [Subject] {
        try await database.read { view in
            try view.all(
                """
                \(Self.spans) SELECT subject FROM span GROUP BY subject ORDER BY min(since), subject
                """,
                try root(of: reference, in: view)
            ) { try $0.value() }
        }
    }

    /// The entries of a case, each once, in the order of the log.
    ///
    /// - Parameters:
    ///   - reference: An incident, a session (its present incident is meant) or a report.
    ///   - position: Only entries behind this one: the cursor.
    ///   - limit: How many at most; `nil` for all.
    /// - Returns: The entries; empty if there is no such case.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func timeline(
        of reference: CaseReference,
        after position: LogPosition? = nil,
        limit: Int? = nil
    ) async throws -> [TimelineEntry] {
        try await database.read { view in
            guard let root = try root(of: reference, in: view) else { return [] }
            let spans = try spans(of: root, in: view)
            let departures = try departures(from: root, in: view)
            return try view.all(
                "\(Self.spans) \(TimelineEntry.selection)",
                root,
                position?.next ?? LogPosition(0),
                limit ?? -1
            ) { row in
                var entry = try TimelineEntry(&row)
                entry.isEarlier =
                    spans[entry.subject]?.contains { $0.contains(entry.position) } != true
                    && !departures.contains(entry.position)
                return entry
            }
        }
    }

    /// When each subject belonged to a case.
    private func spans(
        of root: Subject,
        in view: ReadTransaction
    ) throws -> [Subject: [Range<LogPosition>]] {
        let rows: [(Subject, Range<LogPosition>)] = try view.all(
            "\(Self.spans) SELECT subject, since, until FROM span",
            root
        ) { row in
            let subject: Subject = try row.value()
            let since = try row.position()
            return (subject, since..<max(since, try row.position()))
        }
        return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
    }

    /// Where something left a case; the entry stands on the incident to which it went, or on the one that was taken out.
    private func departures(
        from root: Subject,
        in view: ReadTransaction
    ) throws -> Set<LogPosition> {
        Set(
            try view.all("\(Self.spans) SELECT position FROM leaving", root) { try $0.position() }
        )
    }

    /// The subjects of the root and of every incident that was ever merged into it, on whichever way, each as long as it
    /// and all between it and the root belonged there; and the entries by which any of them left while what it belonged to
    /// was a part of the case.
    static let spans = """
        WITH RECURSIVE family (id, since, until) AS (SELECT ?1, 0, 9223372036854775807 UNION
        SELECT m.subject, max(m.since, family.since),
        min(coalesce(m.until, 9223372036854775807), family.until)
        FROM membership m JOIN family ON m.root = family.id
        WHERE m.subject LIKE 'incident/%' AND m.subject <> m.root
        AND max(m.since, family.since) < min(coalesce(m.until, 9223372036854775807), family.until)),
        span (subject, since, until) AS (SELECT m.subject, max(m.since, family.since),
        min(coalesce(m.until, 9223372036854775807), family.until)
        FROM membership m JOIN family ON m.root = family.id
        WHERE max(m.since, family.since) < min(coalesce(m.until, 9223372036854775807), family.until)),
        leaving (subject, position) AS (SELECT n.root, m.until
        FROM family JOIN membership m ON m.root = family.id
        JOIN membership n ON n.subject = m.subject AND n.since = m.until
        WHERE m.subject LIKE 'session/%' AND m.until >= family.since AND m.until < family.until
        UNION SELECT m.subject, m.until FROM family JOIN membership m ON m.root = family.id
        WHERE m.subject LIKE 'incident/%' AND m.until >= family.since AND m.until < family.until)
        """

    private func root(
        of reference: CaseReference,
        in view: ReadTransaction
    ) throws -> Subject? {
        let id = reference.description
        for category in ["incident", "report", "round", "sos"] {
            let found: Subject? = try view.first(
                "SELECT subject FROM membership WHERE root = ?1 AND subject = ?1",
                "\(category)/\(id)"
            ) { try $0.value() }
            if let found { return found }
        }
        for category in ["session", "stream", "alert", "call_out"] {
            if let found = try incident(above: "\(category)/\(id)", in: view) { return found }
        }
        return nil
    }

    private func incident(above subject: String, in view: ReadTransaction) throws -> Subject? {
        try view.first(
            """
            WITH RECURSIVE above (subject) AS (SELECT parent FROM parent WHERE subject = ?1 UNION
            SELECT parent.parent FROM parent JOIN above ON parent.subject = above.subject)
            SELECT subject FROM above WHERE subject LIKE 'incident/%' OR subject LIKE 'report/%'
            """,
            subject
        ) { try $0.value() }
    }
}
