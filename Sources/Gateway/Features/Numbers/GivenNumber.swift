// SPDX-License-Identifier: Apache-2.0
import CPhone
import Events

/// A telephone number as somebody gives it to the gateway, read by the numbering plans of libphonenumber (decision 0081).
///
/// Numbers that a plan of its date does not have, and that are as long as the country's, are taken: new ones come into use.
struct GivenNumber: Decodable, Sendable, Hashable {
    /// In the form in which the log has it; without the extension.
    let number: PhoneNumber
    /// In groups, as the country writes it: `+44 7712 345678`.
    let international: String
    /// What is dialled once somebody answers; `nil` for none.
    let innerNumber: String?
    /// Whether the numbering plan has it.
    let isInPlan: Bool

    /// Why a text is no number.
    enum Fault: String, Error, Sendable {
        /// It has letters, or is something else.
        case letters
        /// No country's code is in front, or it could be of two countries.
        case country
        /// It is dialled within a town only.
        case area
        case short
        case long

        /// What it is, and what to write.
        var words: String {
            switch self {
            case .letters:
                "it has letters, or something that is no number; write the number alone"
            case .country:
                "its country is not clear; write it with its country code, such as +44 7712 345678"
            case .area: "its area code is wanting; write it with that"
            case .short: "it has too few digits; write it whole, with its country code"
            case .long: "it has too many digits; write it alone, with its country code"
            }
        }
    }

    /// Reads a number as people write it.
    ///
    /// - Parameters:
    ///   - text: At most 64 bytes.
    ///   - country: Whose national numbers are read, too; `nil` where a number needs its country's code.
    /// - Throws: ``Fault``.
    init(_ text: String, in country: Country? = nil) throws(Fault) {
        guard text.utf8.count <= Self.bytesMax else { throw .long }
        var text = text
        if let plus = Self.plus(in: text, country) { text = "+" + plus }
        guard Self.isOfOneCountry(text, country) else { throw .country }
        var found = cphone_number()
        let outcome = text.utf8CString.withUnsafeBufferPointer {
            cphone_read($0.baseAddress, $0.count - 1, country?.code ?? "ZZ", &found)
        }
        try Self.check(outcome)
        try self.init(found)
    }

    private init(_ found: cphone_number) throws(Fault) {
        guard let number = PhoneNumber(Self.text(found.e164)) else { throw .short }
        self.number = number
        international = Self.text(found.international)
        let behind = Self.text(found.extension)
        innerNumber = behind.isEmpty ? nil : behind
        isInPlan = found.is_valid != 0
    }

    /// Reads a member of a body.
    ///
    /// - Throws: ``Problem`` with the way to write it, rather than that it does not fit; for one with an extension, too: nobody
    ///   dials it from here, and as a part of the number it would be somebody else's.
    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        let pointer = decoder.codingPath.map { "/" + $0.stringValue }.joined()
        func problem(_ words: String) -> Problem {
            Problem(
                .malformedJSON,
                detail: "\(pointer) is no number: \(words)",
                facts: ["pointer": .string(pointer)]
            )
        }
        do {
            self = try GivenNumber(text)
        } catch {
            throw problem(error.words)
        }
        if let innerNumber {
            throw problem("it has the extension \(innerNumber); leave that out")
        }
    }

    /// What stands behind two zeros, or a plus and two zeros, that stand for a plus; `nil` where there is neither, and where 00
    /// names a carrier, too.
    private static func plus(in text: String, _ country: Country?) -> Substring? {
        let bare = text.drop { $0.isWhitespace || $0 == "(" }
        if bare.hasPrefix("+00") { return bare.dropFirst(3) }
        let isPlus = country.map { $0.internationalPrefix != nil } ?? true
        return isPlus && bare.hasPrefix("00") ? bare.dropFirst(2) : nil
    }

    /// Whether a number without a plus is of the site's country: where a trunk prefix stands before national numbers, what has
    /// neither that nor the country's code may be written for another one.
    private static func isOfOneCountry(_ text: String, _ country: Country?) -> Bool {
        guard let country, let trunk = country.trunkPrefix,
            text.first(where: { !$0.isWhitespace && $0 != "(" }) != "+"
        else { return true }
        let digits = text.filter { $0.isASCII && $0.isNumber }
        return [trunk, country.callingCode, country.internationalPrefix ?? trunk]
            .contains { digits.hasPrefix($0) }
    }

    private static func check(_ outcome: cphone_outcome) throws(Fault) {
        switch outcome {
        case CPHONE_READ: return
        case CPHONE_NO_COUNTRY: throw .country
        case CPHONE_LOCAL: throw .area
        case CPHONE_TOO_SHORT: throw .short
        case CPHONE_TOO_LONG: throw .long
        default: throw .letters
        }
    }

    /// The text in a fixed array of bytes, up to its first zero.
    private static func text<Bytes>(_ bytes: Bytes) -> String {
        withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Twice what anybody writes.
    private static let bytesMax = 64
}

extension PhoneNumber {
    /// What is stored, as it would be read today: earlier versions read some numbers as others.
    var readAgain: PhoneNumber { (try? GivenNumber(text))?.number ?? self }
}
