// SPDX-License-Identifier: Apache-2.0
public import Events

/// One event in the timeline of an incident.
public struct TimelineEntry: Hashable, Sendable {
    public let position: LogPosition
    public let subject: Subject
    public let revision: Revision
    public let id: EventID
    public let kind: Kind
    public let actor: Actor
    /// When the server recorded it.
    public let time: Timestamp
    /// When the device claims that it happened.
    public let occurredAt: Timestamp?
    /// The bytes of the archive that it speaks of.
    public let file: TimelineFile?
    /// What it says, part by part.
    public let summary: [SummaryPart]
    /// Whether it happened before its subject came to this incident.
    public internal(set) var isEarlier = false

    /// How far the device's clock, or the way to the server, was behind: recorded minus claimed.
    public var skew: Duration? { occurredAt.map { time - $0 } }

    /// Behind ``IncidentTimeline/spans``: whatever happened before its subject left for good, and that it left.
    static let selection = """
        SELECT position, entry.subject, revision, id, kind, actor, at, occurred_at, file, start, length,
        first_ms, last_ms, summary
        FROM (SELECT subject, 0 AS since, max(until) AS until FROM span
        WHERE subject NOT LIKE 'patrol_point/%' GROUP BY subject
        UNION ALL SELECT subject, since, until FROM span WHERE subject LIKE 'patrol_point/%'
        UNION ALL SELECT subject, position, position + 1 FROM leaving WHERE subject NOT IN
        (SELECT span.subject FROM span WHERE span.until > leaving.position))
        AS member CROSS JOIN entry ON entry.subject = member.subject
        AND entry.position >= max(member.since, ?2) AND entry.position < member.until
        ORDER BY position LIMIT ?3
        """

    init(_ row: inout RowReader) throws {
        position = try row.position()
        subject = try row.value()
        revision = Revision(UInt64(max(0, try row.integer())))
        id = try row.value()
        kind = try row.value()
        actor = try row.value()
        time = try row.time()
        occurredAt = try row.optionalTime()
        file = try TimelineFile(&row)
        let text = try row.text()
        guard let parts = SummaryText.parts(of: text) else {
            throw ReadModelError.damaged("the summary at position \(position) has another form")
        }
        summary = parts
    }
}

/// A range of a file in the archive.
public struct TimelineFile: Hashable, Sendable {
    /// Path below the media folder.
    public let name: String
    public let offset: Int?
    public let length: Int?
    public let firstMilliseconds: Int?
    public let lastMilliseconds: Int?

    init?(_ row: inout RowReader) throws {
        let name = try row.optionalText()
        offset = try row.optionalInteger()
        length = try row.optionalInteger()
        firstMilliseconds = try row.optionalInteger()
        lastMilliseconds = try row.optionalInteger()
        guard let name else { return nil }
        self.name = name
    }
}
