// SPDX-License-Identifier: Apache-2.0

/// What can happen to a session: one caller's contact with the centre.
public enum SessionEvent: EventFamily {
    case created(SessionCreated)
    case expired(SessionExpired)
    case claimed(SessionClaimed)
    case released(SessionReleased)
    case resumed(SessionResumed)
    case activitySignalled(SessionActivitySignalled)
    case videoWished(SessionVideoWished)
    case videoWishWithdrawn(SessionVideoWishWithdrawn)
    case requestSent(SessionRequestSent)
    case requestOpened(SessionRequestOpened)
    case requestAnswered(SessionRequestAnswered)
    case linkIssued(SessionLinkIssued)
    case linkOpened(SessionLinkOpened)
    case consentRecorded(SessionConsentRecorded)
    case closed(SessionClosed)
    case sealed(SessionSealed)
    case unsealed(SessionUnsealed)
    case offered(SessionOffered)
    case offerDeclined(SessionOfferDeclined)
    case transferred(SessionTransferred)
    case unattended(SessionUnattended)
    case linkProposed(SessionLinkProposed)
    case linkDeclined(SessionLinkDeclined)
    case linkAccepted(SessionLinkAccepted)
    case muteSet(SessionMuteSet)
    case assigned(SessionAssigned)

    public static let kinds: [any EventPayload.Type] = [
        SessionCreated.self, SessionExpired.self, SessionClaimed.self, SessionReleased.self,
        SessionResumed.self, SessionActivitySignalled.self, SessionVideoWished.self,
        SessionVideoWishWithdrawn.self, SessionRequestSent.self,
        SessionRequestOpened.self, SessionRequestAnswered.self, SessionLinkIssued.self,
        SessionLinkOpened.self, SessionConsentRecorded.self, SessionClosed.self, SessionSealed.self,
        SessionSealedFirst.self, SessionUnsealed.self, SessionUnsealedFirst.self,
        SessionOffered.self, SessionOfferedFirst.self, SessionOfferDeclined.self,
        SessionTransferred.self, SessionUnattended.self, SessionLinkProposed.self,
        SessionLinkDeclined.self, SessionLinkAccepted.self, SessionMuteSet.self,
        SessionAssigned.self,
    ]

    public var fact: Fact { .session(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .created(let payload): payload
        case .expired(let payload): payload
        case .claimed(let payload): payload
        case .released(let payload): payload
        case .resumed(let payload): payload
        case .activitySignalled(let payload): payload
        case .videoWished(let payload): payload
        case .videoWishWithdrawn(let payload): payload
        case .requestSent(let payload): payload
        case .requestOpened(let payload): payload
        case .requestAnswered(let payload): payload
        case .linkIssued(let payload): payload
        case .linkOpened(let payload): payload
        case .consentRecorded(let payload): payload
        case .closed(let payload): payload
        case .sealed(let payload): payload
        case .unsealed(let payload): payload
        case .offered(let payload): payload
        case .offerDeclined(let payload): payload
        case .transferred(let payload): payload
        case .unattended(let payload): payload
        case .linkProposed(let payload): payload
        case .linkDeclined(let payload): payload
        case .linkAccepted(let payload): payload
        case .muteSet(let payload): payload
        case .assigned(let payload): payload
        }
    }
}

/// A session was opened, by an operator for a phone number or by a caller.
public struct SessionCreated: EventPayload {
    public static let row = EventKind(
        "session.created/1",
        SessionEvent.created,
        audience: .conversation,
        known: true,
        timeline: true,
        linksDigest: 0xE0F0_4803,
        summary: [
            .init("incident", \.incident), .init("channel", \.channel),
            .init("openedBy", \.openedBy), .init("operator", \.openedByUser),
            .init("phone", \.phone), .init("expiresAt", \.expiresAt),
        ]
    )

    /// The incident opened together with it (ruling 17).
    public let incident: IncidentID
    /// Whose contact it is.
    public let caller: PersonID
    /// The caller's number; none for a caller known by device only.
    public let phone: Sealed<PhoneNumber>?
    /// The registered device with that number, if there is one.
    public let device: DeviceID?
    public let channel: Channel
    public let openedBy: Party
    /// The operator, when an operator opened it.
    public let openedByUser: UserID?
    /// How long the caller has to start; none when the caller opened it.
    public let startLimitSeconds: Int?
    /// When the start limit runs out.
    public let expiresAt: Timestamp?

