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

    public init(
        latitude: Double,
        longitude: Double,
        accuracyMetres: Double? = nil,
        altitudeMetres: Double? = nil,
        speedMetresPerSecond: Double? = nil,
        headingDegrees: Double? = nil
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracyMetres = accuracyMetres
        self.altitudeMetres = altitudeMetres
        self.speedMetresPerSecond = speedMetresPerSecond
        self.headingDegrees = headingDegrees
    }

    /// Whether the coordinates lie on Earth and no number is negative that cannot be.
    public var isPlausible: Bool {
        (-90...90).contains(latitude) && (-180...180).contains(longitude)
            && (accuracyMetres ?? 0) >= 0 && (speedMetresPerSecond ?? 0) >= 0
            && (0...360).contains(headingDegrees ?? 0)
    }
}
