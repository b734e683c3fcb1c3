// SPDX-License-Identifier: Apache-2.0
import Events

/// Builds ``HourlyTrends``; `Documentation/Trends.md` defines every number.
public struct HourlyTrendsProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("hourly-trends", version: 9)
    public var tables: [Table] { HourlyTrendsTables.all }
    public var handlers: Handlers { Self.handlers }

    private static let handlers = Handlers {
        sessions
        chats
        On(LocationReported.self) { note(activityOf: $1.subjectName, at: $1.time, in: $2) }
        work
        alerts
        On(SIPReplyAnswered.self) {
            count("telephone_replies", $0.isDelivered ? "delivered" : "refused", 1, $1, in: $2)
        }
        On(SIPReplyTimedOut.self) { count("telephone_replies", "silent", 1, $1, in: $2) }
        reports
        patrols
    }

    static func count(
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

    static func sample(
        _ metric: String,
        _ item: String,
        from start: Timestamp,
        to event: RecordedEvent,
        in rows: RowWriter
    ) {
        sample(metric, item, from: start, until: nil, event, in: rows)
    }

    /// A time that ended before its event was recorded; `nil` where it ended with it.
    static func sample(
        _ metric: String,
        _ item: String,
        from start: Timestamp,
        until end: Timestamp?,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        let milliseconds = ((end ?? event.time).microseconds - start.microseconds) / 1_000
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
    static func note(activityOf session: String, at time: Timestamp, in rows: RowWriter) {
        rows.run(
            "UPDATE trend_session SET active_at = ?2 WHERE id = ?1 AND active_at IS NULL",
            session,
            time
        )
    }

    static func leave(_ queue: String, _ item: String, at time: Timestamp, in rows: RowWriter) {
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

    static func enter(_ queue: String, _ item: String, _ event: RecordedEvent, in rows: RowWriter) {
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
