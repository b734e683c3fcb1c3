// SPDX-License-Identifier: Apache-2.0
public import Events

/// The sessions that a user has: claimed, and neither released nor ended.
public struct Operator: Fold {
    public let id: UserID
    /// In the order of their claims.
    public private(set) var sessions: [SessionID] = []

    public init(_ id: UserID) {
        self.id = id
    }

    public static func source(of id: UserID) -> FoldSource { .links(to: .owner(.user(id))) }

    /// Takes in an event that links to the user as owner; of interest are those of sessions.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .session(let fact) = event.fact,
            let session = event.envelope.subject.sessionID
        else { return }
        switch fact {
        case .claimed(let claimed) where claimed.owner == id:
            if !sessions.contains(session) { sessions.append(session) }
        case .transferred(let transferred) where transferred.to == id:
            if !sessions.contains(session) { sessions.append(session) }
        case .transferred, .released, .closed, .expired: sessions.removeAll { $0 == session }
        case .created, .claimed, .resumed, .activitySignalled, .videoWished,
            .videoWishWithdrawn, .requestSent, .requestOpened,
            .requestAnswered, .linkIssued, .linkOpened, .consentRecorded, .sealed, .unsealed,
            .offered,
            .offerDeclined, .unattended, .linkProposed, .linkDeclined, .linkAccepted, .muteSet,
            .assigned:
            break
        }
    }
}

extension Subject {
    /// The session whose subject this is.
    var sessionID: SessionID? {
        category == "session" ? SessionID(String(name)) : nil
    }
}
