// SPDX-License-Identifier: Apache-2.0

/// The owner of another session asks the owner of this one to make both one incident (ruling 36).
public struct SessionLinkProposed: EventPayload {
    public static let row = EventKind(
        "session.link_proposed/1",
        SessionEvent.linkProposed,
        audience: .centre,
        timeline: true,
        summary: [.init("from", \.from), .init("by", \.by)]
    )

    /// The other session.
    public let from: SessionID
    /// Its owner, who asks.
    public let by: UserID
    /// From when on the proposal takes no answer any more, and is for supervisors.
    public let expiresAt: Timestamp

    public init(from: SessionID, by: UserID, expiresAt: Timestamp) {
        self.from = from
        self.by = by
        self.expiresAt = expiresAt
    }

    public var links: [SubjectLink] { [] }
}

/// The owner of this session takes it for another event than the other one's.
public struct SessionLinkDeclined: EventPayload {
    public static let row = EventKind(
        "session.link_declined/1",
        SessionEvent.linkDeclined,
        audience: .centre,
        timeline: true,
        summary: [.init("from", \.from), .init("proposer", \.proposer)]
    )

    public let from: SessionID
    /// Who had asked.
    public let proposer: UserID

    public init(from: SessionID, proposer: UserID) {
        self.from = from
        self.proposer = proposer
    }

    public var links: [SubjectLink] { [] }
}

/// The owners of both sessions agreed that they are one incident, and read both from now on.
///
/// Where they were two, an `incident.session_linked` in the same append made them one.
public struct SessionLinkAccepted: EventPayload {
    public static let row = EventKind(
        "session.link_accepted/1",
        SessionEvent.linkAccepted,
        audience: .centre,
        timeline: true,
        linksDigest: 0x2C99_EA67,
        summary: [
            .init("from", \.from), .init("proposer", \.proposer), .init("incident", \.incident),
        ]
    )

    /// This session, as its membership finds it.
    public let session: SessionID
    /// The other one; its membership finds it, too.
    public let from: SessionID
    /// Who had asked.
    public let proposer: UserID
    /// The incident of both.
    public let incident: IncidentID

    public init(session: SessionID, from: SessionID, proposer: UserID, incident: IncidentID) {
        self.session = session
        self.from = from
        self.proposer = proposer
        self.incident = incident
    }

    public var links: [SubjectLink] { [.member(.session(session)), .member(.session(from))] }
}
