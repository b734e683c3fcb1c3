// SPDX-License-Identifier: Apache-2.0
public import Events

/// A session or an incident: every query and tool takes either (ruling 17).
public enum CaseReference: Hashable, Sendable, LosslessStringConvertible {
    /// The plain id, of which the read model finds out what it names.
    case any(String)

    /// Takes a session's, an incident's, a report's, a round's or a call for help's id; `nil` if it is no UUIDv7.
    public init?(_ description: String) {
        guard UUIDv7(description) != nil else { return nil }
        self = .any(description)
    }

    public init(_ session: SessionID) { self = .any(session.description) }
    public init(_ incident: IncidentID) { self = .any(incident.description) }
    public init(_ report: ReportID) { self = .any(report.description) }
    public init(_ round: RoundID) { self = .any(round.description) }
    public init(_ sos: SOSID) { self = .any(sos.description) }

    public var description: String {
        switch self {
        case .any(let text): text
        }
    }
}

/// What an operator asked a caller for.
public struct DeskRequest: Hashable, Sendable {
    public let id: RequestID
    public let session: SessionID
    public let ask: SessionRequestSent.Ask
    public let sentAt: Timestamp
    public let expiresAt: Timestamp?
    /// When the caller's page showed it; `nil` if it did not tell.
    public let openedAt: Timestamp?
    /// `nil` while it waits.
    public let answer: SessionRequestAnswered.Answer?
    public let answeredAt: Timestamp?

    init(_ row: inout RowReader) throws {
        id = try row.value()
        session = try row.value()
        ask = try row.word()
        sentAt = try row.time()
        expiresAt = try row.optionalTime()
        openedAt = try row.optionalTime()
        answer = try row.optionalWord()
        answeredAt = try row.optionalTime()
    }
}

/// That a colleague is asked to take a session over; past its time nobody may answer it.
public struct DeskOffer: Hashable, Sendable {
    /// The colleague.
    public let to: UserID
    /// Who asks; `nil` where nobody has it, and the gateway asks.
    public let by: UserID?
    public let reason: Sealed<String>?
    public let expiresAt: Timestamp

    /// Reads the four columns; `nil` where nothing is offered.
    init?(_ row: inout RowReader) throws {
        let to: UserID? = try row.optional()
        let by: UserID? = try row.optional()
        let reason: Sealed<String>? = try row.optionalSealed()
        let expiresAt = try row.optionalTime()
        guard let to, let expiresAt else { return nil }
        (self.to, self.by, self.reason, self.expiresAt) = (to, by, reason, expiresAt)
    }
}

/// That another session's owner asks to make both one incident; past its time it is for supervisors.
public struct DeskProposal: Hashable, Sendable {
    public let from: SessionID
    public let by: UserID
    public let expiresAt: Timestamp

    /// Reads all of a session from one column, in the order in which they were made.
    static func all(_ row: inout RowReader) throws -> [DeskProposal] {
        let texts = try row.optionalText()?.split(separator: ",") ?? []
        return try texts.map { try DeskProposal.read($0) }.sorted { $0.position < $1.position }
            .map(\.proposal)
    }

    private static func read(
        _ text: Substring
    ) throws(ReadModelError) -> (position: UInt64, proposal: DeskProposal) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 4, let position = UInt64(words[0]), let from = SessionID(words[1]),
            let by = UserID(words[2]), let until = Int64(words[3])
        else { throw .damaged("a session's proposals should hold ids and times") }
        let expiresAt = Timestamp(microseconds: until)
        return (position, DeskProposal(from: from, by: by, expiresAt: expiresAt))
    }
}

/// What an incident is taken for.
public struct DeskIncident: Hashable, Sendable {
    public let id: IncidentID
    public let type: String
    /// 1 is the most urgent, 5 the least.
    public let priority: Int
    /// Who said so last; `nil` while nobody of the centre has.
    public let classifiedBy: Actor?
    public let classifiedAt: Timestamp?

    init(_ row: inout RowReader) throws {
        id = try row.value()
        type = try row.text()
        priority = try row.integer()
        classifiedBy = try row.optional()
        classifiedAt = try row.optionalTime()
    }
}

