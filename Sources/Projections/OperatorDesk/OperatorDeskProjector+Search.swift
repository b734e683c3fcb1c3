// SPDX-License-Identifier: Apache-2.0
import Events

/// The words by which sessions are found: what was written in them, who called, and where from.
///
/// A row of the full text has the position of its event as row number, so that the newest are found first without sorting. `searched` says of each event what it is of
/// and whose key sealed it, whether or not there is a key. What cannot be opened has no words, as in a rebuild after an erasure.
extension OperatorDeskProjector {
    /// Makes a message's words findable.
    static func find(_ sent: ChatMessageSent, _ event: RecordedEvent, in rows: RowWriter) {
        note(.message, event.subjectName, sent.text.person, from: sent.from, event, in: rows)
        guard let text = rows.open(sent.text) else { return }
        rows.run(
            "INSERT OR REPLACE INTO desk_search (rowid, message) VALUES (?1, ?2)",
            event.position,
            text
        )
    }

    /// Makes a session findable by the number that it was opened for.
    static func find(_ created: SessionCreated, _ event: RecordedEvent, in rows: RowWriter) {
        guard let phone = created.phone else { return }
        note(.session, event.subjectName, phone.person, event, in: rows)
        if let number = rows.open(phone) { add(caller: number.text, event, in: rows) }
    }

    /// Makes a session findable by name and number of who texts by telephone; call it before the sender is noted.
    ///
    /// Each request of a telephone says both again: only what is new has words.
    static func find(_ received: SIPMessageReceived, _ event: RecordedEvent, in rows: RowWriter) {
        note(.session, event.subjectName, received.sender.person, event, in: rows)
        guard let words = rows.open(received.sender).map(Self.words), !words.isEmpty else { return }
        let noted: Sealed<SIPSender>?? = rows.first(
            "SELECT telephone FROM session WHERE id = ?1",
            event.subjectName
        ) { try $0.optionalSealed() }
        if let last = noted ?? nil, last.person == received.sender.person,
            rows.open(last).map(Self.words) == words
        {
            return
        }
        add(caller: words, event, in: rows)
    }

    /// Makes a session findable by the Plus Code of where the caller is; call it before the place is noted.
    ///
    /// A phone that is followed tells a place every few seconds: only another square of some 14 m has words.
    static func find(_ reported: LocationReported, _ event: RecordedEvent, in rows: RowWriter) {
        note(.place, event.subjectName, reported.fix.person, event, in: rows)
        guard let code = rows.open(reported.fix)?.plusCode else { return }
        let last: Sealed<Fix>? = rows.first(
            """
            SELECT fix FROM location WHERE session = ?1 AND fix IS NOT NULL
            ORDER BY position DESC LIMIT 1
            """,
            event.subjectName
        ) { try $0.sealed() }
        if let last, last.person == reported.fix.person, rows.open(last)?.plusCode == code {
            return
        }
        add(place: code, event, in: rows)
    }

    /// Makes the caller's session findable by the address of its incident.
    static func find(_ set: IncidentAddressSet, _ event: RecordedEvent, in rows: RowWriter) {
        // The address is sealed for a caller of the incident, and is as private as what that one said.
        let session: String? = rows.first(
            """
            SELECT id FROM session WHERE incident = ?1
            ORDER BY caller <> ?2, created_position LIMIT 1
            """,
            event.subjectName,
            set.address.person
        ) { try $0.text() }
        guard let session else { return }
        note(.place, session, set.address.person, event, in: rows)
        guard let address = rows.open(set.address) else { return }
        let words = [address, rows.open(set.plusCode)].compactMap(\.self).joined(separator: " ")
        add(place: words, event, in: rows)
    }

    /// Takes out the words that were sealed for somebody who is erased.
    static func forgetWords(of person: String, in rows: RowWriter) {
        rows.run(
            "DELETE FROM desk_search WHERE rowid IN (SELECT position FROM searched WHERE person = ?1)",
            person
        )
    }

    private static func add(caller words: String, _ event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            "INSERT OR REPLACE INTO desk_search (rowid, caller) VALUES (?1, ?2)",
            event.position,
            words
        )
    }

    private static func add(place words: String, _ event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            "INSERT OR REPLACE INTO desk_search (rowid, place) VALUES (?1, ?2)",
            event.position,
            words
        )
    }

    private static func note(
        _ kind: DeskFinding.Kind,
        _ session: String,
        _ person: PersonID?,
        from party: Party? = nil,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run(
            "INSERT OR REPLACE INTO searched VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            event.position,
            kind.rawValue,
            session,
            person,
            event.time,
            party?.rawValue
        )
    }

    private static func words(of sender: SIPSender) -> String {
        [sender.name, sender.number].compactMap(\.self).joined(separator: " ")
    }
}
