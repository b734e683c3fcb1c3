// SPDX-License-Identifier: Apache-2.0
import Events
import Projections

/// What submits a report.
struct ReportRequest: Decodable {
    let fix: Fix
    let species: String
    let sizeClass: ReportSubmitted.SizeClass
    let condition: ReportSubmitted.Condition
    let notes: String?
    let contact: String?
    let photos: [SHA256Digest]?
}

/// What moves a report along.
struct StatusRequest: Decodable {
    let to: ReportStatus
    let note: String?
}

/// A report as the interface shows it; personal members are absent once the reporter was erased.
struct ReportBody: Encodable {
    let id: ReportID
    let status: ReportStatus
    let species: String
    let sizeClass: ReportSubmitted.SizeClass
    let condition: ReportSubmitted.Condition
    let reporter: PersonID
    let fix: Fix?
    let notes: String?
    let contact: String?
    let photos: [SHA256Digest]
    let submittedAt: Timestamp
    let changedAt: Timestamp
    let changedBy: UserID?
    /// The place in the log, as text; also the cursor of lists.
    let position: String
    let revision: String
    /// Whether the reporter's personal data is gone.
    let erased: Bool
    /// How far the report is from the place that the query names.
    let metresAway: Double?
    /// The steps of its status, oldest first; only when one report is asked for.
    var history: [ReportChangeBody]?

    init(_ report: FieldReport, keys: ReadingKeys, metresAway: Double? = nil) throws {
        let opened = try report.fix.opened(with: keys)
        id = report.id
        status = report.status
        species = report.species
        sizeClass = report.sizeClass
        condition = report.condition
        reporter = report.reporter
        fix = opened.value
        notes = try report.notes?.opened(with: keys).value
        contact = try report.contact?.opened(with: keys).value
        photos = report.photos
        submittedAt = report.submittedAt
        changedAt = report.changedAt
        changedBy = report.changedBy
        position = "\(report.submittedPosition)"
        revision = "\(report.revision)"
        erased = opened == .erased
        self.metresAway = metresAway
    }
}

/// One step of a report's status.
struct ReportChangeBody: Encodable {
    let position: String
    let from: ReportStatus
    let to: ReportStatus
    let by: UserID
    let note: String?
    let at: Timestamp

    init(_ change: ReportChange, keys: ReadingKeys) throws {
        position = "\(change.position)"
        from = change.from
        to = change.to
        by = change.by
        note = try change.note?.opened(with: keys).value
        at = change.at
    }
}
