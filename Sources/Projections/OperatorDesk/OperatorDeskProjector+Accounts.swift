// SPDX-License-Identifier: Apache-2.0
import Events

extension OperatorDeskProjector {
    func apply(_ fact: DeviceEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        case .registered(let registered): insert(registered, of: event, into: rows)
        case .revoked:
            rows.run(
                "UPDATE device SET revoked_at = ?2 WHERE id = ?1",
                event.subjectName,
                event.time
            )
        case .codeIssued, .admitted, .pushSubscribed, .pushUnsubscribed, .pushExpired: break
        }
    }

    private func insert(_ fact: DeviceRegistered, of event: RecordedEvent, into rows: RowWriter) {
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

    func apply(_ fact: UserEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        case .created(let created):
            rows.run(
                "INSERT OR REPLACE INTO user VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6)",
                event.subjectName,
                created.organisation,
                created.role.rawValue,
                created.person,
                created.name,
                event.time
            )
        case .loggedIn: note(event, signedIn: true, in: rows)
        case .loggedOut: note(event, signedIn: false, in: rows)
        case .roleChanged(let changed):
            rows.run(
                "UPDATE user SET role = ?2 WHERE id = ?1",
                event.subjectName,
                changed.to.rawValue
            )
        case .tokenIssued, .tokenRevoked, .passwordChanged, .disabled, .enabled: break
        }
    }

    private func note(_ event: RecordedEvent, signedIn: Bool, in rows: RowWriter) {
        rows.run(
            "UPDATE user SET signed_in = ?2, changed_at = ?3 WHERE id = ?1",
            event.subjectName,
            signedIn,
            event.time
        )
    }
}
