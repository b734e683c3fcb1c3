// SPDX-License-Identifier: Apache-2.0
public import Events

/// What groups the sessions about one event.
public struct Incident: Fold {
    public let id: IncidentID
    /// Whose incident it is; `nil` before it was opened.
    public private(set) var organisation: OrganisationID?
    public var isOpened: Bool { organisation != nil }
    /// Every session that ever belonged to it, in the order of linking.
    public private(set) var sessions: [SessionID] = []
    /// What it was taken for last; `nil` before it was opened.
    public private(set) var classification: Classification?
    /// How many notes were written about it.
    public private(set) var notes = 0
    /// Spans of cameras' footage that belong to it.
    public private(set) var footage: [IncidentFootageKept] = []
    /// The incident that its id means now, while it is merged into one.
    public private(set) var merger: Merger?

    public init(_ id: IncidentID) {
        self.id = id
    }

    public static func source(of id: IncidentID) -> FoldSource { .subject(.incident(id)) }

    /// Takes in an event of the incident's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .incident(let fact) = event.fact else { return }
        switch fact {
        case .opened(let opened):
            organisation = event.envelope.organisation
            classification = Classification(type: opened.type, priority: opened.priority)
        case .classified(let classified):
            classification = Classification(
                type: classified.type,
                priority: classified.priority
            )
        case .noteAdded: notes += 1
        case .footageKept(let kept): footage.append(kept)
        case .sessionLinked(let linked):
            if !sessions.contains(linked.session) { sessions.append(linked.session) }
        case .merged(let merged):
            merger = Merger(into: merged.into, sessions: merged.sessions)
        case .unmerged: merger = nil
        case .sessionUnlinked, .addressSet: break
        }
    }
}

extension Incident {
    /// From the most urgent to the least.
    static let priorities = 1...5

    /// What an incident is, and how urgent.
    public struct Classification: Hashable, Sendable {
        /// The centre's word for it.
        public let type: String
        public let priority: Int
    }

    /// How it became part of another incident.
    public struct Merger: Hashable, Sendable {
        public let into: IncidentID
        /// The sessions that moved with it.
        public let sessions: [SessionID]
    }

    /// The incident that an id means: itself, or whatever it was merged into, on however many steps.
    ///
    /// No step leads back: only an incident that is merged nowhere is merged, into another such.
    ///
    /// - Parameters:
    ///   - id: The incident.
    ///   - read: Gives the state of one.
    /// - Returns: The one that is merged nowhere.
    public static func present(
        _ id: IncidentID,
        reading read: (IncidentID) throws -> Incident
    ) rethrows -> Incident {
        var incident = try read(id)
        while let merger = incident.merger { incident = try read(merger.into) }
        return incident
    }
}
