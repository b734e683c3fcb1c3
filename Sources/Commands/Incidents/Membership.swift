// SPDX-License-Identifier: Apache-2.0
public import Events

/// The incident to which a session belongs now, and how it came there: where it was linked, the last one counts.
public struct Membership: Fold {
    public let id: SessionID
    /// Where it was linked, oldest first.
    private var links: [Link] = []
    /// With which other session's owner it was agreed last that both are one event.
    private var agreements: [SessionID: LogPosition] = [:]

    /// The incident to which it belongs now; `nil` before it was linked.
    public var incident: IncidentID? { links.last?.incident }

    /// How it came to an incident.
    public struct Link: Hashable, Sendable {
        public let incident: IncidentID
        /// Who linked it there, and where in the log.
        public let by: Actor
        public let at: LogPosition
        /// What linked it there, unique for whoever did; of a merge it is one for all that move.
        let command: CommandID
        /// Whether the owners of two sessions agreed on it, which opens nothing to anybody else.
        public fileprivate(set) var isAgreed = false
    }

    public init(_ id: SessionID) {
        self.id = id
    }

    public static func source(of id: SessionID) -> FoldSource { .links(to: .member(.session(id))) }

    /// Takes in an event that links to the session as member; of interest are those of incidents, and that both owners agreed.
    public mutating func apply(_ event: RecordedEvent) {
        switch event.fact {
        case .incident(.sessionLinked(let linked)) where linked.session == id:
            link(event.envelope)
        case .session(.linkAccepted(let accepted)): agree(accepted, event.envelope)
        default: return
        }
    }

    private mutating func link(_ envelope: Envelope) {
        guard envelope.subject.category == "incident",
            let incident = IncidentID(String(envelope.subject.name))
        else { return }
        links.append(
            Link(
                incident: incident,
                by: envelope.actor,
                at: envelope.position,
                command: envelope.command
            )
        )
    }

    /// What moved one of the two stands before it in the same append.
    private mutating func agree(_ accepted: SessionLinkAccepted, _ envelope: Envelope) {
        agreements[accepted.session == id ? accepted.from : accepted.session] = envelope.position
        guard let last = links.last, last.by == envelope.actor, last.command == envelope.command
        else { return }
        links[links.count - 1].isAgreed = true
    }
}

extension Membership {
    /// What brought two sessions together that belong to the same incident now: the later of their links to it.
    ///
    /// Sessions that one command moved from one incident to another, as merging and taking apart do, were together before
    /// and have the join that they had there. Linear in how often they moved.
    ///
    /// - Returns: `nil` for sessions of two incidents.
    public func join(with other: Membership) -> Link? {
        var (mine, theirs) = (links[...], other.links[...])
        guard var here = mine.popLast(), var there = theirs.popLast(),
            here.incident == there.incident
        else { return nil }
        while here.by == there.by, here.command == there.command, let before = mine.popLast(),
            let itsBefore = theirs.popLast(), before.incident == itsBefore.incident
        {
            (here, there) = (before, itsBefore)
        }
        return here.at > there.at ? here : there
    }

    /// Where the owners of two sessions agreed that both are one event; only what came after they were brought together counts.
    ///
    /// - Returns: `nil` where they never did, or where one of the two left and was brought back since.
    public func agreement(with other: Membership) -> LogPosition? {
        guard let agreed = agreements[other.id], let join = join(with: other), agreed > join.at
        else { return nil }
        return agreed
    }
}