    public init(
        incident: IncidentID,
        caller: PersonID,
        phone: Sealed<PhoneNumber>? = nil,
        device: DeviceID? = nil,
        channel: Channel,
        openedBy: Party,
        openedByUser: UserID? = nil,
        startLimitSeconds: Int? = nil,
        expiresAt: Timestamp? = nil
    ) {
        self.incident = incident
        self.caller = caller
        self.phone = phone
        self.device = device
        self.channel = channel
        self.openedBy = openedBy
        self.openedByUser = openedByUser
        self.startLimitSeconds = startLimitSeconds
        self.expiresAt = expiresAt
    }

    public var links: [SubjectLink] {
        [.about(.incident(incident)), .caller(.person(caller)), .owner(.person(caller))]
            + (device.map { [.about(.device($0))] } ?? [])
    }

    /// What the session was opened for.
    public enum Channel: String, Codable, Hashable, Sendable, CaseIterable {
        case video
        case chat
        /// A text by telephone opened it.
        case telephone

        /// Whether it begins with text alone.
        public var isText: Bool { self != .video }
    }
}

/// One operator took the session; it is private to that operator now.
public struct SessionClaimed: EventPayload {
    public static let row = EventKind(
        "session.claimed/1",
        SessionEvent.claimed,
        audience: .conversation,
        known: true,
        lowDisk: .take,
        timeline: true,
        linksDigest: 0x513E_4AFB,
        summary: [.init("owner", \.owner)]
    )

    public let owner: UserID

    public init(owner: UserID) {
        self.owner = owner
    }

    public var links: [SubjectLink] {
        [.owner(.user(owner))]
    }
}

/// The owner let go of the session, which stays open.
public struct SessionReleased: EventPayload {
    public static let row = EventKind(
        "session.released/1",
        SessionEvent.released,
        audience: .conversation,
        known: true,
        lowDisk: .take,
        timeline: true,
        linksDigest: 0x4C09_22B9,
        summary: [.init("owner", \.owner), .init("reason", \.reason)]
    )

    public let owner: UserID
    public let reason: Reason

    public init(owner: UserID, reason: Reason) {
        self.owner = owner
        self.reason = reason
    }

    public var links: [SubjectLink] {
        [.owner(.user(owner))]
    }

    /// Why the owner let go.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        /// As long as leaving a session gave it up; none is recorded any more.
        case leftOpen = "left_open"
        case logout
        case disconnect
        /// Back into the queue, where the caller waits for somebody else (ruling 34).
        case givenBack = "given_back"
    }
}

/// A side came back to an open session after an interruption.
public struct SessionResumed: EventPayload {
    public static let row = EventKind(
        "session.resumed/1",
        SessionEvent.resumed,
        audience: .conversation,
        known: true,
        lowDisk: .take,
        timeline: true,
        summary: [.init("by", \.by), .init("gapMilliseconds", \.gapMilliseconds)]
    )

    public let by: Party
    /// How long that side was away, if known.
    public let gapMilliseconds: Int?

    public init(by: Party, gapMilliseconds: Int? = nil) {
        self.by = by
        self.gapMilliseconds = gapMilliseconds
    }

    public var links: [SubjectLink] { [] }
}

/// A side did something that the other should notice before any message.
public struct SessionActivitySignalled: EventPayload {
    public static let row = EventKind(
        "session.activity_signalled/1",
        SessionEvent.activitySignalled,
        audience: .conversation,
        timeline: true,
        summary: [.init("by", \.by), .init("activity", \.activity), .init("stream", \.stream)]
    )

    public let by: Party
    public let activity: Activity
    /// Which stream, for `streaming`.
    public let stream: StreamID?

    public init(by: Party, activity: Activity, stream: StreamID? = nil) {
        self.by = by
        self.activity = activity
        self.stream = stream
    }

    public var links: [SubjectLink] { [] }

    /// What that side did; `streaming` stands beside a `stream.started`.
    public enum Activity: String, Codable, Hashable, Sendable, CaseIterable {
        case typing
        case opened
        case streaming
    }
}

/// The caller wants to show video where nobody asked for it: an operator who takes the session lets it begin (ruling 35).
public struct SessionVideoWished: EventPayload {
    public static let row = EventKind(
        "session.video_wished/1",
        SessionEvent.videoWished,
        audience: .conversation,
        known: true,
        timeline: true,
        summary: [.init("expiresAt", \.expiresAt)]
    )

    public let caller: PersonID
    /// Until when somebody has to take the session; then the wish is over, and with it a session in which nothing else began.
    public let expiresAt: Timestamp

    public init(caller: PersonID, expiresAt: Timestamp) {
        (self.caller, self.expiresAt) = (caller, expiresAt)
    }

