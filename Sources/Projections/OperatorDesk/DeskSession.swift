// SPDX-License-Identifier: Apache-2.0
public import Events

/// How far a session has come.
public enum SessionState: String, Codable, Hashable, Sendable, CaseIterable {
    /// An operator opened it and nothing was started yet.
    case waiting
    /// It can be used.
    case open
    /// Nothing was started in time.
    case expired
    /// It ended.
    case closed
}

/// One session as the operator desk shows it.
public struct DeskSession: Hashable, Sendable {
    public let id: SessionID
    public let incident: IncidentID
    public let caller: PersonID
    public let organisation: OrganisationID
    public let device: DeviceID?
    public let channel: SessionCreated.Channel
    public let openedBy: Party
    public let openedByUser: UserID?
    /// The caller's number, if it was given and may still be read.
    public let phone: String?
    public let state: SessionState
    /// Whose session it is now.
    public let owner: UserID?
    /// Who owned it last, also after it ended.
    public let lastOwner: UserID?
    public let createdAt: Timestamp
    public let createdPosition: LogPosition
    /// When the start limit runs out; for the countdown.
    public let expiresAt: Timestamp?
    public let startedAt: Timestamp?
    public let claimedAt: Timestamp?
    public let activityAt: Timestamp
    /// Since when the caller waits for somebody: by writing or filming while nobody has the session, or because whoever has or
    /// had it gave it back or was signed out.
    public let pendingSince: Timestamp?
    public let endedAt: Timestamp?
    public let disposition: String?
    public let note: Sealed<String>?
    /// The incident's address.
    public let address: Sealed<String>?
    /// What the incident is taken for.
    public let type: String?
    /// How urgent the incident is: 1 the most, 5 the least.
    public let priority: Int?
    /// Whether it is private though it has ended.
    public let isSealed: Bool
    /// Since when its owner is signed out and nobody attends it.
    public let unattendedSince: Timestamp?
    /// From when on another may take it over.
    public let takeOverAt: Timestamp?
    /// Which colleague was asked last to take it over, and did not answer.
    public let offer: DeskOffer?
    /// Which other sessions' owners asked to make both one incident, and have no answer: who asked first is first.
    public let proposals: [DeskProposal]
    /// Messages of the caller that no operator saw.
    public let unreadForOperator: Int
    /// Messages of operators that the caller did not see.
    public let unreadForCaller: Int
    /// Streams from which video arrives or arrived a moment ago.
    public let liveStreams: Int
    /// What the caller wrote first; a picture has no words.
    public let firstWords: Sealed<String>?
    /// What the caller wrote last.
    public let lastWords: Sealed<String>?
    /// Where the caller's device last said that it was.
    public let place: Sealed<Fix>?
    /// The newest stream that has not stopped.
    public let liveStream: StreamID?
    /// Until when the caller waits to show video; `nil` where nobody waits.
    public let wishesVideoUntil: Timestamp?
    /// Who texted by telephone; `nil` where nobody did.
    public let telephone: Sealed<SIPSender>?
    /// Whether what the caller sends rings no bell, and counts as no unread.
    public let isMuted: Bool

    static let selection = """
        SELECT id, incident, caller, org, device, channel, opened_by, opened_by_user, phone, state, owner,
        last_owner, created_at, created_position, expires_at, started_at, claimed_at, activity_at,
        pending_since, ended_at, disposition, note,
        (SELECT address FROM incident WHERE incident.id = s.incident),
        (SELECT type FROM incident WHERE incident.id = s.incident),
        (SELECT priority FROM incident WHERE incident.id = s.incident), sealed,
        unattended_at, take_over_at, offered_to, offered_by, offer_reason, offer_until,
        (SELECT group_concat(position || ' ' || asker || ' ' || owner || ' ' || until) FROM proposal
            WHERE session = s.id),
        (SELECT count(*) FROM message WHERE session = s.id AND seen = 0 AND sender = 'caller' AND NOT s.is_muted),
        (SELECT count(*) FROM message WHERE session = s.id AND seen = 0 AND sender <> 'caller'),
        (SELECT count(*) FROM stream WHERE session = s.id AND state <> 'stopped'),
        first_words, last_words,
        (SELECT fix FROM location WHERE session = s.id AND fix IS NOT NULL ORDER BY position DESC LIMIT 1),
        (SELECT id FROM stream WHERE session = s.id AND state <> 'stopped' ORDER BY started_at DESC LIMIT 1),
        CASE WHEN owner IS NULL AND last_owner IS NULL AND ended_at IS NULL THEN wishes_video_until END,
        telephone, is_muted
        FROM session s
        """

    init(_ row: inout RowReader) throws {
        id = try row.value()
        incident = try row.value()
        caller = try row.value()
        organisation = try row.value()
        device = try row.optional()
        channel = try row.word()
        openedBy = try row.word()
        openedByUser = try row.optional()
        phone = try row.optionalText()
        state = try row.word()
        owner = try row.optional()
        lastOwner = try row.optional()
        createdAt = try row.time()
        createdPosition = try row.position()
        expiresAt = try row.optionalTime()
        startedAt = try row.optionalTime()
        claimedAt = try row.optionalTime()
        activityAt = try row.time()
        pendingSince = try row.optionalTime()
        endedAt = try row.optionalTime()
        disposition = try row.optionalText()
        note = try row.optionalSealed()
        address = try row.optionalSealed()
        type = try row.optionalText()
        priority = try row.optionalInteger()
        isSealed = try row.flag()
        unattendedSince = try row.optionalTime()
        takeOverAt = try row.optionalTime()
        offer = try DeskOffer(&row)
        proposals = try DeskProposal.all(&row)
        unreadForOperator = try row.integer()
        unreadForCaller = try row.integer()
        liveStreams = try row.integer()
        firstWords = try row.optionalSealed()
        lastWords = try row.optionalSealed()
        place = try row.optionalSealed()
        liveStream = try row.optional()
        wishesVideoUntil = try row.optionalTime()
        telephone = try row.optionalSealed()
        isMuted = try row.flag()
    }
}
