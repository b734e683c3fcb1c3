// SPDX-License-Identifier: Apache-2.0

/// What can happen to a field report of a citizen.
public enum ReportEvent: EventFamily {
    case submitted(ReportSubmitted)
    case statusChanged(ReportStatusChanged)
    case assigned(ReportAssigned)
    case photoAdded(ReportPhotoAdded)
    case updateAdded(ReportUpdateAdded)
    case joined(ReportJoined)
    case separated(ReportSeparated)
    case visibilitySet(ReportVisibilitySet)
    case attached(ReportAttached)
    case detached(ReportDetached)

    public static let kinds: [any EventPayload.Type] = [
        ReportSubmitted.self, ReportStatusChanged.self, ReportAssigned.self,
        ReportPhotoAdded.self, ReportUpdateAdded.self, ReportJoined.self, ReportSeparated.self,
        ReportVisibilitySet.self, ReportAttached.self, ReportDetached.self,
    ]

    public var fact: Fact { .report(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .submitted(let payload): payload
        case .statusChanged(let payload): payload
        case .assigned(let payload): payload
        case .photoAdded(let payload): payload
        case .updateAdded(let payload): payload
        case .joined(let payload): payload
        case .separated(let payload): payload
        case .visibilitySet(let payload): payload
        case .attached(let payload): payload
        case .detached(let payload): payload
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

    /// Whether it is the last one that a report comes to.
    public var isFinal: Bool {
        switch self {
        case .submitted, .acknowledged, .headingOut, .onScene: false
        case .rescued, .released, .deceased, .notFound, .stoodDown: true
        }
    }
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

    /// How it fares; of the dead, the stages of NOAA's Level A form (codes 2 to 5).
    public enum Condition: String, Codable, Hashable, Sendable, CaseIterable {
        case alive
        case injured
        case entangled
        case dead
        case freshDead = "fresh_dead"
        case moderatelyDecomposed = "moderately_decomposed"
        case advancedDecomposition = "advanced_decomposition"
        case mummified
        case unknown
    }
}

/// A report was given to an agency, which tells its members on duty.
public struct ReportAssigned: EventPayload {
    public static let row = EventKind(
        "report.assigned/1",
        ReportEvent.assigned,
        audience: .desk,
        timeline: true,
        summary: [
            .init("agency", \.agency), .init("rule", \.rule), .init("by", \.by),
            .init("reason", \.reason),
        ]
    )

    public let agency: AgencyID
    public let rule: Rule
    /// The reported place to a tenth of a degree, for statistics: it outlives the reporter's data. `36.8,-121.8`
    ///
    /// Nothing finer stands here, no distance either: from a few of them the place could be computed.
    public let cell: String
    /// Who chose the agency; `nil` where the rule did.
    public let by: UserID?
    /// Why, in that user's words; encrypted for the reporter.
    public let reason: Sealed<String>?

    public init(
        agency: AgencyID,
        rule: Rule,
        cell: String,
        by: UserID? = nil,
        reason: Sealed<String>? = nil
    ) {
        self.agency = agency
        self.rule = rule
        self.cell = cell
        self.by = by
        self.reason = reason
    }

    public var links: [SubjectLink] { [] }

    /// How the agency was found.
    public enum Rule: String, Codable, Hashable, Sendable, CaseIterable {
        /// The place lies in its area, and it takes such animals.
        case jurisdiction
        /// No area that counts has the place; of those that take such animals its base is the nearest.
        case nearest
        /// The agency before did not acknowledge in time.
        case timeout
        /// Somebody chose it.
        case manual
    }
}

/// A photo joined a report; its encrypted bytes lie in the blob folder.
public struct ReportPhotoAdded: EventPayload {
    public static let row = EventKind(
        "report.photo_added/1",
        ReportEvent.photoAdded,
        audience: .desk,
        timeline: true,
        summary: [
            .init("by", \.by), .init("mediaType", \.mediaType), .init("width", \.width),
            .init("height", \.height), .init("blob", \.blob), .init("origin", \.origin),
        ]
    )

    /// Its number among the reporter's own, from 1; `nil` for a photo by staff.
    public let number: Int?
    /// The member of staff who took it; `nil` for the reporter.
    public let by: UserID?
    /// Whose key encrypts it: the reporter.
    public let person: PersonID
    /// The digest of the encrypted file, which is its name.
    public let blob: SHA256Digest
    /// The length of the encrypted file.
    public let bytes: Int
    public let mediaType: ChatAttachmentAdded.MediaType
    /// In pixels, as the file says.
    public let width: Int
    public let height: Int
    /// Where and when it was taken, as the camera wrote into the file.
    public let origin: Sealed<Fix>?

    public init(
        number: Int?,
        by: UserID?,
        person: PersonID,
        blob: SHA256Digest,
        bytes: Int,
        mediaType: ChatAttachmentAdded.MediaType,
        width: Int,
        height: Int,
        origin: Sealed<Fix>? = nil
    ) {
        self.number = number
        self.by = by
        self.person = person
        self.blob = blob
        self.bytes = bytes
        self.mediaType = mediaType
        self.width = width
        self.height = height
        self.origin = origin
    }

    public var links: [SubjectLink] { [] }
}

/// A rescuer wrote how it goes.
public struct ReportUpdateAdded: EventPayload {
    public static let row = EventKind(
        "report.update_added/1",
        ReportEvent.updateAdded,
        audience: .desk,
        timeline: true,
        summary: [.init("by", \.by), .init("text", \.text)]
    )

    public let by: UserID
    /// Encrypted for the reporter.
    public let text: Sealed<String>

    public init(by: UserID, text: Sealed<String>) {
        self.by = by
        self.text = text
    }

    public var links: [SubjectLink] { [] }
}

/// A report turned out to be about the animal of another one, which goes on for both.
public struct ReportJoined: EventPayload {
    public static let row = EventKind(
        "report.joined/1",
        ReportEvent.joined,
        audience: .desk,
        timeline: true,
        summary: [.init("into", \.into), .init("by", \.by)]
    )

    public let into: ReportID
    public let by: UserID

    public init(into: ReportID, by: UserID) {
        (self.into, self.by) = (into, by)
    }

    public var links: [SubjectLink] { [] }
}

/// A report is about an animal of its own after all.
public struct ReportSeparated: EventPayload {
    public static let row = EventKind(
        "report.separated/1",
        ReportEvent.separated,
        audience: .desk,
        timeline: true,
        summary: [.init("by", \.by)]
    )

    public let by: UserID

    public init(by: UserID) {
        self.by = by
    }

    public var links: [SubjectLink] { [] }
}

/// What the public pages may show of a report was set: by the reporter's consent, or by staff.
public struct ReportVisibilitySet: EventPayload {
    public static let row = EventKind(
        "report.visibility_set/1",
        ReportEvent.visibilitySet,
        audience: .desk,
        timeline: true,
        summary: [
            .init("of", \.of), .init("photo", \.photo), .init("isPublic", \.isPublic),
            .init("by", \.by),
        ]
    )

    public let of: Part
    /// Which photo, by the name of its file, where one alone is meant.
    public let photo: SHA256Digest?
    public let isPublic: Bool
    /// The member of staff; `nil` for the reporter.
    public let by: UserID?

    public init(of part: Part, photo: SHA256Digest? = nil, isPublic: Bool, by: UserID? = nil) {
        (of, self.photo, self.isPublic, self.by) = (part, photo, isPublic, by)
    }

    public var links: [SubjectLink] { [] }

    /// What is shown or not.
    public enum Part: String, Codable, Hashable, Sendable, CaseIterable {
        case report
        /// All photos of the reporter: the consent.
        case reporterPhotos = "reporter_photos"
        case photo
    }
}

/// A report came to belong to an incident, and to no other any more.
public struct ReportAttached: EventPayload {
    public static let row = EventKind(
        "report.attached/1",
        ReportEvent.attached,
        audience: .desk,
        timeline: true,
        linksDigest: 0xD8E1_C80C,
        summary: [.init("incident", \.incident), .init("by", \.by)]
    )

    public let incident: IncidentID
    public let by: UserID

    public init(to incident: IncidentID, by: UserID) {
        (self.incident, self.by) = (incident, by)
    }

    public var links: [SubjectLink] { [.member(.incident(incident))] }
}

/// A report belongs to no incident any more.
public struct ReportDetached: EventPayload {
    public static let row = EventKind(
        "report.detached/1",
        ReportEvent.detached,
        audience: .desk,
        timeline: true,
        summary: [.init("by", \.by)]
    )

    public let by: UserID

    public init(by: UserID) {
        self.by = by
    }

    public var links: [SubjectLink] { [] }
}
