// SPDX-License-Identifier: Apache-2.0
public import Events

/// Whoever sealed data belongs to; of interest is whether that person was erased, and who turned out to be the same.
public struct Person: Fold {
    public let id: PersonID
    public private(set) var isErased = false
    /// Who had the number already, that the person's was corrected to.
    public private(set) var sameAs: Set<PersonID> = []

    public init(_ id: PersonID) {
        self.id = id
    }

    public static func source(of id: PersonID) -> FoldSource { .subject(.person(id)) }

    /// Words about the person, to be sealed for them; `nil` once they were erased, of whom nothing more is written.
    func sealed(_ text: String) -> Sealed<String>? { isErased ? nil : .open(text, of: id) }

    /// Takes in an event of the person's subject.
    public mutating func apply(_ event: RecordedEvent) {
        switch event.fact {
        case .person(.erased): isErased = true
        case .person(.numberCorrected(let corrected)): sameAs.formUnion(corrected.sameAs)
        default: break
        }
    }
}

/// Who turned out to be the same as a person, because their number was corrected to that one's.
public struct Kin: Fold {
    public let id: PersonID
    public private(set) var persons: Set<PersonID> = []

    public init(_ id: PersonID) {
        self.id = id
    }

    public static func source(of id: PersonID) -> FoldSource { .links(to: .member(.person(id))) }

    /// Takes in an event that links to the person as member.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .person(.numberCorrected(let corrected)) = event.fact,
            corrected.sameAs.contains(id)
        else { return }
        persons.insert(corrected.person)
    }
}

extension LedgerView {
    /// A person, and all who turned out to be the same, the person first.
    mutating func everybody(whoIs person: PersonID) throws -> [PersonID] {
        var (found, next) = ([person], 0)
        while next < found.count {
            let kin = try read(Kin.self, found[next]).persons
            let same = try read(Person.self, found[next]).sameAs.union(kin).subtracting(found)
            found += same.sorted { "\($0)" < "\($1)" }
            next += 1
        }
        return found
    }
}

extension CommandHandler {
    /// A person, and all who turned out to be the same, the person first.
    public func everybody(whoIs person: PersonID) throws -> [PersonID] {
        var ledger = LedgerView(folds, organisation: .main)
        return try ledger.everybody(whoIs: person)
    }
}

/// Whose person somebody is: the organisations that have the person, and the accounts behind which the person stands.
///
/// Every event that links to the person as owner counts, so the vocabulary itself is the list of what makes somebody known.
public struct Footprint: Fold {
    public let id: PersonID
    public private(set) var organisations: Set<OrganisationID> = []
    /// The accounts that were made for the person, oldest first.
    public private(set) var accounts: [UserID] = []
    /// The reports that the person made.
    public private(set) var reports: Set<ReportID> = []

    public init(_ id: PersonID) {
        self.id = id
    }

    public static func source(of id: PersonID) -> FoldSource { .links(to: .owner(.person(id))) }

    /// Takes in an event that links to the person as owner.
    public mutating func apply(_ event: RecordedEvent) {
        guard event.fact.links.contains(.owner(.person(id))) else { return }
        // Whoever only names somebody whom another organisation has, gets no share by it.
        guard makesOnesOwn(event.fact) || organisations.isEmpty else { return }
        organisations.insert(event.envelope.organisation)
        if case .report(.submitted) = event.fact,
            let report = ReportID(String(event.envelope.subject.name))
        {
            reports.insert(report)
        }
        guard case .user(.created) = event.fact,
            let user = UserID(String(event.envelope.subject.name)), !accounts.contains(user)
        else { return }
        accounts.append(user)
    }

    private func makesOnesOwn(_ fact: Fact) -> Bool {
        switch fact {
        case .session(.created), .report(.submitted), .user(.created), .device(.codeIssued),
            .device(.registered):
            true
        default: false
        }
    }
}
