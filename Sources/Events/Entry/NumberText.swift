// SPDX-License-Identifier: Apache-2.0

/// How text from outside becomes a number: of a query, a header, a frame, an option, a variable of the environment.
///
/// The only way, so that no number comes in that its user cannot reckon with: whoever asks says which are welcome. Nothing
/// here traps, whatever the text. Positions and revisions are texts of their own, see ``DecimalText``.
public enum NumberText {
    /// The characters of a number at most; whatever is longer is none.
    static let charactersMax = 40

    /// Reads a whole number: decimal digits, perhaps a minus before them.
    ///
    /// - Returns: `nil` for anything else, and for a number outside the range.
    public static func whole<Number: FixedWidthInteger>(
        _ text: some StringProtocol,
        in range: ClosedRange<Number>
    ) -> Number? {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard text.utf8.count <= charactersMax, !digits.isEmpty,
            digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let number = Number(text), range.contains(number)
        else { return nil }
        return number
    }

    /// Reads a decimal number, such as `-1.89`; infinity and what is no number are none.
    ///
    /// - Returns: `nil` for anything else, and for a number outside the range.
    public static func real(
        _ text: some StringProtocol,
        in range: ClosedRange<Double>
    ) -> Double? {
        guard text.utf8.count <= charactersMax,
            text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
            let number = Double(text), number.isFinite, range.contains(number)
        else { return nil }
        return number
    }
}
