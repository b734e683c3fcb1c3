// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Projections

/// What everybody may know of reports, and how much of it is shown.
enum PublicRescue {
    /// The grid, in parts of a degree, to which a place is rounded: a hundredth is about a kilometre.
    ///
    /// Who reports from a garden or a lonely beach is not found by it.
    static let partsOfDegree = 100.0
    /// How long after its submission a report is shown: whoever means harm to an animal, or to its reporter, comes too late.
    static let delay = Duration.seconds(30 * 60)
    /// How long a closed report is shown; a successful rescue with a photo stays in the gallery.
    static let pastTime = Duration.seconds(14 * 86_400)
    /// How long what was read is shown again, to however many visitors.
    static let freshness = Duration.seconds(30)
    /// Reports that are read, of the active, of the past and of those for the gallery: the newest.
    static let reportsMax = 500
    /// Reports on one page.
    static let rowsMax = 100
    /// How far away a report is still near the visitor.
    static let nearMetres = 100_000.0
    /// Sides in pixels of the public copies of a photo.
    static let photoSides = (small: 480, large: 1_280)
}

/// What everybody may know of one report: no notes, no contact, no reporter, the place rounded, the time to the hour.
struct PublicCopy: Sendable {
    let id: ReportID
    let species: String
    let sizeClass: ReportSubmitted.SizeClass
    let condition: ReportSubmitted.Condition
    let status: ReportStatus
    let agency: AgencyID?
    let agencyName: String?
    /// Rounded; see ``PublicRescue/partsOfDegree``.
    let place: Fix
    /// The hour in which it was submitted, and in which it was closed.
    let submitted: Timestamp
    let closed: Timestamp?
    /// Whether it is active, or was closed in the last ``PublicRescue/pastTime``.
    let isRecent: Bool
    /// Those that everybody may see, oldest first.
    let photos: [ReportPhoto]

    /// Makes the public copy of a report; `nil` for one that is not public, or not yet, or not any more.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - photos: All its photos.
    ///   - agencyName: What its agency is called.
    ///   - keys: Open its place; one that was erased is nowhere, and its report is not public.
    ///   - now: Decides whether it is old enough, and not too old.
    /// - Throws: When its place cannot be opened.
    init?(
        _ report: FieldReport,
        _ photos: [ReportPhoto],
        agencyName: String?,
        keys: ReadingKeys,
        at now: Timestamp
    ) throws {
        guard !report.isHidden, report.joinedTo == nil, report.agency != nil,
            report.submittedAt + PublicRescue.delay <= now,
            let fix = try report.fix.opened(with: keys).value
        else { return nil }
        let shown = photos.filter { $0.mediaType == .jpeg && $0.isPublic(of: report) }
        isRecent =
            !report.status.isFinal
            || now < report.changedAt + PublicRescue.pastTime
        guard isRecent || report.status.isSuccess && !shown.isEmpty else { return nil }
        id = report.id
        // What staff or a phone wrote in its place is nobody else's to read.
        species = PublicReportRoutes.types.contains(report.species) ? report.species : "other"
        (sizeClass, condition, status) = (report.sizeClass, report.condition, report.status)
        agency = report.agency
        self.agencyName = agencyName
        place = fix.rounded
        submitted = report.submittedAt.beginningOfHour
        closed = report.status.isFinal ? report.changedAt.beginningOfHour : nil
        self.photos = shown
    }

    /// By passers-by, as the animal was found.
    var before: ReportPhoto? { photos.first { $0.by == nil } }
    /// By staff, the last that they showed.
    var after: ReportPhoto? { photos.last { $0.by != nil } }

    /// Where a photo's public copy is had.
    func path(of photo: ReportPhoto, _ size: PhotoSize) -> String {
        "/v1/public/reports/\(id)/photos/\(photo.blob.text)?size=\(size.rawValue)"
    }

    /// How large a photo's public copy is.
    enum PhotoSize: String, CaseIterable {
        case small, large

        var maxSide: Int {
            switch self {
            case .small: PublicRescue.photoSides.small
            case .large: PublicRescue.photoSides.large
            }
        }
    }
}

/// An agency as everybody may know it, with its place on the map.
struct PublicAgency: Sendable {
    let card: AgencyCard
    /// The animals that it takes; empty for all.
    let types: [String]
    let area: Area?
    let base: Fix?

    /// `nil` for one that was never set up.
    init?(_ agency: Agency) {
        guard let card = AgencyCard(agency), let definition = agency.definition else { return nil }
        self.card = card
        types = definition.types
        area = definition.area
        base = definition.base?.fix
    }

    /// Where a visitor of its region looks: the base, or a corner of the area.
    var centre: Fix? {
        if let base { return base.rounded }
        guard let ring = area?.polygons.first?.first, ring.count >= 2 else { return nil }
        return Fix(latitude: ring[1], longitude: ring[0]).rounded
    }
}

extension ReportStatus {
    /// Whether the animal was helped.
    var isSuccess: Bool { self == .rescued || self == .released }
}

extension Fix {
    /// The place as everybody may know it, and nothing else of the measurement.
    var rounded: Fix {
        func rounded(_ degrees: Double) -> Double {
            (degrees * PublicRescue.partsOfDegree).rounded() / PublicRescue.partsOfDegree
        }
        return Fix(latitude: rounded(latitude), longitude: rounded(longitude))
    }
}

extension Timestamp {
    /// The full hour in UTC in which the moment lies.
    fileprivate var beginningOfHour: Timestamp {
        let hour: Int64 = 3_600_000_000
        return Timestamp(microseconds: microseconds - ((microseconds % hour) + hour) % hour)
    }
}
