// SPDX-License-Identifier: Apache-2.0
import Events
import Projections

/// A place of a tour as the interface shows it.
struct PatrolPointBody: Encodable {
    let id: PatrolPointID
    let site: String
    let name: String
    let latitude: Double
    let longitude: Double
    let radiusMetres: Double
    let definedAt: Timestamp

    init(_ point: PatrolPoint) {
        id = point.id
        site = point.site
        name = point.name
        latitude = point.latitude
        longitude = point.longitude
        radiusMetres = point.radiusMetres
        definedAt = point.definedAt
    }
}

/// A scan as the interface shows it; personal members are absent once the guard was erased.
struct CheckInBody: Encodable {
    /// The place in the log, as text; also the cursor of lists.
    let position: String
    /// Absent for a scan that names no known place.
    let point: PatrolPointID?
    let guardID: UserID
    /// Why it does not count; absent for one that does.
    let refusal: PatrolCheckInRefused.Reason?
    let at: Timestamp
    let occurredAt: Timestamp?
    let offline: Bool
    let fix: Fix?
    let distanceMetres: Double?
    let note: String?

    init(_ scan: CheckIn, keys: ReadingKeys) throws {
        position = "\(scan.position)"
        point = scan.point
        guardID = scan.guardID
        refusal = scan.refusal
        at = scan.at
        occurredAt = scan.occurredAt
        offline = scan.offline
        fix = try scan.fix?.opened(with: keys).value
        distanceMetres = try scan.distanceMetres?.opened(with: keys).value
        note = try scan.note?.opened(with: keys).value
    }
}
