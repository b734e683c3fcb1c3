// SPDX-License-Identifier: Apache-2.0

/// A text as SMS carries it: its alphabet and its parts (3GPP TS 23.038, TS 23.040).
struct ShortMessage: Hashable, Sendable {
    /// The text that is sent: that which was asked for, cut where it is too long.
    let text: String
    /// Whether it needs 16-bit characters; otherwise the 7-bit default alphabet has them all.
    let isUnicode: Bool
    /// Messages that it takes on the air; at least 1.
    let parts: Int

    /// - Parameters:
    ///   - text: Any text; a control character other than a line feed becomes a blank.
    ///   - partsMax: At most so many parts; what is beyond is cut, and ends with three dots.
    init(_ text: String, partsMax: Int = DeliveryLimits.partsMax) {
        let clean = Self.clean(text)
        isUnicode = !clean.unicodeScalars.allSatisfy { Self.septets(of: $0) != nil }
        let ending = isUnicode ? "…" : "..."
        var (kept, units) = ("", 0)
        var cut = (text: "", units: 0)
        let most = Self.room(partsMax, isUnicode)
        var isWhole = true
        for character in clean {
            let piece = Self.piece(character, isUnicode, behind: units)
            guard units + piece.units <= most else {
                isWhole = false
                break
            }
            (kept, units) = (kept + piece.text, units + piece.units)
            if units + ending.count <= most { cut = (kept, units) }
        }
        self.text = isWhole ? kept : cut.text + ending
        let sent = isWhole ? units : cut.units + ending.count
        let (single, joined) = isUnicode ? (70, 67) : (160, 153)
        parts = sent <= single ? 1 : (sent + joined - 1) / joined
    }

    /// What fits into a number of parts: septets, or 16-bit units.
    private static func room(_ parts: Int, _ isUnicode: Bool) -> Int {
        parts == 1 ? (isUnicode ? 70 : 160) : parts * (isUnicode ? 67 : 153)
    }

    /// A character, and how much it takes; a blank goes before one that would be torn between two parts, for message centres cut there.
    private static func piece(
        _ character: Character,
        _ isUnicode: Bool,
        behind units: Int
    ) -> (text: String, units: Int) {
        guard isUnicode else {
            let septets = character.unicodeScalars.reduce(0) { $0 + (Self.septets(of: $1) ?? 1) }
            return (String(character), septets)
        }
        var end = units
        var isTorn = false
        for scalar in character.unicodeScalars {
            isTorn = isTorn || (UTF16.width(scalar) == 2 && end % 67 == 66)
            end += UTF16.width(scalar)
        }
        return isTorn ? (" \(character)", end - units + 1) : (String(character), end - units)
    }

    private static func clean(_ text: String) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            clean.append(isControl && scalar != "\n" ? " " : scalar)
        }
        return String(clean)
    }

    /// How many septets a character takes; `nil` where the alphabet does not have it.
    private static func septets(of scalar: Unicode.Scalar) -> Int? {
        if basic.contains(scalar) { return 1 }
        return extended.contains(scalar) ? 2 : nil
    }

    private static let basic = Set(
        ("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿"
            + "abcdefghijklmnopqrstuvwxyzäöñüà").unicodeScalars
    )
    private static let extended = Set("[]{}^~|\\€".unicodeScalars)
}
