// SPDX-License-Identifier: Apache-2.0
public import Events

/// What groups the sessions about one event.
public struct Incident: Fold {
    public let id: IncidentID
    public private(set) var isOpened = false
    /// Every session that ever belonged to it, in the order of linking.
    public private(set) var sessions: [SessionID] = []

    public init(_ id: IncidentID) {
        self.id = id
    }

    public static func source(of id: IncidentID) -> FoldSource { .subject(.incident(id)) }

    /// Takes in an event of the incident's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .incident(let fact) = event.fact else { return }
        switch fact {
        case .opened: isOpened = true
        case .sessionLinked(let linked):
            if !sessions.contains(linked.session) { sessions.append(linked.session) }
        case .addressSet: break
        }
    }
}
