// SPDX-License-Identifier: Apache-2.0
public import Events

/// The sessions of a person, and which of them is open.
public struct Caller: Fold {
    public let id: PersonID
    /// The one that has neither expired nor been closed.
    public private(set) var openSession: SessionID?
    /// Every session there ever was, with the incident that was opened with it.
    public private(set) var sessions: [SessionID: IncidentID] = [:]

    public init(_ id: PersonID) {
        self.id = id
    }

    public static func source(of id: PersonID) -> FoldSource { .links(to: .caller(.person(id))) }

    /// Takes in an event that links to the person as caller; of interest are those of sessions.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .session(let fact) = event.fact,
            let session = event.envelope.subject.sessionID
        else { return }
        switch fact {
        case .created(let created) where created.caller == id:
            sessions[session] = created.incident
            openSession = session
        case .expired, .closed:
            if openSession == session { openSession = nil }
        case .created, .claimed, .released, .resumed, .activitySignalled, .videoWished,
            .videoWishWithdrawn, .requestSent, .requestOpened, .requestAnswered, .linkIssued,
            .linkOpened, .consentRecorded,
            .sealed, .unsealed, .offered, .offerDeclined, .transferred, .unattended,
            .linkProposed, .linkDeclined, .linkAccepted, .muteSet, .assigned:
            break
        }
    }
}
