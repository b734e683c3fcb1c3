// SPDX-License-Identifier: Apache-2.0
import Events
import Projections

/// A session as the interface shows it.
///
/// What is private is left out for those whom ruling 18 keeps out; that the session is there, and
/// whose it is, the whole desk may know.
struct SessionBody: Encodable {
    let id: SessionID
    let incident: IncidentID
    let state: SessionState
    let channel: SessionCreated.Channel
    let organisation: OrganisationID
    let openedBy: Party
    let owner: UserID?
    let lastOwner: UserID?
    let createdAt: Timestamp
    let expiresAt: Timestamp?
    let startedAt: Timestamp?
    let claimedAt: Timestamp?
    let activityAt: Timestamp
    let pendingSince: Timestamp?
    let endedAt: Timestamp?
    let disposition: String?
    let liveStreams: Int
    let position: String
    /// Whether a supervisor made it private again after it had ended.
    let isSealed: Bool
    /// Since when its owner is signed out, without having given it back.
    let unattendedSince: Timestamp?
    /// From when on another may take it over.
    let takeOverAt: Timestamp?
    /// Which colleague is asked to take it over; for who reads it, and for that colleague.
    let offer: OfferBody?
    /// Whether the rest is private to somebody else.
    let isPrivate: Bool
    var caller: PersonID?
    var device: DeviceID?
    var phone: String?
    var address: String?
    var note: String?
    /// Which other sessions' owners ask to make both one incident, who asked first first; absent where none does.
    var linkProposals: [ProposalBody]?
    /// What the centre takes its incident for, and how urgent; not for callers.
    var incidentType: String?
    var incidentPriority: Int?
    var unreadForOperator: Int?
    var unreadForCaller: Int?
    /// What the caller wrote first and last; absent where nothing was, or it was erased.
    var firstWords: String?
    var lastWords: String?
    /// The newest place of the caller's device.
    var place: Fix?
    /// The newest stream that has not stopped.
    var liveStream: StreamID?
    /// Until when the caller waits to show video; absent where nobody waits.
    let wishesVideoUntil: Timestamp?
    /// `true` where the caller texted by telephone; absent otherwise.
    let isTelephone: Bool?
    /// `true` where what the caller sends rings no bell; for the centre, absent otherwise.
    let isMuted: Bool?
    /// What that telephone says of itself.
    var telephone: CallingBody?

    /// Shows a row.
    ///
    /// - Parameters:
    ///   - session: The row.
    ///   - keys: Open what is sealed.
    ///   - isPrivate: Leaves out what is private to somebody else.
    ///   - reader: Who of the centre reads; `nil` for a caller.
    /// - Throws: When a sealed field is damaged.
    init(
        _ session: DeskSession,
        openedWith keys: ReadingKeys,
        isPrivate: Bool = false,
        for reader: UserID?
    ) throws {
        id = session.id
        incident = session.incident
        state = session.state
        channel = session.channel
        organisation = session.organisation
        openedBy = session.openedBy
        owner = session.owner
        lastOwner = session.lastOwner
        createdAt = session.createdAt
        expiresAt = session.expiresAt
        startedAt = session.startedAt
        claimedAt = session.claimedAt
        activityAt = session.activityAt
        pendingSince = session.pendingSince
        endedAt = session.endedAt
        disposition = session.disposition
        liveStreams = session.liveStreams
        position = "\(session.createdPosition)"
        isSealed = session.isSealed
        unattendedSince = session.unattendedSince
        takeOverAt = session.takeOverAt
        wishesVideoUntil = session.wishesVideoUntil
        isTelephone = session.telephone == nil ? nil : true
        isMuted = session.isMuted && reader != nil ? true : nil
        // Nobody tells a caller why the centre hands them on.
        let isForReader = reader != nil && (!isPrivate || session.offer?.to == reader)
        offer = try isForReader ? session.offer.map { try OfferBody($0, keys) } : nil
        self.isPrivate = isPrivate
        guard !isPrivate else { return }
        telephone = try session.telephone?.opened(with: keys).value.map(CallingBody.init)
        caller = session.caller
        device = session.device
        phone = session.phone
        address = try session.address?.opened(with: keys).value
        if reader != nil {
            note = try session.note?.opened(with: keys).value
            if !session.proposals.isEmpty {
                linkProposals = session.proposals.map(ProposalBody.init)
            }
            incidentType = session.type
            incidentPriority = session.priority
        }
        unreadForOperator = session.unreadForOperator
        unreadForCaller = session.unreadForCaller
        firstWords = try session.firstWords?.opened(with: keys).value
        lastWords = try session.lastWords?.opened(with: keys).value
        place = try session.place?.opened(with: keys).value
        liveStream = session.liveStream
    }
}

/// A telephone in a list: nobody vouches for what it says, unless the session has the number, too.
struct CallingBody: Encodable {
    let number: String?
    let name: String?

    init(_ sender: SIPSender) {
        (number, name) = (sender.number, sender.name)
    }
}

/// That a colleague is asked to take a session over.
struct OfferBody: Encodable {
    let to: UserID
    /// Absent where nobody has the session, and the gateway asks.
    let by: UserID?
    /// Absent when erased.
    let reason: String?
    /// Past it, nobody may answer.
    let expiresAt: Timestamp

