// SPDX-License-Identifier: Apache-2.0
import Events

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
    public var handlers: Handlers { Self.handlers }

    private static let handlers = Handlers {
        On(UserCreated.self) { created, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO user VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL)",
                event.subjectName,
                created.organisation,
                created.role.rawValue,
                created.person,
                created.name,
                created.mustChangePassword,
                event.time
            )
        }
        On(UserLoggedIn.self) { _, event, rows in
            rows.run(
                "UPDATE user SET last_login_at = ?2 WHERE id = ?1",
                event.subjectName,
                event.time
            )
        }
        On(UserRoleChanged.self) { changed, event, rows in
            rows.run(
                "UPDATE user SET role = ?2 WHERE id = ?1",
                event.subjectName,
                changed.to.rawValue
            )
        }
        On(HoldPlaced.self) { placed, event, rows in
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
        }
        On(HoldLifted.self) { lifted, event, rows in
            rows.run(
                "UPDATE hold SET lifted_at = ?2, lift_reason = ?3 WHERE id = ?1",
                lifted.hold,
                event.time,
                lifted.reason
            )
        }
        On(PersonErased.self) { erased, event, rows in
            rows.run(
                "INSERT OR IGNORE INTO erased VALUES (?1, ?2, ?3, ?4, ?5)",
                erased.person,
                event.position,
                event.time,
                erased.by,
                erased.reason
            )
        }
        On(AccessRead.self) { read, event, rows in
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
        }
        On(AccessRefused.self) { refused, event, rows in
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
