// SPDX-License-Identifier: Apache-2.0

/// What can happen to a field report of a citizen.
public enum ReportEvent: EventFamily {
    case submitted(ReportSubmitted)
    case statusChanged(ReportStatusChanged)

    public static let kinds: [any EventPayload.Type] = [
        ReportSubmitted.self, ReportStatusChanged.self,
    ]

    public var fact: Fact { .report(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .submitted(let payload): payload
        case .statusChanged(let payload): payload
        }
    }
}

/// How far a report has come (ruling 25).
public enum ReportStatus: String, Codable, Hashable, Sendable, CaseIterable {
    case submitted, acknowledged
    case headingOut = "heading_out"
    case onScene = "on_scene"
    case rescued, released, deceased
    case notFound = "not_found"
    case stoodDown = "stood_down"
}

/// A rescuer moved the report along.
public struct ReportStatusChanged: EventPayload {
    public static let row = EventKind(
        "report.status_changed/1",
        ReportEvent.statusChanged,
        audience: .desk,
        timeline: true,
        summary: [
            .init("from", \.from), .init("to", \.to), .init("by", \.by), .init("note", \.note),
        ]
    )

    public let from: ReportStatus
    public let to: ReportStatus
    public let by: UserID
    public let note: Sealed<String>?

    public init(from: ReportStatus, to: ReportStatus, by: UserID, note: Sealed<String>? = nil) {
        self.from = from
        self.to = to
        self.by = by
        self.note = note
    }

    public var links: [SubjectLink] { [] }
}

/// Somebody reported a stranded or hurt animal.
public struct ReportSubmitted: EventPayload {
    public static let row = EventKind(
        "report.submitted/1",
        ReportEvent.submitted,
        audience: .desk,
        timeline: true,
        linksDigest: 0x6694_46EF,
        summary: [
            .init("species", \.species), .init("sizeClass", \.sizeClass),
            .init("condition", \.condition), .init("fix", \.fix), .init("notes", \.notes),
            .init("contact", \.contact), .init("photos", \.photos.count),
        ]
    )

    public let reporter: PersonID
    public let fix: Sealed<Fix>
    public let species: String
    public let sizeClass: SizeClass
    public let condition: Condition
    public let notes: Sealed<String>?
    public let contact: Sealed<String>?
    public let photos: [SHA256Digest]

    public init(
        reporter: PersonID,
        fix: Sealed<Fix>,
        species: String,
        sizeClass: SizeClass,
        condition: Condition,
        notes: Sealed<String>? = nil,
        contact: Sealed<String>? = nil,
        photos: [SHA256Digest]
    ) {
        self.reporter = reporter
        self.fix = fix
        self.species = species
        self.sizeClass = sizeClass
        self.condition = condition
        self.notes = notes
        self.contact = contact
        self.photos = photos
    }

    public var links: [SubjectLink] {
        [.owner(.person(reporter))]
    }

    /// How big the animal is.
    public enum SizeClass: String, Codable, Hashable, Sendable, CaseIterable {
        case small
        case medium
        case large
    }

    /// How it fares.
    public enum Condition: String, Codable, Hashable, Sendable, CaseIterable {
        case alive
        case injured
        case entangled
        case dead
        case unknown
    }
}
