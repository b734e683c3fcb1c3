// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Projections

/// Which reports somebody may see, and how far away they are (source 2, §2.3).
///
/// A rescuer sees the reports of the own agencies, and those within 30 miles of where an own agency's team is: the place that a
/// member on duty shared within the last half hour, else the base; for an agency with neither only its own. Everybody else who
/// reads reports sees those of the organisation.
struct RescuerSight {
    /// 30 miles over the ground, WGS 84.
    static let reachMetres = 48_280.0

    /// Whether the reader sees reports of other people.
    let isOfStaff: Bool
    private let isLimited: Bool
    private let agencies: Set<AgencyID>
    private let places: [Fix]
    private let comparing: any PersonKeys

    /// - Throws: When rows or log cannot be read.
    init(of reader: Principal, in ledger: Ledger) async throws {
        isOfStaff = reader.seesAllReports
        isLimited = reader.role == .rescuer
        comparing = ledger.keys.unrecorded(.compared)
        var own: [Agency] = []
        if let user = reader.user {
            own = try await ledger.agencies(ofMember: user, in: reader.organisation)
        }
        agencies = Set(own.map(\.id))
        places = try own.compactMap {
            try ledger.teamPlace(of: $0)?.fix ?? $0.definition?.base?.fix
        }
    }

    /// Whether the reader works for the agency that has a report.
    func isMine(_ report: FieldReport) -> Bool {
        report.agency.map(agencies.contains) ?? false
    }

    /// How far a place is from the nearest of the reader's teams.
    func metres(to place: Fix?) -> Double? {
        place.flatMap { place in places.map { $0.metres(to: place) }.min() }
    }

    /// Whether the reader may see a report.
    ///
    /// - Parameters:
    ///   - report: Which one.
    ///   - keys: Open its place; one that was erased is nowhere.
    /// - Returns: `false` for one that is to look as if it were not there.
    /// - Throws: When its place cannot be opened.
    func sees(_ report: FieldReport, keys: any PersonKeys) throws -> Bool {
        try sees(of: report.agency, report.fix, keys: keys)
    }

    /// The same by the log alone.
    func sees(_ report: Report) throws -> Bool {
        guard let submitted = report.submitted else { return false }
        return try sees(of: report.assignment?.fact.agency, submitted.fix, keys: comparing)
    }

    private func sees(
        of agency: AgencyID?,
        _ fix: Sealed<Fix>,
        keys: any PersonKeys
    ) throws -> Bool {
        guard isLimited, !(agency.map(agencies.contains) ?? false) else { return true }
        return metres(to: try fix.opened(with: keys).value).map { $0 <= Self.reachMetres } ?? false
    }
}

/// Where an agency's team is.
struct TeamPlace {
    let fix: Fix
    let at: Timestamp
    let by: UserID
}

extension Ledger {
    /// The place that a member shared who is still on duty; `nil` where there is none, or it is too old.
    func teamPlace(of agency: Agency) throws -> TeamPlace? {
        let place = try handler.current(AgencyPlace.self, agency.id)
        guard let shared = place.current(at: now), let at = place.sharedAt,
            agency.members.contains(shared.by), let organisation = agency.organisation,
            try isOnDuty(shared.by, in: organisation),
            let fix = try shared.fix?.opened(with: keys.unrecorded(.compared)).value
        else { return nil }
        return TeamPlace(fix: fix, at: at, by: shared.by)
    }
}

extension ReadingRights {
    /// Lets somebody move a report along or add to it: who works for the agency that has it, and the desk.
    func requireRescuer(of report: ReportID, _ asker: Asker) throws {
        try requireInReach(.report(report), of: asker)
        guard asker.role == .rescuer else { return }
        let agency = try states.current(Report.self, report).assignment?.fact.agency
        let members = try agency.map { try states.current(Agency.self, $0).members } ?? []
        guard let user = asker.user, members.contains(user) else {
            throw Problem(
                ProblemType("report-of-other-agency", .forbidden, "Another agency's"),
                detail: "report \(report) is not your agency's; ask the desk to assign it to you"
            )
        }
    }
}
