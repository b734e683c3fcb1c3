// SPDX-License-Identifier: Apache-2.0

/// Where a sender says to be: the first geodetic location of a PIDF-LO document (RFC 4119, RFC 5491).
public struct PIDFLocation: Hashable, Sendable {
    /// What had to be guessed, or was left out.
    public enum Remark: String, Sendable, CaseIterable {
        /// No reference system is named; WGS 84 was taken.
        case systemAssumed
        /// The numbers are parted by commas instead of blanks.
        case commas
        /// The radius names no unit; metres were taken.
        case unitAssumed
        /// The radius is negative, no number or of another unit, and was left out.
        case radiusLeftOut
        /// There are more locations; the first one was taken.
        case several
        /// The `Geolocation` field names no part; the only part with a location was taken.
        case onlyPart
    }

    /// Degrees, −90 to 90.
    public let latitude: Double
    /// Degrees, −180 to 180.
    public let longitude: Double
    /// Metres above the ellipsoid.
    public let altitude: Double?
    /// The radius in metres of where the sender is with 95 % confidence.
    public let accuracy: Double?
    /// How it was found, in the document's word, such as `GPS`.
    public let method: String?
    /// When it was found, as the document has it (RFC 3339).
    public let timestamp: String?
    public private(set) var remarks: Set<Remark>

    /// Reads a body of type `application/pidf+xml`.
    ///
    /// - Throws: Also where there is only a civic address, or a shape other than a point, circle, sphere or ellipse.
    public static func parse(_ document: [UInt8]) throws(SIPFault) -> PIDFLocation {
        let root = try XMLReader.parse(document)
        guard root.name == "presence", root.namespace == "urn:ietf:params:xml:ns:pidf" else {
            throw SIPFault(.unsupported, at: "PIDF")
        }
        let infos = root.all("location-info").filter { $0.namespace.hasPrefix(Self.geopriv) }
        let shapes = infos.flatMap(\.children).filter { Self.shapes[$0.name] != nil }
        guard let shape = shapes.first else {
            let isOther = infos.contains { !$0.children.isEmpty }
            throw SIPFault(isOther ? .unsupported : .missing, at: "location-info")
        }
        return try PIDFLocation(shape, isOnly: shapes.count == 1, of: root)
    }

    private init(_ shape: XMLElement, isOnly: Bool, of root: XMLElement) throws(SIPFault) {
        let family =
            shape.name == "Point" ? "http://www.opengis.net/gml" : "http://www.opengis.net/pidflo/1"
        guard shape.namespace.hasPrefix(family) else {
            throw SIPFault(.unsupported, at: shape.name)
        }
        remarks = isOnly ? [] : [.several]
        let dimensions = try Self.dimensions(shape, &remarks)
        guard let text = shape.child("pos")?.text else { throw SIPFault(.missing, at: "pos") }
        let numbers = try Self.numbers(text, &remarks)
        guard numbers.count == dimensions || (numbers.count == 2 && dimensions == 3) else {
            throw SIPFault(.badNumber, at: "pos")
        }
        guard (-90...90).contains(numbers[0]), (-180...180).contains(numbers[1]) else {
            throw SIPFault(.outOfRange, at: "pos")
        }
        (latitude, longitude) = (numbers[0], numbers[1])
        altitude = numbers.count == 3 ? numbers[2] : nil
        accuracy = Self.radius(shape, &remarks)
        method = root.all("method").first?.text.trimmed
        timestamp = root.all("timestamp").first?.text.trimmed
    }

    private static let geopriv = "urn:ietf:params:xml:ns:pidf:geopriv10"

    /// The element of each shape that is its accuracy.
    private static let shapes = [
        "Point": "", "Circle": "radius", "Sphere": "radius", "Ellipse": "semiMajorAxis",
    ]

    /// Of WGS 84 alone; axes of another system are not swapped by guess.
    private static func dimensions(
        _ shape: XMLElement,
        _ remarks: inout Set<Remark>
    ) throws(SIPFault) -> Int {
        switch shape.attributes["srsName"] ?? shape.child("pos")?.attributes["srsName"] {
        case nil:
            remarks.insert(.systemAssumed)
            return 3
        case "urn:ogc:def:crs:EPSG::4326", "EPSG:4326": return 2
        case "urn:ogc:def:crs:EPSG::4979", "EPSG:4979": return 3
        default: throw SIPFault(.unsupported, at: "srsName")
        }
    }

    private static func numbers(
        _ text: String,
        _ remarks: inout Set<Remark>
    ) throws(SIPFault) -> [Double] {
        let bytes = text.utf8.split { $0.isBlank || $0 == .carriageReturn || $0 == .lineFeed }
        let words = bytes.flatMap { $0.split(separator: .comma) }
        if text.utf8.contains(.comma) { remarks.insert(.commas) }
        guard (2...3).contains(words.count) else { throw SIPFault(.badNumber, at: "pos") }
        var numbers: [Double] = []
        for word in words {
            guard let number = Double(String(decoding: word, as: UTF8.self)), number.isFinite else {
                throw SIPFault(.badNumber, at: "pos")
            }
            numbers.append(number)
        }
        return numbers
    }

    private static func radius(_ shape: XMLElement, _ remarks: inout Set<Remark>) -> Double? {
        guard let name = shapes[shape.name], !name.isEmpty else { return nil }
        let element = shape.child(name)
        let unit = element?.attributes["uom"]
        let number = element.flatMap { Double($0.text.trimmed) }
        guard unit ?? metre == metre, let number, number.isFinite, number >= 0 else {
            remarks.insert(.radiusLeftOut)
            return nil
        }
        if unit == nil { remarks.insert(.unitAssumed) }
        return number
    }

    private static let metre = "urn:ogc:def:uom:EPSG::9001"
}

extension SIPRequest {
    /// Where the sender says to be: the part that its `Geolocation` field names, or the only part with a location (RFC 6442).
    ///
    /// A reference to another server is not fetched.
    ///
    /// - Returns: `nil` where the request tells of no location.
    /// - Throws: Why the location cannot be read; the request itself may still be answered on its merits.
    public func location() throws(SIPFault) -> PIDFLocation? {
        let body = try MultipartBody.parse(body, fields: fields)
        for value in fields.values("Geolocation") {
            let url = value.utf8.prefix { $0 != .semicolon }
            if let part = body.part(named: String(decoding: url, as: UTF8.self)) {
                return try PIDFLocation.parse(part.bytes)
            }
        }
        let parts = body.parts.filter { $0.type.name == "application/pidf+xml" }
        guard let part = parts.first else {
            guard fields["Geolocation"] == nil else { throw SIPFault(.missing, at: "location") }
            return nil
        }
        guard parts.count == 1 else { throw SIPFault(.tooMany, at: "location") }
        return try PIDFLocation.parse(part.bytes).with(.onlyPart)
    }
}

extension PIDFLocation {
    fileprivate func with(_ remark: Remark) -> PIDFLocation {
        var other = self
        other.remarks.insert(remark)
        return other
    }
}

extension String {
    /// Without space and line ends at both ends.
    fileprivate var trimmed: String {
        let words = utf8.split { $0.isBlank || $0 == .carriageReturn || $0 == .lineFeed }
        return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
}
