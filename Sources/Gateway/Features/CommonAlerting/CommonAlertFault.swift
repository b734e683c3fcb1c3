// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A rule of CAP 1.2 that an alert breaks, mostly one that the schema does not know.
struct CommonAlertFault: Error, Hashable {
    /// The element, counted from 1: `info[1]/area[2]/polygon[1]`.
    let element: String
    let rule: Rule

    /// The fact and the way out, for the person who wrote the alert.
    var words: String { "\(element) \(rule.rawValue)" }

    /// The broken rule, in words that follow the element's name.
    enum Rule: String, CaseIterable {
        case empty = "is empty; give it a value"
        case reserved = "has a space, comma, <, & or control character; take it out"
        case quote = "has a double quote, which ends an item of the list; take it out"
        case time = "is not between the years 1970 and 9999; correct the time"
        case restrictionMissing =
            "is missing; scope Restricted needs it: say who may have the alert"
        case restrictionUnused = "is for scope Restricted only; remove it or change the scope"
        case addressesMissing = "is missing; scope Private needs it: name the recipients"
        case referencesMissing = "is missing; only msgType Alert can do without: name the messages"
        case ownReference = "names this alert itself; give the alert a new identifier"
        case categoryMissing = "is missing; choose at least one"
        case language = "is not a language tag such as en or de-AT; correct it or leave it out"
        case web = "is not an absolute URI; write it with its scheme, such as https:"
        case expired = "is before sent or effective; choose a later time"
        case pointsFew = "has fewer than four points; draw at least a triangle and close it"
        case pointsMany = "has more than 1,000 points; simplify it"
        case open = "is open; repeat the first point at the end"
        case offEarth = "has a point outside ±90° latitude or ±180° longitude; write latitude first"
        case sideWide = "has a side wider than 180°; cut it in two at the 180th meridian"
        case crossing = "crosses or touches itself, or has no area; draw it as separate polygons"
        case radius = "has a radius outside 0 to 20,038 km; correct it"
        case altitude = "is not between -100,000 and 1,000,000 feet; correct it"
        case ceilingAlone = "is given without altitude; add the lower limit"
        case ceilingLow = "is below altitude; exchange the two"
    }
}

extension CommonAlert {
    /// The most points of a polygon: the check of its sides is quadratic.
    static let polygonPointsMax = 1_000
    /// Half of the Earth's circumference: a circle of this radius covers all.
    static let radiusKilometresMax = 20_038.0
    /// From the deepest mine to the highest orbit that an alert may concern.
    static let feetRange = -100_000.0...1_000_000.0

    /// The first broken rule in the order of the document; `nil` if the alert may be sent.
    ///
    /// Cannot know whether the messages in `references` exist.
    /// Quadratic in the points of each polygon.
    func fault() -> CommonAlertFault? {
        do throws(CommonAlertFault) {
            try checkMessage()
            for (path, info) in numbered(infos, "info") { try info.check(path, sent: sent) }
            return nil
        } catch {
            return error
        }
    }

    private func checkMessage() throws(CommonAlertFault) {
        try requireName(identifier, "identifier")
        try requireName(sender, "sender")
        try requireTime(sent, "sent")
        let isRestricted = scope == .restricted
        let hasRestriction = !XMLWriter.isBlank(restriction ?? "")
        try require(!isRestricted || hasRestriction, "restriction", .restrictionMissing)
        try require(isRestricted || !hasRestriction, "restriction", .restrictionUnused)
        try require(scope != .private || !addresses.isEmpty, "addresses", .addressesMissing)
        try requireList(addresses, "addresses")
        for (path, code) in numbered(codes, "code") { try requireText(code, path) }
        try require(msgType == .alert || !references.isEmpty, "references", .referencesMissing)
        for (path, reference) in numbered(references, "references") {
            try requireName(reference.sender, path + "/sender")
            try requireName(reference.identifier, path + "/identifier")
            try requireTime(reference.sent, path + "/sent")
            let isOwn = reference.sender == sender && reference.identifier == identifier
            try require(!isOwn, path, .ownReference)
        }
        try requireList(incidents, "incidents")
    }
}

extension CommonAlert.Info {
    fileprivate func check(_ path: String, sent: Date) throws(CommonAlertFault) {
        try require(language.map(Self.isLanguageTag) ?? true, path + "/language", .language)
        try require(!categories.isEmpty, path + "/category", .categoryMissing)
        try requireText(event, path + "/event")
        for (name, time) in [("effective", effective), ("onset", onset), ("expires", expires)] {
            try requireTime(time, "\(path)/\(name)")
        }
        // Onset is free: information may expire before the event begins, and be renewed.
        let start = max(sent, effective ?? sent)
        try require(expires ?? start >= start, path + "/expires", .expired)
        try require(web.map { $0.scheme != nil } ?? true, path + "/web", .web)
        for (path, parameter) in numbered(parameters, path + "/parameter") {
            try requireText(parameter.name, path + "/valueName")
        }
        for (path, area) in numbered(areas, path + "/area") { try area.check(path) }
    }

    /// The form that `xs:language` asks for.
    private static func isLanguageTag(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*/) != nil
    }
}

