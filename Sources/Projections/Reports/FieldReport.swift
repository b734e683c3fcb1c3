// SPDX-License-Identifier: Apache-2.0
public import Events

/// One report of a stranded or hurt animal, as it stands.
public struct FieldReport: Hashable, Sendable {
    public let id: ReportID
    public let submittedPosition: LogPosition
    public let organisation: OrganisationID
    public let reporter: PersonID
    public let status: ReportStatus
    public let species: String
    public let sizeClass: ReportSubmitted.SizeClass
    public let condition: ReportSubmitted.Condition
    public let fix: Sealed<Fix>
    public let notes: Sealed<String>?
    public let contact: Sealed<String>?
    public let photos: [SHA256Digest]
    public let submittedAt: Timestamp
    public let changedAt: Timestamp
    public let changedBy: UserID?
    /// What a decision on this state names.
    public let revision: Revision
    /// Which agency has it, and since when.
    public let agency: AgencyID?
    public let assignedAt: Timestamp?
    /// Whether somebody still has something to do with it.
    public let isOpen: Bool
    /// The reported place to a tenth of a degree; it outlives the reporter's data.
    public let cell: String?
    /// The report that goes on for both, where this one is about the same animal.
    public let joinedTo: ReportID?
    /// Whether a moderator keeps it from the public.
    public let isHidden: Bool
    /// Whether the reporter agreed that everybody may see the photos.
    public let publishesPhotos: Bool
    /// Where it stood before the last step.
    public let previous: ReportStatus?
    /// The incident that it belongs to.
    public let incident: IncidentID?

    static let selection = """
        SELECT id, number, org, reporter, status, species, size_class, condition, fix, notes, contact,
        photos, submitted_at, changed_at, changed_by, revision, agency, assigned_at, is_open, cell,
        joined_to, is_hidden, publishes_photos, previous, incident FROM report
        """

    init(_ row: inout RowReader) throws {
        id = try row.value()
        submittedPosition = try row.position()
        organisation = try row.value()
        reporter = try row.value()
        status = try row.word()
        species = try row.text()
        sizeClass = try row.word()
        condition = try row.word()
        fix = try row.sealed()
        notes = try row.optionalSealed()
        contact = try row.optionalSealed()
        photos = try row.text().split(separator: " ").compactMap { SHA256Digest(String($0)) }
        submittedAt = try row.time()
        changedAt = try row.time()
        changedBy = try row.optional()
        revision = Revision(UInt64(max(0, try row.integer())))
        agency = try row.optional()
        assignedAt = try row.optionalTime()
        isOpen = try row.integer() == 1
        cell = try row.optionalText()
        joinedTo = try row.optional()
        isHidden = try row.integer() == 1
        publishesPhotos = try row.integer() == 1
        previous = try row.optionalWord()
        incident = try row.optional()
    }
}

/// One step of a report's status.
public struct ReportChange: Hashable, Sendable {
    public let position: LogPosition
    public let from: ReportStatus
    public let to: ReportStatus
    public let by: UserID
    public let note: Sealed<String>?
    public let at: Timestamp
    /// When it was made, as the device says, where it came late.
    public let occurredAt: Timestamp?

    init(_ row: inout RowReader) throws {
        position = try row.position()
        from = try row.word()
        to = try row.word()
        by = try row.value()
        note = try row.optionalSealed()
        at = try row.time()
        occurredAt = try row.optionalTime()
    }
}

/// That an agency got a report.
public struct ReportAssignment: Hashable, Sendable {
    public let position: LogPosition
    public let agency: AgencyID
    public let rule: ReportAssigned.Rule
    public let by: UserID?
    public let reason: Sealed<String>?
    public let at: Timestamp

    static let selection =
        "SELECT position, agency, rule, by, reason, at FROM report_assignment"

    init(_ row: inout RowReader) throws {
        position = try row.position()
        agency = try row.value()
        rule = try row.word()
        by = try row.optional()
        reason = try row.optionalSealed()
        at = try row.time()
    }
}

/// A photo of a report.
public struct ReportPhoto: Hashable, Sendable {
    public let position: LogPosition
    /// The digest of its encrypted file, by which it is asked for.
    public let blob: SHA256Digest
    /// Whose key encrypts it.
    public let person: PersonID
    public let mediaType: ChatAttachmentAdded.MediaType
    public let width: Int
    public let height: Int
    public let by: UserID?
    public let at: Timestamp
    /// Where and when it was taken, as the camera wrote into the file.
    public let origin: Sealed<Fix>?
    /// Whether everybody may see it, where somebody said so of this one.
    public let isPublic: Bool?

    static let selection = """
        SELECT position, blob, person, media_type, width, height, by, at, origin, is_public
        FROM report_photo
        """

    init(_ row: inout RowReader) throws {
        position = try row.position()
        guard let digest = SHA256Digest(try row.text()) else {
            throw ReadModelError.damaged("column blob should hold a digest")
        }
        blob = digest
        person = try row.value()
        mediaType = try row.word()
        width = try row.integer()
        height = try row.integer()
        by = try row.optional()
        at = try row.time()
        origin = try row.optionalSealed()
        isPublic = try row.optionalInteger().map { $0 == 1 }
    }
}

/// How a rescuer said that it goes.
public struct ReportUpdate: Hashable, Sendable {
    public let position: LogPosition
    public let by: UserID
    public let text: Sealed<String>
    public let at: Timestamp

    static let selection = "SELECT position, by, words, at FROM report_update"

    init(_ row: inout RowReader) throws {
        position = try row.position()
        by = try row.value()
        text = try row.sealed()
        at = try row.time()
    }
}
