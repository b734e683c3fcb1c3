// SPDX-License-Identifier: Apache-2.0
import Events

/// Why a value cannot be taken, whatever the ledger says.
public enum InputFault: Hashable, Sendable {
    case empty(field: String)
    case tooLong(field: String, bytes: Int, max: Int)
    /// `allowed` tells the range in words.
    case outOfRange(field: String, value: String, allowed: String)

    var problem: Problem {
        switch self {
        case .empty(let field):
            Problem(
                .unprocessable,
                "field-empty",
                "\(field) refused: nothing in it can be seen; give at least one visible character",
                facts: ["field": field]
            )
        case .tooLong(let field, let bytes, let max):
            Problem(
                .unprocessable,
                "field-too-long",
                "\(field) refused: it has \(bytes) bytes, at most \(max) are taken; shorten it",
                facts: ["field": field, "bytes": String(bytes), "max": String(max)]
            )
        case .outOfRange(let field, let value, let allowed):
            Problem(
                .unprocessable,
                "field-out-of-range",
                "\(field) refused: \(value) is not \(allowed); correct it",
                facts: ["field": field, "value": value, "allowed": allowed]
            )
        }
    }

    /// Checks that something of a text can be seen, and that it is not longer than a limit in bytes of UTF-8.
    static func check<Refusal: Error>(
        _ text: String,
        _ field: String,
        bytesMax: Int,
        else refuse: (InputFault) -> Refusal
    ) throws(Refusal) {
        guard text.hasVisibleCharacter else { throw refuse(.empty(field: field)) }
        try check(optional: text, field, bytesMax: bytesMax, else: refuse)
    }

    /// Checks a text that stands among the words of others: like any, and that it changes nothing of how those are shown.
    static func check<Refusal: Error>(
        name text: String,
        _ field: String,
        bytesMax: Int,
        else refuse: (InputFault) -> Refusal
    ) throws(Refusal) {
        try check(text, field, bytesMax: bytesMax, else: refuse)
        guard let scalar = text.unicodeScalars.first(where: \.actsOnOthers) else { return }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let value = "U+" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
        throw refuse(.outOfRange(field: field, value: value, allowed: "a character of a name"))
    }

    /// Checks that a text, if there is one, is not longer than a limit in bytes of UTF-8.
    static func check<Refusal: Error>(
        optional text: String?,
        _ field: String,
        bytesMax: Int,
        else refuse: (InputFault) -> Refusal
    ) throws(Refusal) {
        let bytes = text?.utf8.count ?? 0
        guard bytes <= bytesMax else {
            throw refuse(.tooLong(field: field, bytes: bytes, max: bytesMax))
        }
    }

    /// Checks that a language is named as ISO 639-1 names it: by two small letters.
    static func check<Refusal: Error>(
        language: String,
        else refuse: (InputFault) -> Refusal
    ) throws(Refusal) {
        try check(
            language.utf8.count == 2 && language.utf8.allSatisfy { (0x61...0x7A).contains($0) },
            "language",
            language,
            allowed: "two small letters, such as en",
            else: refuse
        )
    }

    /// Checks that a place, if there is one, is one that a device can have measured.
    static func check<Refusal: Error>(
        _ fix: Fix?,
        else refuse: (InputFault) -> Refusal
    ) throws(Refusal) {
        try check(
            fix?.isPlausible ?? true,
            "fix",
            "the place",
            allowed:
                "on Earth: accurate to 20,037,508 m, from 12 km below to 100 km above the sea, at 12 km/s at most",
            else: refuse
        )
    }

    /// Checks that a value lies where it can.
    static func check<Refusal: Error>(
        _ isAllowed: Bool,
        _ field: String,
        _ value: some CustomStringConvertible,
        allowed: String,
        else refuse: (InputFault) -> Refusal
    ) throws(Refusal) {
        guard isAllowed else {
            throw refuse(.outOfRange(field: field, value: "\(value)", allowed: allowed))
        }
    }
}

extension String {
    /// Whether a reader sees anything of it: blanks, controls, and what Unicode has displays ignore are nothing.
    var hasVisibleCharacter: Bool {
        unicodeScalars.contains { scalar in
            let properties = scalar.properties
            return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
                && ![.control, .format, .unassigned].contains(properties.generalCategory)
                && scalar != Self.brailleBlank
        }
    }

    private static let brailleBlank: Unicode.Scalar = "\u{2800}"
}

extension Unicode.Scalar {
    /// Whether it is a control character, or turns the direction of what stands around it (UAX #9, sections 2.1 to 2.4).
    fileprivate var actsOnOthers: Bool {
        properties.generalCategory == .control
            || ("\u{202A}"..."\u{202E}").contains(self) || ("\u{2066}"..."\u{2069}").contains(self)
    }
}
