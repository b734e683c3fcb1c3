// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// A map as SVG, which needs neither script nor tiles: a grid of degrees, agencies' areas and bases, and a dot for each report.
struct ReportMap {
    private let view: MapView
    private let words: PublicWords

    /// A map around a visitor, or of all that is given.
    init(
        of agencies: [PublicAgency],
        _ reports: [PublicCopy] = [],
        around centre: Fix? = nil,
        height: Double = 300,
        words: PublicWords
    ) {
        let corners = agencies.flatMap { agency in
            (agency.base.map { [$0] } ?? []) + (agency.area?.corners ?? [])
        }
        view = MapView(
            showing: corners + reports.map(\.place),
            around: centre,
            height: height
        )
        self.words = words
        self.agencies = agencies
        self.reports = reports
        self.centre = centre
    }

    private let agencies: [PublicAgency]
    private let reports: [PublicCopy]
    private let centre: Fix?

    /// - Parameters:
    ///   - label: What the map shows.
    ///   - link: Where a report's dot leads.
    /// - Returns: The element `svg`, whose looks come from the pages' style sheet.
    func svg(label: String, link: (PublicCopy) -> String = { "\($0.id)" }) -> HTML {
        """
        <svg class="map" viewBox="0 0 \(MapView.width.svg) \(view.height.svg)" role="group" \
        aria-label="\(label)">
        <rect class="ground" width="\(MapView.width.svg)" height="\(view.height.svg)"/>
        \(agencies.map(area))\(grid)\(agencies.map(base))\(visitor)
        \(reports.map { dot($0, link($0)) })
        </svg>
        """
    }

    private func area(_ agency: PublicAgency) -> HTML {
        guard let area = agency.area else { return "" }
        let path = area.polygons.flatMap { $0 }.map(view.path).joined()
        return """
            <path class="area" fill-rule="evenodd" d="\(path)"><title>\(agency.card.name)</title></path>

            """
    }

    private func base(_ agency: PublicAgency) -> HTML {
        guard let base = agency.base else { return "" }
        let (x, y) = view.point(base)
        return """
            <path class="base" d="M\((x - 5).svg),\((y + 5).svg)v-6l5,-5l5,5v6z">\
            <title>\(agency.card.name)</title></path>

            """
    }

    private var visitor: HTML? {
        centre.map { centre in
            let (x, y) = view.point(centre)
            return """
                <path class="visitor" d="M\((x - 6).svg),\(y.svg)h12M\(x.svg),\((y - 6).svg)v12">\
                <title>\(words("map.near"))</title></path>
                """
        }
    }

    private func dot(_ report: PublicCopy, _ link: String) -> HTML {
        let (x, y) = view.point(report.place)
        let name = words.term("species", report.species)
        let title = "\(name): \(words.term("status", report.status.rawValue))"
        let (id, latitude) = ("\(report.id)", "\(report.place.latitude)")
        return """
            <a class="dot \(report.status.isFinal ? "past" : "active")" href="\(link)" \
            data-id="\(id)" data-latitude="\(latitude)" \
            data-longitude="\("\(report.place.longitude)")"><title>\(title)</title>\
            <circle class="touch" cx="\(x.svg)" cy="\(y.svg)" r="14"/>\
            <circle cx="\(x.svg)" cy="\(y.svg)" r="6"/></a>

            """
    }

    // MARK: The grid of degrees

    private var grid: HTML {
        let (step, digits) = view.gridStep
        let parallels = MapView.multiples(of: step, in: view.latitudes).map { latitude -> HTML in
            let y = view.point(Fix(latitude: latitude, longitude: view.middleLongitude)).y
            let label = degrees(latitude, digits, "north", "south")
            return """
                <path class="degree" d="M0,\(y.svg)H\(MapView.width.svg)"/>\
                <text x="4" y="\((y - 3).svg)">\(label)</text>

                """
        }
        let meridians = MapView.multiples(of: step, in: view.longitudes).map { longitude -> HTML in
            let x = view.x(ofUnwrapped: longitude)
            // At the border there is no room for it.
            let label =
                x < MapView.width - MapView.linesApart
                ? degrees(longitude.wrapped, digits, "east", "west") : ""
            return """
                <path class="degree" d="M\(x.svg),0V\(view.height.svg)"/>\
                <text x="\((x + 3).svg)" y="\((view.height - 4).svg)">\(label)</text>

                """
        }
        return "<g aria-hidden=\"true\">\(parallels)\(meridians)</g>\n"
    }

    private func degrees(
        _ value: Double,
        _ digits: Int,
        _ positive: String,
        _ negative: String
    ) -> String {
        let side = words("map." + (value < 0 ? negative : positive))
        return "\(words.number(abs(value), digits: digits))° \(side)"
    }
}

