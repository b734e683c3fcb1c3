// SPDX-License-Identifier: Apache-2.0
public import Events

/// The legal holds of one organisation, together: so that an erasure can be conditional on all.
public struct Holds: Fold {
    public let id: OrganisationID
    /// Those that are not lifted.
    public private(set) var active: [HoldID: HoldPlaced] = [:]
    /// Those that are.
    public private(set) var lifted: Set<HoldID> = []

    public init(_ id: OrganisationID) {
        self.id = id
    }

    public static func source(of id: OrganisationID) -> FoldSource { .subject(.holds(id)) }

    /// Takes in an event of the organisation's holds.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .hold(let fact) = event.fact else { return }
        switch fact {
        case .placed(let placed): active[placed.hold] = placed
        case .lifted(let hold):
            active[hold.hold] = nil
            lifted.insert(hold.hold)
        }
    }
}

/// The organisations that ever placed a hold: an erasure asks the holds of every one of them.
///
/// Whoever places, lifts or erases takes the lane ``lane``, so that no first hold of an organisation slips in between.
public struct HoldingOrganisations: Fold {
    public private(set) var all: Set<OrganisationID> = []

    /// The lane of all that places, lifts or asks holds; there are few.
    static let lane = Subject(unchecked: "holds")

    public init(_ id: Void) {}

    public static func source(of id: Void) -> FoldSource { .category("holds") }

    /// Takes in an event of any organisation's holds.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .hold = event.fact else { return }
        all.insert(event.envelope.organisation)
    }
}
