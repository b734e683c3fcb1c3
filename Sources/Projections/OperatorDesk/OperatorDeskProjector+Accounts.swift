// SPDX-License-Identifier: Apache-2.0
import Events

extension OperatorDeskProjector {
    static let accounts = Handlers {
        On(DeviceRegistered.self) { insert($0, of: $1, into: $2) }
        On(DeviceRevoked.self) { _, event, rows in
            rows.run(
                "UPDATE device SET revoked_at = ?2 WHERE id = ?1",
                event.subjectName,
                event.time
            )
        }
        On(UserCreated.self) { created, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO user VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6)",
                event.subjectName,
                created.organisation,
                created.role.rawValue,
                created.person,
                created.name,
                event.time
            )
        }
        On(UserLoggedIn.self) { note($1, signedIn: true, in: $2) }
        On(UserLoggedOut.self) { note($1, signedIn: false, in: $2) }
        On(UserRoleChanged.self) { changed, event, rows in
            rows.run(
                "UPDATE user SET role = ?2 WHERE id = ?1",
                event.subjectName,
                changed.to.rawValue
            )
        }
    }

    private static func insert(
        _ fact: DeviceRegistered,
        of event: RecordedEvent,
        into rows: RowWriter
    ) {
        let phone = rows.open(fact.phone)?.text
        rows.run(
            "INSERT OR REPLACE INTO device VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL)",
            event.subjectName,
            fact.person,
            phone,
            fact.phone,
            fact.verification.rawValue,
            fact.publicKey,
            event.time
        )
        rows.run(
            """
            INSERT INTO caller VALUES (?1, ?2, ?3, 0, NULL, ?4, ?5) ON CONFLICT (person) DO UPDATE SET
            phone = coalesce(excluded.phone, phone), sealed_phone = excluded.sealed_phone
            """,
            fact.person,
            phone,
            fact.phone,
            event.time,
            event.envelope.organisation
        )
    }

    private static func note(_ event: RecordedEvent, signedIn: Bool, in rows: RowWriter) {
        rows.run(
            "UPDATE user SET signed_in = ?2, changed_at = ?3 WHERE id = ?1",
            event.subjectName,
            signedIn,
            event.time
        )
    }
}
