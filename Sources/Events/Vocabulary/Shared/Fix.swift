// SPDX-License-Identifier: Apache-2.0
/// One measured place on Earth (WGS 84).
public struct Fix: Codable, Hashable, Sendable {
    /// Degrees north, −90 to 90.
    public let latitude: Double
    /// Degrees east, −180 to 180.
    public let longitude: Double
    /// The radius, in metres, in which the true place is believed to lie.
    public let accuracyMetres: Double?
    public let altitudeMetres: Double?
    public let speedMetresPerSecond: Double?
    /// Degrees clockwise from north.
    public let headingDegrees: Double?
    /// When the device says that it measured the place; `nil` where it does not tell.
    public let measuredAt: Timestamp?

    public init(
        latitude: Double,
        longitude: Double,
        accuracyMetres: Double? = nil,
        altitudeMetres: Double? = nil,
        speedMetresPerSecond: Double? = nil,
        headingDegrees: Double? = nil,
        measuredAt: Timestamp? = nil
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracyMetres = accuracyMetres
        self.altitudeMetres = altitudeMetres
        self.speedMetresPerSecond = speedMetresPerSecond
        self.headingDegrees = headingDegrees
        self.measuredAt = measuredAt
    }

    /// Whether each number is one that a device near the Earth can have measured.
    public var isPlausible: Bool {
        (-90...90).contains(latitude) && (-180...180).contains(longitude)
            && (0...20_037_508).contains(accuracyMetres ?? 0)
            && (-12_000...100_000).contains(altitudeMetres ?? 0)
            && (0...12_000).contains(speedMetresPerSecond ?? 0)
            && (0...360).contains(headingDegrees ?? 0)
    }

    /// The Open Location Code of ten digits of the place.
    public var plusCode: String { PlusCode.text(latitude: latitude, longitude: longitude) }
}
