// SPDX-License-Identifier: Apache-2.0

/// The owner, or a supervisor for the owner, asks a colleague to take the session over (ruling 34).
///
/// It stays the owner's until the colleague accepts, which is a `session.transferred`.
public struct SessionOffered: EventPayload {
    public static let row = EventKind(
        "session.offered/2",
        SessionEvent.offered,
        audience: .centre,
        lowDisk: .take,
        timeline: true,
        summary: [.init("to", \.to), .init("by", \.by), .init("reason", \.reason)]
    )

    /// The colleague.
    public let to: UserID
    /// Who asks.
    public let by: UserID
    /// Why, in words, which are mostly about the caller and forgotten with them; `nil` for a caller who was erased.
    public let reason: Sealed<String>?
    /// From when on the offer takes no answer any more.
    public let expiresAt: Timestamp

    public init(to: UserID, by: UserID, reason: Sealed<String>?, expiresAt: Timestamp) {
        self.to = to
        self.by = by
        self.reason = reason
        self.expiresAt = expiresAt
    }

    public var links: [SubjectLink] { [] }
}

/// An offer as it was written when its reason lay open: that is told no more.
struct SessionOfferedFirst: RetiredPayload {
    static let row = EventKind<SessionOfferedFirst>(lifting: "session.offered/1")

    let to: UserID
    let by: UserID
    let reason: String
    let expiresAt: Timestamp

    var lifted: SessionOffered {
        SessionOffered(to: to, by: by, reason: nil, expiresAt: expiresAt)
    }
}

/// The colleague does not take the session, which stays its owner's.
public struct SessionOfferDeclined: EventPayload {
    public static let row = EventKind(
        "session.offer_declined/1",
        SessionEvent.offerDeclined,
        audience: .centre,
        lowDisk: .take,
        timeline: true,
        summary: [.init("by", \.by)]
    )

    /// The colleague.
    public let by: UserID

    public init(by: UserID) {
        self.by = by
    }

    public var links: [SubjectLink] { [] }
}

/// The session is another operator's now, and was nobody's in between.
public struct SessionTransferred: EventPayload {
    public static let row = EventKind(
        "session.transferred/1",
        SessionEvent.transferred,
        audience: .conversation,
        known: true,
        lowDisk: .take,
        timeline: true,
        linksDigest: 0x076A_1B26,
        summary: [.init("from", \.from), .init("to", \.to), .init("reason", \.reason)]
    )

    public let from: UserID
    public let to: UserID
    public let reason: Reason

    public init(from: UserID, to: UserID, reason: Reason) {
        self.from = from
        self.to = to
        self.reason = reason
    }

    public var links: [SubjectLink] { [.owner(.user(from)), .owner(.user(to))] }

    /// How it passed on.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        /// It was offered, and accepted.
        case handedOver = "handed_over"
        /// Its owner had left it unattended.
        case takenOver = "taken_over"
    }
}

/// The owner was signed out without giving the session back, and nobody attends it.
///
/// It ends with a `session.resumed` of the operator, or with the ownership.
public struct SessionUnattended: EventPayload {
    public static let row = EventKind(
        "session.unattended/1",
        SessionEvent.unattended,
        audience: .conversation,
        known: true,
        lowDisk: .take,
        timeline: true,
        summary: [.init("owner", \.owner), .init("takeOverAt", \.takeOverAt)]
    )

    public let owner: UserID
    /// From when on another may take it over.
    public let takeOverAt: Timestamp

    public init(owner: UserID, takeOverAt: Timestamp) {
        self.owner = owner
        self.takeOverAt = takeOverAt
    }

    public var links: [SubjectLink] { [] }
}

/// What the caller sends no longer rings at the desk, or does again; all of it is recorded as before.
public struct SessionMuteSet: EventPayload {
    public static let row = EventKind(
        "session.mute_set/1",
        SessionEvent.muteSet,
        audience: .centre,
        known: true,
        timeline: true,
        summary: [.init("by", \.by), .init("isMuted", \.isMuted)]
    )

    public let by: UserID
    public let isMuted: Bool

    public init(by: UserID, isMuted: Bool) {
        (self.by, self.isMuted) = (by, isMuted)
    }

    public var links: [SubjectLink] { [] }
}

/// A caller who waits is given to one operator, who takes the session or does not; it is nobody's until then.
///
/// It is answered as an offer: by `session.claimed`, `session.offer_declined`, or not at all.
public struct SessionAssigned: EventPayload {
    public static let row = EventKind(
        "session.assigned/1",
        SessionEvent.assigned,
        audience: .centre,
        timeline: true,
        summary: [.init("to", \.to)]
    )

    /// The operator.
    public let to: UserID
    /// From when on it takes no answer any more.
    public let expiresAt: Timestamp

    public init(to: UserID, expiresAt: Timestamp) {
        (self.to, self.expiresAt) = (to, expiresAt)
    }

    public var links: [SubjectLink] { [] }
}
