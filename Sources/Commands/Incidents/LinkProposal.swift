// SPDX-License-Identifier: Apache-2.0
public import Events

/// Two sessions that may be one event, read for a decision about that.
public struct SessionPair: Hashable, Sendable {
    let mine: Side
    let theirs: Side

    /// A session, and where it belongs.
    struct Side: Hashable, Sendable {
        let session: Session
        let incident: IncidentID?
        /// Whether nothing else belongs to its incident, so that it may move alone.
        let isAlone: Bool
    }

    static func read(
        _ mine: SessionID,
        _ theirs: SessionID,
        _ ledger: inout LedgerView
    ) throws -> SessionPair {
        SessionPair(mine: try side(mine, &ledger), theirs: try side(theirs, &ledger))
    }

    private static func side(_ id: SessionID, _ ledger: inout LedgerView) throws -> Side {
        let session = try ledger.read(Session.self, id)
        guard let incident = try ledger.read(Membership.self, id).incident else {
            return Side(session: session, incident: nil, isAlone: true)
        }
        let others = try ledger.read(Incident.self, incident).sessions.filter { $0 != id }
        var isAlone = others.count <= CommandLimits.sessionsPerMergeMax / 2
        for other in others where isAlone {
            isAlone = try ledger.read(Membership.self, other).incident != incident
        }
        return Side(session: session, incident: incident, isAlone: isAlone)
    }

    /// What makes both one incident by agreement, recorded on `mine`.
    ///
    /// - Parameter proposer: Who asked: the owner of `theirs`.
    /// - Returns: The facts; `nil` where both have others with them.
    func joining(proposedBy proposer: UserID) -> [Write]? {
        guard let home = mine.incident, let other = theirs.incident else { return nil }
        let incident: IncidentID
        var writes: [Write] = []
        if home == other {
            incident = home
        } else if mine.isAlone {
            incident = other
            writes = [Self.move(mine.session.id, from: home, to: other)]
        } else if theirs.isAlone {
            incident = home
            writes = [Self.move(theirs.session.id, from: other, to: home)]
        } else {
            return nil
        }
        let accepted = SessionLinkAccepted(
            session: mine.session.id,
            from: theirs.session.id,
            proposer: proposer,
            incident: incident
        )
        return writes + [.session(mine.session.id, .linkAccepted(accepted))]
    }

    private static func move(
        _ session: SessionID,
        from: IncidentID,
        to incident: IncidentID
    ) -> Write {
        let linked = IncidentSessionLinked(session: session, from: from, reason: "agreed")
        return .incident(incident, .sessionLinked(linked))
    }
}

/// Why two operators' sessions are not made one incident.
public enum LinkProposalRefusal: CommandRefusal {
    case unavailable(SessionUnavailable)
    case notOwner(NotOwner)
    /// The same session twice, or one of one's own, or one that nobody has.
    case notAnothers(SessionID)
    case otherOrganisation(SessionID)
    /// The same one asked its owner a moment ago.
    case pending(SessionID, until: Timestamp)
    /// Its owner said no a while ago.
    case declined(SessionID, until: Timestamp)
    /// As many ask its owner as one person answers at once.
    case crowded(SessionID, until: Timestamp)
    /// Nobody asks that now.
    case noProposal(SessionID)
    /// Both belong to incidents of several sessions; named is the other's session.
    case bothLinked(SessionID)

    public var problem: Problem {
        let attempt = "linking by agreement"
        return switch self {
        case .unavailable(let why): why.problem(of: attempt)
        case .notOwner(let why): why.problem(of: attempt)
        case .notAnothers(let session):
            Problem(
                .conflict,
                "session-not-anothers",
                "\(attempt) refused: session \(session) is no other operator's; link it directly",
                facts: ["session": "\(session)"]
            )
        case .otherOrganisation(let session):
            SessionUnavailable.unknown(session).problem(of: attempt)
        case .pending(let session, let until):
            Problem(
                .conflict,
                "proposal-pending",
                "\(attempt) refused: you asked the owner of session \(session) a moment ago, who has not answered"
                    + Self.later(until),
                facts: ["session": "\(session)", "until": "\(until)"]
            )
        case .declined(let session, let until):
            Problem(
                .conflict,
                "proposal-declined",
                "\(attempt) refused: the owner of session \(session) takes it for another event than yours"
                    + Self.later(until),
                facts: ["session": "\(session)", "until": "\(until)"]
            )
        case .crowded(let session, let until):
            Problem(
                .conflict,
                "proposals-waiting",
                "\(attempt) refused: as many ask the owner of session \(session) as may at once"
                    + Self.later(until),
                facts: ["session": "\(session)", "until": "\(until)"]
            )
        case .noProposal(let session):
            Problem(
                .conflict,
                "proposal-over",
                "\(attempt) refused: nobody asks to link session \(session) with yours now; "
                    + "propose it yourself",
                facts: ["session": "\(session)"]
            )
        case .bothLinked(let session):
            Problem(
                .conflict,
                "incidents-of-several",
                "\(attempt) refused: session \(session) and yours belong to incidents of several "
                    + "sessions; ask a supervisor to merge them",
                facts: ["session": "\(session)"]
            )
        }
    }

    /// When it may be asked again, or by whom.
    private static func later(_ until: Timestamp) -> String {
        "; ask again from \(until) on, or ask a supervisor"
    }
}
