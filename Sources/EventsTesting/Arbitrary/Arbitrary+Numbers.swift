// SPDX-License-Identifier: Apache-2.0
public import Events

extension Arbitrary {
    private static let edges = [
        0, 1, -1, 9, 10, 255, 256, 65_535, 65_536, 2_147_483_647, -2_147_483_648, 4_294_967_296,
        999_999_999_999_999, 1_000_000_000_000_000, 9_007_199_254_740_991, -9_007_199_254_740_991,
    ]

    /// Any whole number that JSON keeps exactly.
    public mutating func integer() -> Int {
        guard !one(in: 3) else { return element(of: Self.edges) }
        return bool()
            ? number(0...10_000) : number(-9_007_199_254_740_991...9_007_199_254_740_991)
    }

    /// Any finite number, with every exponent.
    public mutating func double() -> Double {
        let bits: UInt64 = generator.next()
        let drawn = Double(bitPattern: bits)
        // Minus zero is left out: JSON has one zero only.
        guard drawn.isFinite, !one(in: 4), drawn != 0 else {
            return Double(number(-1_000...1_000)) / 8
        }
        return drawn
    }

    /// Any moment of the years 1 to 9999.
    public mutating func timestamp() -> Timestamp {
        let (first, last): (Int64, Int64) = (-62_135_596_800_000_000, 253_402_300_799_999_999)
        return switch number(0...5) {
        case 0: Timestamp(microseconds: element(of: [first, last, 0, -1, 951_782_399_999_999]))
        case 1: Timestamp(microseconds: Int64.random(in: first...last, using: &generator))
        default:
            Timestamp(
                microseconds: Int64.random(
                    in: 1_600_000_000_000_000...1_900_000_000_000_000,
                    using: &generator
                )
            )
        }
    }

    /// Any place that a device may tell, also one that is none on Earth.
    public mutating func fix() -> Fix {
        Fix(
            latitude: double(),
            longitude: double(),
            accuracyMetres: maybe { $0.double() },
            altitudeMetres: maybe { $0.double() },
            speedMetresPerSecond: maybe { $0.double() },
            headingDegrees: maybe { $0.double() }
        )
    }
}
