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
        On(PersonNumberCorrected.self) { correct($0, in: $2) }
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
            INSERT INTO caller VALUES (?1, ?2, ?3, 0, NULL, ?4, ?5, ?1) ON CONFLICT (person) DO UPDATE SET
            phone = coalesce(excluded.phone, phone), sealed_phone = excluded.sealed_phone
            """,
            fact.person,
            phone,
            fact.phone,
            event.time,
            event.envelope.organisation
        )
    }

    /// From here on the number is the corrected one, and whoever has it is the same; what sessions were opened for stays.
    private static func correct(_ fact: PersonNumberCorrected, in rows: RowWriter) {
        let phone = rows.open(fact.phone)?.text
        let own = fact.person
        rows.run(
            "UPDATE caller SET phone = ?2, sealed_phone = ?3 WHERE person = ?1",
            own,
            phone,
            fact.phone
        )
        rows.run(
            "UPDATE device SET phone = ?2, sealed_phone = ?3 WHERE person = ?1",
            own,
            phone,
            fact.phone
        )
        for same in fact.sameAs {
            rows.run(
                """
                UPDATE caller SET who = (SELECT who FROM caller WHERE person = ?2)
                WHERE who = (SELECT who FROM caller WHERE person = ?1)
                """,
                fact.person,
                same
            )
            rows.run(
                """
                UPDATE session SET who = (SELECT who FROM caller WHERE person = ?1)
                WHERE caller IN (SELECT person FROM caller WHERE who =
                (SELECT who FROM caller WHERE person = ?1))
                """,
                fact.person
            )
        }
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
