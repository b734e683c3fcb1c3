// SPDX-License-Identifier: Apache-2.0
public import Events

/// The incidents that are merged into one now, in the order of merging.
public struct MergedIncidents: Fold {
    public let id: IncidentID
    public private(set) var incidents: [IncidentID] = []

    public init(_ id: IncidentID) {
        self.id = id
    }

    public static func source(of id: IncidentID) -> FoldSource {
        .links(to: .member(.incident(id)))
    }

    /// Takes in an event that links to the incident as member; of interest are those of merged incidents.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .incident(let fact) = event.fact, event.envelope.subject.category == "incident",
            let other = IncidentID(String(event.envelope.subject.name))
        else { return }
        switch fact {
        case .merged(let merged) where merged.into == id:
            if !incidents.contains(other) { incidents.append(other) }
        case .unmerged(let unmerged) where unmerged.from == id: incidents.removeAll { $0 == other }
        case .opened, .sessionLinked, .sessionUnlinked, .merged, .unmerged, .addressSet,
            .classified, .noteAdded, .footageKept:
            break
        }
    }
}
