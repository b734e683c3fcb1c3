// SPDX-License-Identifier: Apache-2.0
public import Events

/// Builds ``HourlyTrends``; `Documentation/Trends.md` defines every number.
public struct HourlyTrendsProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("hourly-trends", version: 5)
    public var tables: [Table] { HourlyTrendsTables.all }
    public let kinds: Set<Kind> = [
        SessionCreated.kind, SessionExpired.kind, SessionClaimed.kind, SessionReleased.kind,
        SessionActivitySignalled.kind, SessionRequestSent.kind, SessionRequestOpened.kind,
        SessionRequestAnswered.kind, SessionClosed.kind, ChatMessageSent.kind,
        ChatAttachmentAdded.kind,
        ChatMessageDelivered.kind, ChatMessageSeen.kind, LocationReported.kind, StreamStarted.kind,
        StreamChunkArchived.kind, StreamGapDetected.kind, ReportSubmitted.kind,
        ReportStatusChanged.kind, AlertQueued.kind, AlertSent.kind, AlertFailed.kind,
        PatrolCheckedIn.kind, PatrolCheckInRefused.kind,
    ]

    public func apply(_ event: RecordedEvent, to rows: RowWriter) {
        switch event.fact {
        case .session(let fact): apply(fact, of: event, to: rows)
        case .chat(let fact): apply(fact, of: event, to: rows)
        case .location(.reported): note(activityOf: event.subjectName, at: event.time, in: rows)
        case .stream(let fact): apply(fact, of: event, to: rows)
        case .report(.submitted):
            count("reports", ReportStatus.submitted.rawValue, 1, event, in: rows)
        case .report(.statusChanged(let fact)):
            count("reports", fact.to.rawValue, 1, event, in: rows)
        case .alert(let fact): apply(fact, of: event, to: rows)
        case .patrol(.checkedIn(let fact)):
            count("check_ins", fact.offline ? "late" : "on_time", 1, event, in: rows)
        case .patrol(.checkInRefused): count("check_ins", "refused", 1, event, in: rows)
        case .location, .incident, .device, .user, .patrol, .access, .person, .hold, .policy,
            .clock:
            break
        }
    }

    func count(
        _ metric: String,
        _ dimension: String,
        _ value: Int,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run(
            """
            INSERT INTO trend_count VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (org, hour, metric, dimension) DO UPDATE SET value = value + ?5
            """,
            event.envelope.organisation,
            event.time.hour,
            metric,
            dimension,
            value
        )
    }

    func sample(
        _ metric: String,
        _ item: String,
        from start: Timestamp,
        to event: RecordedEvent,
        in rows: RowWriter
    ) {
        let milliseconds = (event.time.microseconds - start.microseconds) / 1_000
        rows.run(
            "INSERT OR IGNORE INTO trend_sample VALUES (?1, ?2, ?3, ?4, ?5)",
            event.envelope.organisation,
            event.time.hour,
            metric,
            milliseconds,
            item
        )
    }

    /// The first thing that the caller did in a session.
    func note(activityOf session: String, at time: Timestamp, in rows: RowWriter) {
        rows.run(
            "UPDATE trend_session SET active_at = ?2 WHERE id = ?1 AND active_at IS NULL",
            session,
            time
        )
    }

    func leave(_ queue: String, _ item: String, at time: Timestamp, in rows: RowWriter) {
        rows.run(
            """
            UPDATE trend_queue SET until_at = ?3
            WHERE queue = ?1 AND item = ?2 AND until_at IS NULL
            """,
            queue,
            item,
            time
        )
    }

    func enter(_ queue: String, _ item: String, _ event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            "INSERT OR REPLACE INTO trend_queue VALUES (?1, ?2, ?3, ?4, ?5, NULL)",
            queue,
            item,
            event.envelope.organisation,
            event.time,
            event.position
        )
    }
}

extension Timestamp {
    /// The full hour that the moment lies in, in UTC.
    var hour: Timestamp {
        let length: Int64 = 3_600_000_000
        let rest = microseconds % length
        return Timestamp(microseconds: microseconds - (rest < 0 ? rest + length : rest))
    }
}