extension CommonAlert.Area {
    fileprivate func check(_ path: String) throws(CommonAlertFault) {
        try requireText(description, path + "/areaDesc")
        for (path, ring) in numbered(polygons, path + "/polygon") { try Self.check(ring, path) }
        for (path, circle) in numbered(circles, path + "/circle") {
            try require(circle.centre.isOnEarth, path, .offEarth)
            let radii = 0...CommonAlert.radiusKilometresMax
            try require(radii.contains(circle.radiusKilometres), path, .radius)
        }
        for (path, geocode) in numbered(geocodes, path + "/geocode") {
            try requireText(geocode.name, path + "/valueName")
        }
        let feet = CommonAlert.feetRange
        try require(feet.contains(altitude ?? 0), path + "/altitude", .altitude)
        try require(feet.contains(ceiling ?? 0), path + "/ceiling", .altitude)
        guard let ceiling else { return }
        try require(altitude != nil, path + "/ceiling", .ceilingAlone)
        try require(ceiling >= altitude ?? ceiling, path + "/ceiling", .ceilingLow)
    }

    private static func check(_ ring: [CommonAlert.Point], _ path: String)
        throws(CommonAlertFault)
    {
        try require(ring.count >= 4, path, .pointsFew)
        try require(ring.count <= CommonAlert.polygonPointsMax, path, .pointsMany)
        try require(ring.allSatisfy(\.isOnEarth), path, .offEarth)
        try require(ring.first == ring.last, path, .open)
        // Receivers read degrees as a plane, so such a side would cover the rest of the world.
        let sides = zip(ring, ring.dropFirst())
        let isNarrow = sides.allSatisfy { abs($0.longitude - $1.longitude) <= 180 }
        try require(isNarrow, path, .sideWide)
        try require(!Ring(ring).meetsItself, path, .crossing)
    }
}

extension CommonAlert.Point {
    fileprivate var isOnEarth: Bool {
        (-90...90).contains(latitude) && (-180...180).contains(longitude)
    }
}

/// A closed ring in a plane of millionths of a degree, so that every comparison is exact.
private struct Ring {
    /// Each corner once, no two neighbours equal.
    private var corners: [SIMD2<Int>] = []

    /// - Parameter points: On Earth, the last equal to the first.
    init(_ points: [CommonAlert.Point]) {
        for point in points.dropLast() {
            let degrees = SIMD2(point.longitude, point.latitude) * 1e6
            let corner = SIMD2<Int>(degrees.rounded(.toNearestOrEven))
            if corner != corners.last { corners.append(corner) }
        }
        if corners.count > 1, corners.first == corners.last { corners.removeLast() }
    }

    /// Tells whether two sides cross, touch or overlap elsewhere than in their common corner.
    var meetsItself: Bool {
        let count = corners.count
        guard count >= 3 else { return true }
        return corners.indices.contains { first in
            let (a, b) = (corners[first], corners[(first + 1) % count])
            let next = corners[(first + 2) % count]
            if Self.turn(a, b, next) == 0, ((b &- a) &* (next &- b)).wrappedSum() < 0 {
                return true
            }
            return corners.indices.dropFirst(first + 2).contains { second in
                let isNeighbour = first == 0 && second == count - 1
                let (c, d) = (corners[second], corners[(second + 1) % count])
                return !isNeighbour && Self.meet(a, b, c, d)
            }
        }
    }

    /// Whether side a–b and side c–d have a point in common: their boxes do, and each has its ends
    /// on both sides of the other, or on it.
    private static func meet(_ a: SIMD2<Int>, _ b: SIMD2<Int>, _ c: SIMD2<Int>, _ d: SIMD2<Int>)
        -> Bool
    {
        all(pointwiseMin(a, b) .<= pointwiseMax(c, d))
            && all(pointwiseMin(c, d) .<= pointwiseMax(a, b))
            && turn(a, b, c) * turn(a, b, d) <= 0 && turn(c, d, a) * turn(c, d, b) <= 0
    }

    /// 1 for a left turn at b, −1 for a right one, 0 for none.
    private static func turn(_ a: SIMD2<Int>, _ b: SIMD2<Int>, _ c: SIMD2<Int>) -> Int {
        let (ab, ac) = (b &- a, c &- a)
        return (ab.x * ac.y - ab.y * ac.x).signum()
    }
}

private func numbered<Item>(_ items: [Item], _ name: String) -> [(path: String, item: Item)] {
    items.enumerated().map { ("\(name)[\($0.offset + 1)]", $0.element) }
}

private func require(_ holds: Bool, _ path: String, _ rule: CommonAlertFault.Rule)
    throws(CommonAlertFault)
{
    if !holds { throw CommonAlertFault(element: path, rule: rule) }
}

private func requireText(_ text: String, _ path: String) throws(CommonAlertFault) {
    try require(!XMLWriter.isBlank(text), path, .empty)
}

/// An identifier or a sender: what it may not have is what would end it in `references`.
private func requireName(_ text: String, _ path: String) throws(CommonAlertFault) {
    try require(!text.isEmpty, path, .empty)
    let isFree = text.unicodeScalars.allSatisfy {
        XMLWriter.isCarried($0) && !$0.properties.isWhitespace && !",<&".unicodeScalars.contains($0)
    }
    try require(isFree, path, .reserved)
}

private func requireList(_ items: [String], _ name: String) throws(CommonAlertFault) {
    for (path, item) in numbered(items, name) {
        try requireText(item, path)
        try require(!item.unicodeScalars.contains("\""), path, .quote)
    }
}

private func requireTime(_ date: Date?, _ path: String) throws(CommonAlertFault) {
    let seconds = date?.timeIntervalSince1970 ?? 0
    try require(XMLWriter.secondsRange.contains(seconds), path, .time)
}
