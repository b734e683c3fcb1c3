// SPDX-License-Identifier: Apache-2.0
public import Events

/// The incident to which a session belongs now: where it was linked last.
public struct Membership: Fold {
    public let id: SessionID
    public private(set) var incident: IncidentID?

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
    }
}
