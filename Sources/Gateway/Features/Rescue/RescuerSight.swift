// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Projections

/// Which reports somebody may see, and how far away they are (source 2, §2.3).
///
/// A rescuer sees the reports of the own agencies, and those within 30 miles of an own agency's base; for an agency without base
/// only its own. Everybody else who reads reports sees those of the organisation.
struct RescuerSight {
    /// 30 miles over the ground, WGS 84.
    static let reachMetres = 48_280.0

    private let isLimited: Bool
    private let agencies: [Agency]

    /// - Throws: When rows or log cannot be read.
    init(of reader: Principal, in ledger: Ledger) async throws {
        isLimited = reader.role == .rescuer
        guard let user = reader.user else {
            agencies = []
            return
        }
        agencies = try await ledger.agencies(ofMember: user, in: reader.organisation)
    }

    /// Whether the reader works for the agency that has a report.
    func isMine(_ report: FieldReport) -> Bool {
        agencies.contains { $0.id == report.agency }
    }

    /// How far a place is from the nearest base of the reader's agencies.
    func metres(to place: Fix?) -> Double? {
        place.flatMap { place in agencies.compactMap { $0.metres(to: place) }.min() }
    }

    /// Whether the reader may see a report.
    ///
    /// - Parameters:
    ///   - report: Which one.
    ///   - keys: Open its place; one that was erased is nowhere.
    /// - Returns: `false` for one that is to look as if it were not there.
    /// - Throws: When its place cannot be opened.
    func sees(_ report: FieldReport, keys: any PersonKeys) throws -> Bool {
        guard isLimited, !isMine(report) else { return true }
        let metres = metres(to: try report.fix.opened(with: keys).value)
        return metres.map { $0 <= Self.reachMetres } ?? false
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
