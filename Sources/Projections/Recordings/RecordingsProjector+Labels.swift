// SPDX-License-Identifier: Apache-2.0
import Events

/// What recordings are found by: file, operator, address and number. A recording gets its operator on claim (ruling 23).
extension RecordingsProjector {
    static func insert(_ fact: StreamStarted, of event: RecordedEvent, into rows: RowWriter) {
        let name = fact.file.split(separator: "/").last ?? ""
        let local = LocalTime(ofFile: name, startedAt: event.time)
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
            String(name)
        )
        rows.run(
            """
            UPDATE stream SET (operator, operator_name, operator_name_key, phone, phone_key) =
            (SELECT s.owner, n.name, n.name_key, s.phone, s.phone_key FROM session s
            LEFT JOIN operator_name n ON n.user = s.owner WHERE s.id = ?2) WHERE id = ?1
            """,
            event.subjectName,
            fact.session
        )
        refreshSearch(of: event.subjectName, in: rows)
    }

    static func note(_ fact: SessionCreated, of event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            "INSERT OR REPLACE INTO session VALUES (?1, NULL, ?2, ?3)",
            event.subjectName,
            rows.open(fact.phone)?.text,
            fact.phone?.person
        )
    }

    static func claim(_ session: String, by owner: UserID, in rows: RowWriter) {
        rows.run("UPDATE session SET owner = ?2 WHERE id = ?1", session, owner)
        // The stream keeps the operator who had it first, as its file keeps its name.
        rows.run(
            """
            UPDATE stream SET (operator, operator_name, operator_name_key) =
            (SELECT s.owner, n.name, n.name_key FROM session s
            LEFT JOIN operator_name n ON n.user = s.owner WHERE s.id = ?1)
            WHERE session = ?1 AND operator IS NULL
            """,
            session
        )
        refreshSearch(of: session, in: rows)
    }

    /// The streams of a session are found by the address of the incident that it belongs to now.
    static func move(_ session: SessionID, to incident: String, in rows: RowWriter) {
        rows.run("UPDATE stream SET incident = ?2 WHERE session = ?1", session, incident)
        refreshSearch(of: session.description, in: rows)
    }

    static func setAddress(_ address: Sealed<String>, of incident: String, in rows: RowWriter) {
        rows.run(
            "INSERT OR REPLACE INTO incident VALUES (?1, ?2, ?3, ?4)",
            incident,
            rows.open(address),
            address.person,
            address
        )
        refreshSearch(of: incident, in: rows)
    }

    static func name(_ fact: UserCreated, of event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            "INSERT OR REPLACE INTO operator_name VALUES (?1, ?2, ?3)",
            event.subjectName,
            rows.open(fact.name),
            fact.name?.person
        )
    }

    static func forget(_ fact: PersonErased, in rows: RowWriter) {
        let key = fact.keyText
        rows.run("UPDATE session SET phone = NULL WHERE phone_key = ?1", key)
        rows.run("UPDATE incident SET address = NULL WHERE address_key = ?1", key)
        rows.run("UPDATE operator_name SET name = NULL WHERE name_key = ?1", key)
        rows.run("UPDATE stream SET phone = NULL WHERE phone_key = ?1", key)
        rows.run("UPDATE stream SET operator_name = NULL WHERE operator_name_key = ?1", key)
        refreshSearch(ofPerson: key, in: rows)
    }

    /// Writes anew what one stream, or those of a session or an incident, are found by.
    private static func refreshSearch(of reference: String, in rows: RowWriter) {
        rows.run(
            """
            DELETE FROM recording_search WHERE rowid IN (SELECT number FROM stream
            WHERE id = ?1 OR session = ?1 OR incident = ?1)
            """,
            reference
        )
        rows.run(
            """
            INSERT INTO recording_search (rowid, file, address, operator) SELECT number, file,
            coalesce((SELECT address FROM incident WHERE incident.id = stream.incident), ''),
            operator || ' ' || coalesce(operator_name, '')
            FROM stream WHERE id = ?1 OR session = ?1 OR incident = ?1
            """,
            reference
        )
    }

    private static func refreshSearch(ofPerson key: String, in rows: RowWriter) {
        rows.run(
            """
            DELETE FROM recording_search WHERE rowid IN (SELECT number FROM stream
            WHERE operator_name_key = ?1
            OR incident IN (SELECT id FROM incident WHERE address_key = ?1))
            """,
            key
        )
        rows.run(
            """
            INSERT INTO recording_search (rowid, file, address, operator) SELECT number, file,
            coalesce((SELECT address FROM incident WHERE incident.id = stream.incident), ''),
            operator || ' ' || coalesce(operator_name, '')
            FROM stream WHERE operator_name_key = ?1
            OR incident IN (SELECT id FROM incident WHERE address_key = ?1)
            """,
            key
        )
    }
}

/// Date and time of day where the site is, as the name of a recording shows them.
///
/// The name was made with the rules of the zone that held then, and never changes; rules that are updated later must not
/// give other rows.
struct LocalTime {
    /// The day: `2015-04-21`.
    let date: String
    /// The time of day: `13:11:05`.
    let time: String

    /// - Parameters:
    ///   - name: The file's name: `2015-04-21-13-11-123456789.webm`.
    ///   - moment: When the stream started; its UTC counts for a file that is named otherwise, and its seconds for all.
    init(ofFile name: Substring, startedAt moment: Timestamp) {
        let text = moment.description
        let parts = name.split(separator: "-", omittingEmptySubsequences: false).prefix(5)
        guard parts.map(\.utf8.count) == [4, 2, 2, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } })
        else {
            date = String(text.prefix(10))
            time = String(text.dropFirst(11).prefix(8))
            return
        }
        date = parts.prefix(3).joined(separator: "-")
        time = parts.suffix(2).joined(separator: ":") + text.dropFirst(16).prefix(3)
    }
}