/// What somebody of the centre wrote down about an incident.
public struct DeskNote: Hashable, Sendable {
    public let id: NoteID
    public let position: LogPosition
    /// Of whose contact it speaks.
    public let session: SessionID
    public let by: Actor
    public let at: Timestamp
    public let text: Sealed<String>

    init(_ row: inout RowReader) throws {
        id = try row.value()
        position = try row.position()
        session = try row.value()
        by = try row.value()
        at = try row.time()
        text = try row.sealed()
    }
}

/// What the caller agreed to last.
public struct DeskConsent: Hashable, Sendable {
    public let scope: SessionConsentRecorded.Scope
    public let decision: SessionConsentRecorded.Decision
    public let textVersion: String
    public let at: Timestamp

    init(_ row: inout RowReader) throws {
        scope = try row.word()
        decision = try row.word()
        textVersion = try row.text()
        at = try row.time()
    }
}

/// One place that the caller's device told, or why it could not.
public struct DeskLocation: Hashable, Sendable {
    public let position: LogPosition
    public let at: Timestamp
    public let fix: Sealed<Fix>?
    public let method: String?
    public let unavailable: LocationUnavailable.Reason?
    public let request: RequestID?

    init(_ row: inout RowReader) throws {
        position = try row.position()
        at = try row.time()
        fix = try row.optionalSealed()
        method = try row.optionalText()
        unavailable = try row.optionalWord()
        request = try row.optional()
    }
}

/// A caller found by number.
public struct DeskCaller: Hashable, Sendable {
    public let person: PersonID
    public let phone: String?
    public let sessions: Int
    public let lastSession: SessionID?
    public let lastAt: Timestamp
    /// Whether a phone is registered for the number.
    public let hasPhone: Bool

    init(_ row: inout RowReader) throws {
        person = try row.value()
        phone = try row.optionalText()
        sessions = try row.integer()
        lastSession = try row.optional()
        lastAt = try row.time()
        hasPhone = try row.flag()
    }

    init(
        person: PersonID,
        phone: String?,
        sessions: Int,
        lastSession: SessionID?,
        lastAt: Timestamp,
        hasPhone: Bool
    ) {
        self.person = person
        self.phone = phone
        self.sessions = sessions
        self.lastSession = lastSession
        self.lastAt = lastAt
        self.hasPhone = hasPhone
    }

    /// With the one session of another, the later of the two last.
    func adding(_ other: DeskCaller) -> DeskCaller {
        let last = other.lastAt > lastAt ? other : self
        return DeskCaller(
            person: person,
            phone: phone,
            sessions: sessions + other.sessions,
            lastSession: last.lastSession,
            lastAt: last.lastAt,
            hasPhone: hasPhone || other.hasPhone
        )
    }
}

/// Whose a number is.
public struct DeskNumber: Hashable, Sendable {
    public let person: PersonID
    public let phone: PhoneNumber
    public let organisation: OrganisationID

    init(_ row: inout RowReader) throws {
        person = try row.value()
        phone = try row.value()
        organisation = try row.value()
    }
}

/// A registered device.
public struct DeskDevice: Hashable, Sendable {
    public let id: DeviceID
    public let person: PersonID
    public let phone: String?
    public let verification: DeviceRegistered.Verification
    public let publicKey: String?
    public let registeredAt: Timestamp
    public let revokedAt: Timestamp?

    init(_ row: inout RowReader) throws {
        id = try row.value()
        person = try row.value()
        phone = try row.optionalText()
        verification = try row.word()
        publicKey = try row.optionalText()
        registeredAt = try row.time()
        revokedAt = try row.optionalTime()
    }
}

/// Someone with an account, as the desk sees presence.
public struct DeskOperator: Hashable, Sendable {
    public let id: UserID
    public let organisation: OrganisationID
    public let role: Role
    public let name: Sealed<String>?
    public let signedIn: Bool
    /// Sessions that this operator owns now.
    public let openSessions: Int

    init(_ row: inout RowReader) throws {
        id = try row.value()
        organisation = try row.value()
        role = try row.word()
        name = try row.optionalSealed()
        signedIn = try row.flag()
        openSessions = try row.integer()
    }
}
