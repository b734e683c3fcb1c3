// SPDX-License-Identifier: Apache-2.0
/// Somebody reported a stranded or hurt animal.
public struct ReportSubmitted: EventPayload {
    public static let kind: Kind = "report.submitted/1"

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
