// SPDX-License-Identifier: Apache-2.0
public import Events

/// Whoever sealed data belongs to; of interest is whether that person was erased.
public struct Person: Fold {
    public let id: PersonID
    public private(set) var isErased = false

    public init(_ id: PersonID) {
        self.id = id
    }

    public static func source(of id: PersonID) -> FoldSource { .subject(.person(id)) }

    /// Takes in an event of the person's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .person(let fact) = event.fact else { return }
        switch fact {
        case .erased: isErased = true
        }
    }
}

/// Whose person somebody is: the organisations in whose sessions, reports, devices or accounts the person appears.
public struct Footprint: Fold {
    public let id: PersonID
    public private(set) var organisations: Set<OrganisationID> = []

    public init(_ id: PersonID) {
        self.id = id
    }

    public static func source(of id: PersonID) -> FoldSource { .links(to: .owner(.person(id))) }

    /// Takes in an event that links to the person as owner; of interest is what makes somebody an organisation's person.
    public mutating func apply(_ event: RecordedEvent) {
        guard makesOnesOwn(event.fact) else { return }
        organisations.insert(event.envelope.organisation)
    }

    private func makesOnesOwn(_ fact: Fact) -> Bool {
        switch fact {
        case .session(.created(let created)): created.caller == id
        case .report(.submitted(let submitted)): submitted.reporter == id
        case .device(.registered(let registered)): registered.person == id
        case .user(.created(let created)): created.person == id
        case .session, .incident, .chat, .location, .device, .user, .stream, .report, .alert,
            .patrol, .access, .person, .hold, .policy, .clock:
            false
        }
    }
}
