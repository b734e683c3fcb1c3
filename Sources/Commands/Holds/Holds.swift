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
