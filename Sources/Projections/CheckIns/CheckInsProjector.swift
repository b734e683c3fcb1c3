// SPDX-License-Identifier: Apache-2.0
import Events

/// Builds ``CheckIns``.
public struct CheckInsProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("check-ins", version: 7)
    public let tables =
        [
            Table(
                "point",
                key: ["id"],
                columns: [
                    "id TEXT NOT NULL", "org TEXT NOT NULL", "site TEXT NOT NULL",
                    "name TEXT NOT NULL",
                    "latitude REAL NOT NULL", "longitude REAL NOT NULL", "radius REAL NOT NULL",
                    "defined_at INTEGER NOT NULL", "position INTEGER NOT NULL",
                ],
                indexes: [["position"], ["org", "position"]]
            ),
            Table(
                "check_in",
                key: ["position"],
                columns: [
                    "position INTEGER NOT NULL", "org TEXT NOT NULL", "point TEXT",
                    "guard TEXT NOT NULL", "refusal TEXT", "at INTEGER NOT NULL",
                    "occurred_at INTEGER", "offline INTEGER NOT NULL", "fix TEXT", "distance TEXT",
                    "note TEXT",
                ],
                indexes: [["guard", "position"], ["point", "position"], ["org"]]
            ),
        ] + RoundTables.all + GuardAlarmTables.all + PatrolExceptionTables.all
    public var handlers: Handlers { Self.handlers }

    private static let handlers = Handlers {
        On(PatrolPointDefined.self) { point, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO point VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                event.subjectName,
                event.envelope.organisation,
                point.site,
                point.name,
                point.latitude,
                point.longitude,
                point.radiusMetres,
                event.time,
                event.position
            )
        }
        On(PatrolCheckedIn.self) { insert($0, of: $1, into: $2) }
        On(PatrolCheckInRefused.self) { insert($0, of: $1, into: $2) }
        rounds
        alarms
    }

    private static func insert(
        _ fact: PatrolCheckedIn,
        of event: RecordedEvent,
        into rows: RowWriter
    ) {
        rows.run(
            "INSERT OR REPLACE INTO check_in VALUES (?1, ?2, ?3, ?4, NULL, ?5, ?6, ?7, ?8, ?9, ?10)",
            event.position,
            event.envelope.organisation,
            event.subjectName,
            fact.guardID,
            event.time,
            event.envelope.occurredAt,
            fact.offline,
            fact.fix,
            fact.distanceMetres,
            fact.note
        )
    }

    /// A forged code names no point of ours: such a refusal stands on the guard.
    private static func insert(
        _ fact: PatrolCheckInRefused,
        of event: RecordedEvent,
        into rows: RowWriter
    ) {
        let isAtPoint = event.envelope.subject.category == "patrol_point"
        rows.run(
            "INSERT OR REPLACE INTO check_in VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, NULL, ?8, NULL)",
            event.position,
            event.envelope.organisation,
            isAtPoint ? event.subjectName : nil,
            fact.guardID,
            fact.reason.rawValue,
            event.time,
            event.envelope.occurredAt,
            fact.distanceMetres
        )
        except(
            .refused,
            event,
            on: fact.round.map { "\($0)" },
            at: isAtPoint ? event.subjectName : nil,
            of: fact.guardID,
            reason: fact.reason.rawValue,
            distance: fact.distanceMetres,
            in: rows
        )
    }
}
