// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// What recordings are found by: file, operator, address and number. A recording gets its operator on claim (ruling 23).
extension RecordingsProjector {
    func insert(_ fact: StreamStarted, of event: RecordedEvent, into rows: RowWriter) {
        let local = LocalTime(event.time, zone: fact.timeZone)
        rows.run(
            """
            INSERT OR REPLACE INTO stream (id, number, session, incident, caller, org, state, transport, codec,
            width, height, fps, kbps, quality, camera, file, time_zone, started_at, local_date,
            local_time, name, chunks, bytes) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'live', ?7, ?8, ?9,
            ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, 0, 0)
            """,
            event.subjectName,
            event.position,
            fact.session,
            fact.incident,
            fact.caller,
            event.envelope.organisation,
            fact.transport.rawValue,
            fact.codec.rawValue,
            fact.width,
            fact.height,
            fact.framesPerSecond,
            fact.kilobitsPerSecond,
            fact.quality.rawValue,
            fact.camera,
            fact.file,
            fact.timeZone,
            event.time,
            local.date,
            local.time,
            String(fact.file.split(separator: "/").last ?? "")
        )
        let session = fact.session.description
        labelOperator(ofStreamsIn: session, in: rows)
        labelPlace(ofStreamsIn: session, in: rows)
        refreshSearch(ofStreamsIn: session, in: rows)
    }

    func note(_ fact: SessionCreated, of event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            """
            INSERT OR REPLACE INTO session VALUES (?1, ?2, NULL, ?3, ?4,
            (SELECT address FROM session WHERE incident = ?2 ORDER BY id LIMIT 1),
            (SELECT address_key FROM session WHERE incident = ?2 ORDER BY id LIMIT 1),
            (SELECT sealed_address FROM session WHERE incident = ?2 ORDER BY id LIMIT 1))
            """,
            event.subjectName,
            fact.incident,
            rows.open(fact.phone)?.text,
            fact.phone?.person
        )
    }

    func claim(_ session: String, by owner: UserID, in rows: RowWriter) {
        rows.run("UPDATE session SET owner = ?2 WHERE id = ?1", session, owner)
        labelOperator(ofStreamsIn: session, in: rows)
        refreshSearch(ofStreamsIn: session, in: rows)
    }

    func move(_ session: SessionID, to incident: String, in rows: RowWriter) {
        rows.run("UPDATE session SET incident = ?2 WHERE id = ?1", session, incident)
        rows.run("UPDATE stream SET incident = ?2 WHERE session = ?1", session, incident)
    }

    func setAddress(_ address: Sealed<String>, of incident: String, in rows: RowWriter) {
        rows.run(
            """
            UPDATE session SET address = ?2, address_key = ?3, sealed_address = ?4
            WHERE incident = ?1
            """,
            incident,
            rows.open(address),
            address.person,
            address
        )
        labelPlace(ofStreamsIn: incident, in: rows)
        refreshSearch(ofStreamsIn: incident, in: rows)
    }

    func name(_ fact: UserCreated, of event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            "INSERT OR REPLACE INTO operator_name VALUES (?1, ?2, ?3)",
            event.subjectName,
            rows.open(fact.name),
            fact.name?.person
        )
    }

    func forget(_ fact: PersonErased, in rows: RowWriter) {
        let key = fact.keyText
        rows.run("UPDATE session SET phone = NULL WHERE phone_key = ?1", key)
        rows.run("UPDATE session SET address = NULL WHERE address_key = ?1", key)
        rows.run("UPDATE operator_name SET name = NULL WHERE name_key = ?1", key)
        rows.run("UPDATE stream SET phone = NULL WHERE phone_key = ?1", key)
        rows.run("UPDATE stream SET address = NULL WHERE address_key = ?1", key)
        rows.run("UPDATE stream SET operator_name = NULL WHERE operator_name_key = ?1", key)
        refreshSearch(ofPerson: key, in: rows)
    }

    /// The stream keeps the operator who had it first, as its file keeps its name.
    private func labelOperator(ofStreamsIn session: String, in rows: RowWriter) {
        rows.run(
            """
            UPDATE stream SET (operator, operator_name, operator_name_key) =
            (SELECT s.owner, n.name, n.name_key FROM session s
            LEFT JOIN operator_name n ON n.user = s.owner WHERE s.id = ?1)
            WHERE session = ?1 AND operator IS NULL
            """,
            session
        )
    }

    /// Copies address and number into the streams of one session, or of all sessions of an incident.
    private func labelPlace(ofStreamsIn reference: String, in rows: RowWriter) {
        rows.run(
            """
            UPDATE stream SET (address, address_key, sealed_address, phone, phone_key) =
            (SELECT s.address, s.address_key, s.sealed_address, s.phone, s.phone_key
            FROM session s WHERE s.id = stream.session)
            WHERE session IN (SELECT id FROM session WHERE id = ?1 OR incident = ?1)
            """,
            reference
        )
    }

    private func refreshSearch(ofStreamsIn reference: String, in rows: RowWriter) {
        rows.run(
            """
            DELETE FROM recording_search WHERE rowid IN (SELECT number FROM stream
            WHERE session IN (SELECT id FROM session WHERE id = ?1 OR incident = ?1))
            """,
            reference
        )
        rows.run(
            """
            INSERT INTO recording_search (rowid, file, address, operator)
            SELECT number, file, coalesce(address, ''), operator || ' ' || coalesce(operator_name, '')
            FROM stream WHERE session IN (SELECT id FROM session WHERE id = ?1 OR incident = ?1)
            """,
            reference
        )
    }

    private func refreshSearch(ofPerson key: String, in rows: RowWriter) {
        rows.run(
            """
            DELETE FROM recording_search WHERE rowid IN
            (SELECT number FROM stream WHERE address_key = ?1 OR operator_name_key = ?1)
            """,
            key
        )
        rows.run(
            """
            INSERT INTO recording_search (rowid, file, address, operator)
            SELECT number, file, coalesce(address, ''), operator || ' ' || coalesce(operator_name, '')
            FROM stream WHERE address_key = ?1 OR operator_name_key = ?1
            """,
            key
        )
    }
}

/// Date and time of day where the site is, as its file names show them.
struct LocalTime {
    /// The day: `2015-04-21`.
    let date: String
    /// The time of day: `13:11:05`.
    let time: String

    /// - Parameters:
    ///   - moment: The moment.
    ///   - zone: An IANA name such as `Europe/Berlin`; an unknown one counts as UTC.
    init(_ moment: Timestamp, zone: String) {
        let seconds = Double(moment.microseconds) / 1_000_000
        let offset = TimeZone(identifier: zone)?
            .secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
        let text = (moment + .seconds(offset ?? 0)).description
        date = String(text.prefix(10))
        time = String(text.dropFirst(11).prefix(8))
    }
}