    public var links: [SubjectLink] { [] }
}

/// The caller does not want to show video any more, before an operator took the session.
public struct SessionVideoWishWithdrawn: EventPayload {
    public static let row = EventKind(
        "session.video_wish_withdrawn/1",
        SessionEvent.videoWishWithdrawn,
        audience: .conversation,
        known: true,
        timeline: true
    )

    public let caller: PersonID

    public init(caller: PersonID) {
        self.caller = caller
    }

    public var links: [SubjectLink] { [] }
}

/// An ended session became private again: to its last owner and those who supervise (ruling 33).
public struct SessionSealed: EventPayload {
    public static let row = EventKind(
        "session.sealed/2",
        SessionEvent.sealed,
        audience: .centre,
        lowDisk: .take,
        timeline: true,
        summary: [.init("by", \.by), .init("reason", \.reason)]
    )

    /// The supervisor.
    public let by: UserID
    /// Why, in words about the caller, which are forgotten with them; `nil` for one who was erased.
    public let reason: Sealed<String>?

    public init(by: UserID, reason: Sealed<String>?) {
        self.by = by
        self.reason = reason
    }

    public var links: [SubjectLink] { [] }
}

/// A sealing as it was written when its reason lay open: that is told no more.
struct SessionSealedFirst: RetiredPayload {
    static let row = EventKind<SessionSealedFirst>(lifting: "session.sealed/1")

    let by: UserID
    let reason: String

    var lifted: SessionSealed { SessionSealed(by: by, reason: nil) }
}

/// A sealed session may be read again by whoever reads ended sessions.
public struct SessionUnsealed: EventPayload {
    public static let row = EventKind(
        "session.unsealed/2",
        SessionEvent.unsealed,
        audience: .centre,
        timeline: true,
        summary: [.init("by", \.by), .init("reason", \.reason)]
    )

    /// The supervisor.
    public let by: UserID
    /// Why, in words about the caller, which are forgotten with them; `nil` for one who was erased.
    public let reason: Sealed<String>?

    public init(by: UserID, reason: Sealed<String>?) {
        self.by = by
        self.reason = reason
    }

    public var links: [SubjectLink] { [] }
}

/// The end of a sealing as it was written when its reason lay open: that is told no more.
struct SessionUnsealedFirst: RetiredPayload {
    static let row = EventKind<SessionUnsealedFirst>(lifting: "session.unsealed/1")

    let by: UserID
    let reason: String

    var lifted: SessionUnsealed { SessionUnsealed(by: by, reason: nil) }
}

/// Nothing was started within the limit; nothing can be started any more.
public struct SessionExpired: EventPayload {
    public static let row = EventKind(
        "session.expired/1",
        SessionEvent.expired,
        audience: .conversation,
        known: true,
        lowDisk: .take,
        timeline: true,
        linksDigest: 0x84C1_6F71,
        summary: [.init("reason", \.reason)]
    )

    public let caller: PersonID
    /// Who owned it when it ended.
    public let owner: UserID?
    public let reason: Reason

    public init(caller: PersonID, owner: UserID? = nil, reason: Reason) {
        self.caller = caller
        self.owner = owner
        self.reason = reason
    }

    public var links: [SubjectLink] {
        [.caller(.person(caller))] + (owner.map { [.owner(.user($0))] } ?? [])
    }

    /// Why it ended by itself.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        case startLimit = "start_limit"
    }
}

/// The session ended; it takes no message and no video any more.
public struct SessionClosed: EventPayload {
    public static let row = EventKind(
        "session.closed/1",
        SessionEvent.closed,
        audience: .conversation,
        known: true,
        lowDisk: .takeToTheLast,
        timeline: true,
        linksDigest: 0x6652_112F,
        summary: [
            .init("by", \.by), .init("owner", \.owner), .init("disposition", \.disposition),
            .init("note", \.note),
        ]
    )

    public let caller: PersonID
    public let by: Party
    /// Who owned it when it ended.
    public let owner: UserID?
    /// How it ended, in the centre's words, such as `handled`.
    public let disposition: String
    public let note: Sealed<String>?

    public init(
        caller: PersonID,
        by: Party,
        owner: UserID? = nil,
        disposition: String,
        note: Sealed<String>? = nil
    ) {
        self.caller = caller
        self.by = by
        self.owner = owner
        self.disposition = disposition
        self.note = note
    }

    public var links: [SubjectLink] {
        [.caller(.person(caller))] + (owner.map { [.owner(.user($0))] } ?? [])
    }
}
