// SPDX-License-Identifier: Apache-2.0
/// A place on a guard's tour was set up.
public struct PatrolPointDefined: EventPayload {
    public static let kind: Kind = "patrol.point_defined/1"

    public let site: String
    public let name: String
    public let latitude: Double
    public let longitude: Double
    /// How far from it a scan still counts.
    public let radiusMetres: Double

    public init(
        site: String,
        name: String,
        latitude: Double,
        longitude: Double,
        radiusMetres: Double
    ) {
        self.site = site
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.radiusMetres = radiusMetres
    }
}
