// SPDX-License-Identifier: Apache-2.0
import Commands
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
    let publishPhotos: Bool?
}

/// Which report goes on for both.
struct DuplicateRequest: Decodable {
    let of: ReportID
}

/// To which incident a report belongs.
struct AttachRequest: Decodable {
    let incident: IncidentID
}

/// What the public may see.
struct VisibilityRequest: Decodable {
    let photo: SHA256Digest?
    let isPublic: Bool
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
    let agency: AgencyName?
    let assignedAt: Timestamp?
    /// Whether the reader works for the agency that has it.
    let isMine: Bool
    let pictures: [ReportPictureBody]
    let submittedAt: Timestamp
    let changedAt: Timestamp
    let changedBy: UserID?
    /// The place in the log, as text; also the cursor of lists.
    let position: String
    let revision: String
    /// Whether the reporter's personal data is gone.
    let erased: Bool
    /// How far the report is from the place that the query names, or from the base of the reader's agency.
    let metresAway: Double?
    /// Where its status may go from here; of what is over, how it is taken up again.
    let next: [ReportStatus]
    /// Where the last step can be taken back to.
    let undo: ReportStatus?
    /// The report that goes on for both, where this one is about the same animal.
    let duplicateOf: ReportID?
    /// The incident that it belongs to.
    let incident: IncidentID?
    /// Whether a moderator keeps it from the public.
    let isHidden: Bool
    /// Whether the reporter agreed that everybody may see the photos.
    let publishesPhotos: Bool
    /// Reports that were joined to this one; this and the rest only when one report is asked for.
    var duplicates: [ReportID]?
    /// Others that may be about the same animal, nearest first.
    var possibleDuplicates: [ReportNearby]?
    /// The steps of its status, oldest first.
    var history: [ReportChangeBody]?
    var updates: [ReportUpdateBody]?
    var assignments: [ReportAssignmentBody]?

    /// - Parameters:
    ///   - report: The row.
    ///   - agency: Its agency's name.
    ///   - isMine: Whether the reader works for that.
    ///   - photos: Its photos.
    ///   - keys: Open what is personal.
    ///   - metresAway: From where the reader is.
    ///   - isForStaff: Whether the reader is staff; a reporter reads what was reported, and nothing that staff made of it.
    /// - Throws: When what is personal cannot be opened.
    init(
        _ report: FieldReport,
        of agency: AgencyName?,
        isMine: Bool,
        _ photos: [ReportPhoto],
        keys: ReadingKeys,
        metresAway: Double?,
        isForStaff: Bool
    ) throws {
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
        self.photos = report.photos
        self.agency = agency
        assignedAt = report.assignedAt
        self.isMine = isMine
        pictures = try photos.filter { isForStaff || $0.by == nil }.map {
            try ReportPictureBody($0, of: report, keys: keys)
        }
        submittedAt = report.submittedAt
        changedAt = report.changedAt
        changedBy = report.changedBy
        position = "\(report.submittedPosition)"
        revision = "\(report.revision)"
        erased = opened == .erased
        self.metresAway = metresAway
        next = report.joinedTo == nil ? report.status.successors : []
        undo = report.joinedTo == nil ? report.previous : nil
        (duplicateOf, incident) = isForStaff ? (report.joinedTo, report.incident) : (nil, nil)
        isHidden = isForStaff && report.isHidden
        publishesPhotos = report.publishesPhotos
    }
}

/// A report that may be about the same animal.
struct ReportNearby: Encodable {
    let id: ReportID
    let metres: Double
    let submittedAt: Timestamp
}

/// One step of a report's status.
struct ReportChangeBody: Encodable {
    let position: String
    let from: ReportStatus
    let to: ReportStatus
    let by: UserID
    let note: String?
    let at: Timestamp
    /// When it was made, as the device says, where it came late.
    let occurredAt: Timestamp?

    init(_ change: ReportChange, keys: ReadingKeys) throws {
        position = "\(change.position)"
        from = change.from
        to = change.to
        by = change.by
        note = try change.note?.opened(with: keys).value
        (at, occurredAt) = (change.at, change.occurredAt)
    }
}

/// An agency by its name.
struct AgencyName: Encodable {
    let id: AgencyID
    let name: String
}

/// A photo of a report; its bytes are asked for by its id.
struct ReportPictureBody: Encodable {
    let id: SHA256Digest
    let mediaType: ChatAttachmentAdded.MediaType
    let width: Int
    let height: Int
    let at: Timestamp
    /// The member of staff who took it; absent for the reporter's.
    let by: UserID?
    /// Whether everybody may see it.
    let isPublic: Bool
    /// Where and when it was taken, as the camera wrote into the file.
    let origin: Fix?

    init(_ photo: ReportPhoto, of report: FieldReport, keys: ReadingKeys) throws {
        id = photo.blob
        mediaType = photo.mediaType
        (width, height) = (photo.width, photo.height)
        (at, by) = (photo.at, photo.by)
        isPublic = photo.isPublic(of: report)
        origin = try photo.origin?.opened(with: keys).value
    }
}

extension ReportPhoto {
    /// Whether everybody may see it: staff's where somebody said so, the reporter's where the reporter agreed and no
    /// moderator hid it.
    func isPublic(of report: FieldReport) -> Bool {
        isPublic ?? (by == nil && report.publishesPhotos)
    }
}

/// What a rescuer wrote.
struct ReportUpdateBody: Encodable {
    let position: String
    let text: String?
    let by: UserID
    let at: Timestamp

    init(_ update: ReportUpdate, keys: ReadingKeys) throws {
        position = "\(update.position)"
        text = try update.text.opened(with: keys).value
        (by, at) = (update.by, update.at)
    }
}

/// That an agency got the report.
struct ReportAssignmentBody: Encodable {
    let position: String
    let agency: AgencyName
    let rule: ReportAssigned.Rule
    let by: UserID?
    let reason: String?
    let at: Timestamp

    init(_ assignment: ReportAssignment, to agency: AgencyName, keys: ReadingKeys) throws {
        position = "\(assignment.position)"
        self.agency = agency
        rule = assignment.rule
        (by, at) = (assignment.by, assignment.at)
        reason = try assignment.reason?.opened(with: keys).value
    }
}

/// What gives a report to another agency.
struct AssignRequest: Decodable {
    let agency: AgencyID
    let reason: String?
}

/// What a rescuer writes.
struct UpdateRequest: Decodable {
    let text: String
}
