// SPDX-License-Identifier: Apache-2.0
public import Events

/// The incident to which a session belongs now: where it was linked last.
public struct Membership: Fold {
    public let id: SessionID
    public private(set) var incident: IncidentID?
    /// Who linked it there, and where in the log; `nil` before it was linked.
    public private(set) var link: Link?

    /// How it came to the incident.
    public struct Link: Hashable, Sendable {
        public let by: Actor
        public let at: LogPosition
    }

    public init(_ id: SessionID) {
        self.id = id
    }

    public static func source(of id: SessionID) -> FoldSource { .links(to: .member(.session(id))) }

    /// Takes in an event that links to the session as member; of interest are those of incidents.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .incident(.sessionLinked(let linked)) = event.fact, linked.session == id,
            event.envelope.subject.category == "incident"
        else { return }
        incident = IncidentID(String(event.envelope.subject.name)) ?? incident
        link = Link(by: event.envelope.actor, at: event.envelope.position)
    }
}
