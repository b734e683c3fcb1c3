// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Fix {
    /// The length of the shortest way over the ground to another place, in metres, on the WGS 84 ellipsoid.
    ///
    /// Vincenty's inverse formula. Agrees with GeographicLib to 0.001 mm up to 60 km. For places almost on opposite sides of the
    /// Earth the formula does not converge; there the answer is that of a sphere, within 0.6 %.
    public func metres(to other: Fix) -> Double {
        Geodesic.inverse(
            from: (latitude, longitude),
            to: (other.latitude, other.longitude)
        )
    }
}

/// Distances on the WGS 84 ellipsoid.
private enum Geodesic {
    private static let equatorialRadius = 6_378_137.0
    private static let flattening = 1 / 298.257223563
    private static let polarRadius = equatorialRadius * (1 - flattening)
    private static let meanRadius = 6_371_008.7714
    private static let tolerance = 1e-13
    private static let roundsMax = 100

    typealias Place = (latitude: Double, longitude: Double)

    static func inverse(from: Place, to: Place) -> Double {
        let radians = Double.pi / 180
        let difference = remainder(to.longitude - from.longitude, 360) * radians
        let reduced = (
            atan((1 - flattening) * tan(from.latitude * radians)),
            atan((1 - flattening) * tan(to.latitude * radians))
        )
        let (sine1, cosine1) = (sin(reduced.0), cos(reduced.0))
        let (sine2, cosine2) = (sin(reduced.1), cos(reduced.1))
        var lambda = difference
        for _ in 0..<roundsMax {
            let cross = cosine1 * sine2 - sine1 * cosine2 * cos(lambda)
            let along = cosine2 * sin(lambda)
            let sineSigma = (along * along + cross * cross).squareRoot()
            if sineSigma == 0 { return 0 }
            let cosineSigma = sine1 * sine2 + cosine1 * cosine2 * cos(lambda)
            let sigma = atan2(sineSigma, cosineSigma)
            let sineAlpha = cosine1 * cosine2 * sin(lambda) / sineSigma
            let cosineSquaredAlpha = 1 - sineAlpha * sineAlpha
            let cosineMiddle =
                cosineSquaredAlpha == 0
                ? 0 : cosineSigma - 2 * sine1 * sine2 / cosineSquaredAlpha
            let c =
                flattening / 16 * cosineSquaredAlpha
                * (4 + flattening * (4 - 3 * cosineSquaredAlpha))
            let before = lambda
            let bracket =
                cosineMiddle + c * cosineSigma * (2 * cosineMiddle * cosineMiddle - 1)
            lambda =
                difference + (1 - c) * flattening * sineAlpha
                * (sigma + c * sineSigma * bracket)
            guard abs(lambda - before) > tolerance else {
                return length(sigma, sineSigma, cosineSigma, cosineSquaredAlpha, cosineMiddle)
            }
        }
        return onSphere(from, to)
    }

    private static func length(
        _ sigma: Double,
        _ sineSigma: Double,
        _ cosineSigma: Double,
        _ cosineSquaredAlpha: Double,
        _ cosineMiddle: Double
    ) -> Double {
        let squares = equatorialRadius * equatorialRadius - polarRadius * polarRadius
        let u = cosineSquaredAlpha * squares / (polarRadius * polarRadius)
        let a = 1 + u / 16_384 * (4_096 + u * (-768 + u * (320 - 175 * u)))
        let b = u / 1_024 * (256 + u * (-128 + u * (74 - 47 * u)))
        let middleSquared = cosineMiddle * cosineMiddle
        let last =
            b / 6 * cosineMiddle * (4 * sineSigma * sineSigma - 3) * (4 * middleSquared - 3)
        let delta =
            b * sineSigma
            * (cosineMiddle + b / 4 * (cosineSigma * (2 * middleSquared - 1) - last))
        return polarRadius * a * (sigma - delta)
    }

    private static func onSphere(_ from: Place, _ to: Place) -> Double {
        let radians = Double.pi / 180
        let northing = sin((to.latitude - from.latitude) * radians / 2)
        let easting = sin((to.longitude - from.longitude) * radians / 2)
        let chord =
            northing * northing
            + cos(from.latitude * radians) * cos(to.latitude * radians) * easting * easting
        return 2 * meanRadius * asin(min(1, chord.squareRoot()))
    }
}
