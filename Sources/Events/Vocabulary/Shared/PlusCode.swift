// SPDX-License-Identifier: Apache-2.0

/// The Open Location Code of ten digits: a square of about 14 m, which can be read out.
public enum PlusCode {
    private static let digits = Array("23456789CFGHJMPQRVWX")

    /// The code of a place in degrees; one beyond the poles or the date line is brought back.
    public static func text(latitude: Double, longitude: Double) -> String {
        // Of a degree, in the tenth digit.
        let steps = 8_000.0
        var north = Int((min(90, max(-90, latitude)) + 90) * steps)
        north = min(north, 180 * Int(steps) - 1)
        let turned = (longitude + 180).truncatingRemainder(dividingBy: 360)
        var east = Int((turned < 0 ? turned + 360 : turned) * steps)
        east = min(east, 360 * Int(steps) - 1)
        var code: [Character] = []
        for _ in 0..<5 {
            code = [digits[north % 20], digits[east % 20]] + code
            (north, east) = (north / 20, east / 20)
        }
        return String(code.prefix(8)) + "+" + String(code.suffix(2))
    }
}