/// Which part of the Earth a map shows, and where on it a place lies: degrees of longitude are drawn shorter towards the poles.
private struct MapView {
    static let width = 400.0
    let height: Double
    /// The meridian in the middle, east of −180; places are drawn on the side of the date line that is nearer to it.
    let middleLongitude: Double
    private let middleLatitude: Double
    /// Units of the drawing for a degree of latitude.
    private let scale: Double
    private let narrowing: Double

    /// Around a visitor so many degrees of latitude are seen each way: some 70 km.
    private static let around = 0.65
    /// Degrees of latitude that a map shows at least, and the part of it that stays free at its borders.
    private static let heightLeast = 0.12
    private static let margin = 0.1
    /// Degrees between lines, and the digits that they need.
    private static let steps: [(Double, Int)] = [
        (0.02, 2), (0.05, 2), (0.1, 1), (0.2, 1), (0.5, 1), (1, 0), (2, 0), (5, 0), (10, 0),
        (20, 0), (45, 0), (90, 0),
    ]
    /// Units between two lines at least, so that their labels have room.
    static let linesApart = 62.0
    /// Units between two corners of an outline at least: others are left out.
    private static let cornersApart = 1.5

    init(showing places: [Fix], around centre: Fix?, height: Double) {
        self.height = height
        let reference = (centre ?? places.first)?.longitude ?? 0
        let longitudes = places.map { $0.longitude.beside(reference) }
        let latitudes = places.map(\.latitude)
        let (west, east) = (longitudes.min() ?? -180, longitudes.max() ?? 180)
        let (south, north) = (latitudes.min() ?? -60, latitudes.max() ?? 75)
        middleLatitude = centre?.latitude ?? (south + north) / 2
        middleLongitude = centre?.longitude ?? (west + east) / 2
        narrowing = max(0.1, cos(middleLatitude * .pi / 180))
        let degreesHigh = centre == nil ? max(Self.heightLeast, north - south) : 2 * Self.around
        let degreesWide = centre == nil ? east - west : 0
        let free = 1 - 2 * Self.margin
        scale = min(
            height * free / degreesHigh,
            degreesWide > 0 ? Self.width * free / (degreesWide * narrowing) : .infinity
        )
    }

    func point(_ place: Fix) -> (x: Double, y: Double) {
        (
            x(ofUnwrapped: place.longitude.beside(middleLongitude)),
            height / 2 - (place.latitude - middleLatitude) * scale
        )
    }

    func x(ofUnwrapped longitude: Double) -> Double {
        Self.width / 2 + (longitude - middleLongitude) * scale * narrowing
    }

    var latitudes: ClosedRange<Double> {
        let half = height / 2 / scale
        return max(-90, middleLatitude - half)...min(90, middleLatitude + half)
    }

    /// May go beyond ±180.
    var longitudes: ClosedRange<Double> {
        let half = Self.width / 2 / (scale * narrowing)
        return (middleLongitude - half)...(middleLongitude + half)
    }

    var gridStep: (Double, digits: Int) {
        Self.steps.first { $0.0 * scale * narrowing >= Self.linesApart } ?? (90, 0)
    }

    /// The multiples of a step that lie in a range.
    static func multiples(of step: Double, in range: ClosedRange<Double>) -> [Double] {
        let first = Int((range.lowerBound / step).rounded(.up))
        let last = Int((range.upperBound / step).rounded(.down))
        return first <= last ? (first...last).map { Double($0) * step } : []
    }

    /// A ring as path data, without corners that nobody would see.
    func path(_ ring: [Double]) -> String {
        var (text, last) = ("", (x: Double.infinity, y: Double.infinity))
        for index in stride(from: 0, to: ring.count - 1, by: 2) {
            let at = point(Fix(latitude: ring[index + 1], longitude: ring[index]))
            guard abs(at.x - last.x) + abs(at.y - last.y) >= Self.cornersApart else { continue }
            text += "\(text.isEmpty ? "M" : "L")\(at.x.svg),\(at.y.svg)"
            last = at
        }
        return text.isEmpty ? "" : text + "Z"
    }
}

extension Area {
    fileprivate var corners: [Fix] {
        polygons.flatMap { $0 }.flatMap { ring in
            stride(from: 0, to: ring.count - 1, by: 2).map {
                Fix(latitude: ring[$0 + 1], longitude: ring[$0])
            }
        }
    }
}

extension Double {
    /// To a tenth of a unit of the drawing.
    fileprivate var svg: String {
        let tenths = (self * 10).rounded() / 10
        return tenths == tenths.rounded() ? String(format: "%.0f", tenths) : "\(tenths)"
    }

    /// The same meridian, at most half the Earth from another one.
    fileprivate func beside(_ other: Double) -> Double {
        self + 360 * ((other - self) / 360).rounded()
    }

    /// The same meridian from −180 to 180.
    fileprivate var wrapped: Double { beside(0) }
}
