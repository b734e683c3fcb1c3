// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// The distance over the ground between two places, in metres, on a sphere of the mean radius;
/// within 0.6 % of the true one, which is far less than what a phone's place is off by.
func greatCircleMetres(
    from: (latitude: Double, longitude: Double),
    to: (latitude: Double, longitude: Double)
) -> Double {
    let radians = Double.pi / 180
    let halfLatitude = (to.latitude - from.latitude) * radians / 2
    let halfLongitude = (to.longitude - from.longitude) * radians / 2
    let chord =
        sin(halfLatitude) * sin(halfLatitude)
        + cos(from.latitude * radians) * cos(to.latitude * radians)
        * sin(halfLongitude) * sin(halfLongitude)
    return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
}