    init(_ offer: DeskOffer, _ keys: ReadingKeys) throws {
        to = offer.to
        by = offer.by
        reason = try offer.reason?.opened(with: keys).value
        expiresAt = offer.expiresAt
    }
}

/// That another session's owner asks to make both one incident.
struct ProposalBody: Encodable {
    let from: SessionID
    let by: UserID
    /// Past it, it is for supervisors.
    let expiresAt: Timestamp

    init(_ proposal: DeskProposal) {
        from = proposal.from
        by = proposal.by
        expiresAt = proposal.expiresAt
    }
}

/// One session with what belongs to it.
struct SessionDetailBody: Encodable {
    let session: SessionBody
    let requests: [DeskRequestBody]
    let consents: [ConsentBody]
    let locations: [LocationBody]
    let streams: [StreamID]
    /// For the desk, of now: who is in as the caller, and by whose word.
    let letIn: [LetInBody]?
    /// For the desk, of now: the telephone that the caller texts by; absent where there is none.
    let telephone: TelephoneBody?
}

/// A phone or browser that is in a session as its caller.
struct LetInBody: Encodable {
    let device: DeviceID
    let since: Timestamp
    /// Who of the centre let it in, or gave the code by which it was registered; absent if nobody did.
    let by: UserID?
    let isByLink: Bool
    /// Whether it goes on in the session; otherwise it waits for the owner to agree (decision 0052).
    let isAdmitted: Bool
}

/// What an operator asked a caller for.
struct DeskRequestBody: Encodable {
    let id: RequestID
    let ask: SessionRequestSent.Ask
    let sentAt: Timestamp
    let expiresAt: Timestamp?
    let openedAt: Timestamp?
    let answer: SessionRequestAnswered.Answer?
    let answeredAt: Timestamp?

    init(_ request: DeskRequest) {
        id = request.id
        ask = request.ask
        sentAt = request.sentAt
        expiresAt = request.expiresAt
        openedAt = request.openedAt
        answer = request.answer
        answeredAt = request.answeredAt
    }
}

/// What the caller agreed to last.
struct ConsentBody: Encodable {
    let scope: SessionConsentRecorded.Scope
    let decision: SessionConsentRecorded.Decision
    let textVersion: String
    let at: Timestamp

    init(_ consent: DeskConsent) {
        scope = consent.scope
        decision = consent.decision
        textVersion = consent.textVersion
        at = consent.at
    }
}

/// A place that the caller's device told, or why it could not.
struct LocationBody: Encodable {
    let position: String
    let at: Timestamp
    /// Absent when erased or unavailable.
    let fix: Fix?
    let method: String?
    let unavailable: LocationUnavailable.Reason?
    let request: RequestID?

    init(_ location: DeskLocation, _ keys: ReadingKeys) throws {
        position = "\(location.position)"
        at = location.at
        fix = try location.fix?.opened(with: keys).value
        method = location.method
        unavailable = location.unavailable
        request = location.request
    }
}

/// One message of a transcript.
struct MessageBody: Encodable {
    let id: MessageID
    let position: String
    let from: Party
    let actor: Actor
    let kind: Kind
    /// Absent when erased, and of a picture.
    let text: String?
    let picture: PictureBody?
    let temporaryID: String
    /// As the client wrote it.
    let clientTimestamp: String
    let channel: ChatMessageSent.Channel
    let state: DeliveryState
    let sentAt: Timestamp
    let deliveredAt: Timestamp?
    let seenAt: Timestamp?
    /// Which of the quick responses the caller pressed; absent where none.
    let quickResponse: ChatQuickResponseChosen.Service?

    /// What was sent.
    enum Kind: String, Encodable {
        case text
        case picture
    }

    init(_ message: ConversationMessage, _ keys: ReadingKeys) throws {
        id = message.id
        position = "\(message.position)"
        from = message.from
        actor = message.actor
        kind = message.picture == nil ? .text : .picture
        text = try message.text?.opened(with: keys).value
        picture = message.picture.map { PictureBody($0, keys) }
        temporaryID = message.temporaryID
        clientTimestamp = message.clientTimestamp
        channel = message.channel
        state = message.state
        sentAt = message.sentAt
        deliveredAt = message.deliveredAt
        seenAt = message.seenAt
        quickResponse = message.quickResponse
    }
}

/// A picture of a transcript; its bytes come by `GET /v1/sessions/{id}/pictures/{message}`.
struct PictureBody: Encodable {
    let mediaType: ChatAttachmentAdded.MediaType
    let width: Int
    let height: Int
    /// As it was sent.
    let bytes: Int
    /// Whether it can no more be read.
    let isErased: Bool

    init(_ picture: ConversationPicture, _ keys: ReadingKeys) {
        mediaType = picture.mediaType
        width = picture.width
        height = picture.height
        bytes = max(0, picture.bytes - SealedBlob.overhead)
        isErased = keys.key(of: picture.person) == nil
    }
}

/// A message that was not accepted.
struct RejectionBody: Encodable {
    let position: String
    let from: Party
    let temporaryID: String
    let reason: String
    let at: Timestamp

    init(_ rejection: RejectedMessage) {
        position = "\(rejection.position)"
        from = rejection.from
        temporaryID = rejection.temporaryID
        reason = rejection.reason
        at = rejection.at
    }
}
