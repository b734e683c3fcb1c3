// SPDX-License-Identifier: Apache-2.0
public import Events

/// Builds ``Registry``.
public struct RegistryProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("registry", version: 2)
    public let tables = [
        Table(
            "user",
            key: ["id"],
            columns: [
                "id TEXT NOT NULL", "org TEXT NOT NULL", "role TEXT NOT NULL",
                "person TEXT NOT NULL", "name TEXT", "must_change_password INTEGER NOT NULL",
                "created_at INTEGER NOT NULL", "last_login_at INTEGER",
            ],
            indexes: [["org"], ["person"]]
        ),
        Table(
            "hold",
            key: ["id"],
            columns: [
                "id TEXT NOT NULL", "org TEXT NOT NULL", "scope TEXT NOT NULL",
                "reason TEXT NOT NULL", "authority TEXT NOT NULL", "placed_at INTEGER NOT NULL",
                "placed_by TEXT NOT NULL", "lifted_at INTEGER", "lift_reason TEXT",
            ],
            indexes: [["scope"]]
        ),
        Table(
            "held_person",
            key: ["person", "hold"],
            columns: ["person TEXT NOT NULL", "hold TEXT NOT NULL"],
            indexes: [["hold"]]
        ),
        Table(
            "erased",
            key: ["person"],
            columns: [
                "person TEXT NOT NULL", "position INTEGER NOT NULL", "at INTEGER NOT NULL",
                "by TEXT", "reason TEXT NOT NULL",
            ]
        ),
        Table(
            "access",
            key: ["position"],
            columns: [
                "position INTEGER NOT NULL", "org TEXT NOT NULL", "at INTEGER NOT NULL",
                "reader TEXT NOT NULL", "resource TEXT", "what TEXT NOT NULL",
                "fields TEXT NOT NULL", "refusal TEXT",
            ],
            indexes: [["reader", "position"], ["resource", "position"], ["org"]]
        ),
    ]
    public let kinds = AccessRefused.kinds.union([
        UserCreated.kind, UserLoggedIn.kind, UserRoleChanged.kind, HoldPlaced.kind, HoldLifted.kind,
        PersonErased.kind,
        AccessRead.kind,
    ])

    public func apply(_ event: RecordedEvent, to rows: RowWriter) {
        switch event.fact {
        case .user(.created(let fact)):
            rows.run(
                "INSERT OR REPLACE INTO user VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL)",
                event.subjectName,
                fact.organisation,
                fact.role.rawValue,
                fact.person,
                fact.name,
                fact.mustChangePassword,
                event.time
            )
        case .user(.loggedIn):
            rows.run(
                "UPDATE user SET last_login_at = ?2 WHERE id = ?1",
                event.subjectName,
                event.time
            )
        case .user(.roleChanged(let fact)):
            rows.run(
                "UPDATE user SET role = ?2 WHERE id = ?1",
                event.subjectName,
                fact.to.rawValue
            )
        case .hold(let fact): apply(fact, of: event, to: rows)
        case .person(.erased(let fact)):
            rows.run(
                "INSERT OR IGNORE INTO erased VALUES (?1, ?2, ?3, ?4, ?5)",
                fact.person,
                event.position,
                event.time,
                fact.by,
                fact.reason
            )
        case .access(let fact): apply(fact, of: event, to: rows)
        case .session, .incident, .chat, .location, .device, .user, .stream, .report, .alert,
            .patrol, .policy, .clock:
            break
        }
    }

    private func apply(_ fact: HoldEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        case .placed(let placed):
            rows.run(
                "INSERT OR REPLACE INTO hold VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL, NULL)",
                placed.hold,
                event.envelope.organisation,
                placed.scope,
                placed.reason,
                placed.authority,
                event.time,
                event.envelope.actor
            )
            for person in placed.persons {
                rows.run("INSERT OR IGNORE INTO held_person VALUES (?1, ?2)", person, placed.hold)
            }
        case .lifted(let lifted):
            rows.run(
                "UPDATE hold SET lifted_at = ?2, lift_reason = ?3 WHERE id = ?1",
                lifted.hold,
                event.time,
                lifted.reason
            )
        }
    }

    private func apply(_ fact: AccessEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        case .read(let read):
            rows.run(
                "INSERT OR REPLACE INTO access VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL)",
                event.position,
                event.envelope.organisation,
                event.time,
                read.reader,
                read.resource,
                read.purpose,
                read.fields.joined(separator: " ")
            )
        case .refused(let refused):
            rows.run(
                "INSERT OR REPLACE INTO access VALUES (?1, ?2, ?3, ?4, ?5, ?6, '', ?7)",
                event.position,
                event.envelope.organisation,
                event.time,
                event.envelope.actor,
                refused.resource,
                refused.attempt,
                refused.reason.rawValue
            )
        }
    }
}
