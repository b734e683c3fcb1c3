// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Projections

/// Which agency a report goes to.
///
/// Of the agencies that take reports: those whose area covers the place and that take such animals, one that names the animal
/// before one that takes all; otherwise those that take such animals; otherwise all. Where none takes reports, all that are in
/// use: a report always goes to somebody. Of several the one whose base is nearest, then the one set up first.
struct AgencyChoice {
    let agency: Agency
    let rule: ReportAssigned.Rule

    /// Chooses among agencies; `nil` where none is in use.
    init?(for place: Fix, _ species: String, among agencies: [Agency]) {
        let active = agencies.filter(\.isActive)
        let onDuty = active.filter { $0.definition?.takesReports ?? false }
        let willing = onDuty.isEmpty ? active : onDuty
        let takers = willing.filter { $0.takes(species) }
        let covering = takers.filter { $0.definition?.area?.covers(place) ?? false }
        let specialised = covering.filter { $0.definition?.types.contains(species) ?? false }
        let candidates = [specialised, covering, takers, willing].first { !$0.isEmpty } ?? []
        let nearest = candidates.map { ($0, $0.metres(to: place)) }.min { one, other in
            let (first, second) = (one.1 ?? .infinity, other.1 ?? .infinity)
            return first == second ? "\(one.0.id)" < "\(other.0.id)" : first < second
        }
        guard let agency = nearest?.0 else { return nil }
        self.agency = agency
        rule = covering.isEmpty ? .nearest : .jurisdiction
    }

    /// What an event says of it.
    func assigned(at place: Fix, as rule: ReportAssigned.Rule? = nil) -> ReportAssigned {
        ReportAssigned(
            agency: agency.id,
            rule: rule ?? self.rule,
            cell: place.cell
        )
    }
}

extension Agency {
    /// Whether it takes such animals.
    func takes(_ species: String) -> Bool {
        guard let types = definition?.types, !types.isEmpty else { return true }
        return types.contains(species)
    }

    /// How far a place is from its base; `nil` for an agency without one.
    func metres(to place: Fix) -> Double? { definition?.base?.fix.metres(to: place) }
}

extension Fix {
    /// The place to a tenth of a degree: `36.8,-121.8`.
    var cell: String {
        func tenth(_ degrees: Double) -> String {
            let tenths = Int((degrees * 10).rounded())
            return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
        }
        return "\(tenth(latitude)),\(tenth(longitude))"
    }
}

extension Ledger {
    /// The agencies that are in use, of an organisation or of all.
    func agencies(of organisation: OrganisationID? = nil) async throws -> [Agency] {
        try await readModels.reports.agencies(of: organisation).map {
            try handler.current(Agency.self, $0)
        }.filter(\.isActive)
    }

    /// The agencies that strangers' reports go to: those for which anybody works.
    func staffedAgencies() async throws -> [Agency] {
        try await agencies().filter { !$0.members.isEmpty }
    }

    /// The agencies for which somebody works.
    func agencies(ofMember user: UserID, in organisation: OrganisationID) async throws -> [Agency] {
        try await agencies(of: organisation).filter { $0.members.contains(user) }
    }
}
