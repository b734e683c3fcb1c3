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

    static let selection = """
        SELECT id, number, org, reporter, status, species, size_class, condition, fix, notes, contact,
        photos, submitted_at, changed_at, changed_by, revision FROM report
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

    init(_ row: inout RowReader) throws {
        position = try row.position()
        from = try row.word()
        to = try row.word()
        by = try row.value()
        note = try row.optionalSealed()
        at = try row.time()
    }
}
