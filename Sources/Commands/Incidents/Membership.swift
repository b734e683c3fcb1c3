// SPDX-License-Identifier: Apache-2.0
public import Events

/// The incident to which a session belongs now, and how it came there: where it was linked, the last one counts.
public struct Membership: Fold {
    public let id: SessionID
    /// Where it was linked, oldest first.
    private var links: [Link] = []

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
    }

    public init(_ id: SessionID) {
        self.id = id
    }

    public static func source(of id: SessionID) -> FoldSource { .links(to: .member(.session(id))) }

    /// Takes in an event that links to the session as member; of interest are those of incidents.
    public mutating func apply(_ event: RecordedEvent) {
        let envelope = event.envelope
        guard case .incident(.sessionLinked(let linked)) = event.fact, linked.session == id,
            envelope.subject.category == "incident",
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
}
