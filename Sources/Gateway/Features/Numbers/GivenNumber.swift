// SPDX-License-Identifier: Apache-2.0
import Events

/// A telephone number as somebody gives it to the gateway, brought to the form in which the log has it.
///
/// People write `00` for `+`, and a `(0)` behind the country's code, which nobody dials from abroad. What begins with 0 behind that
/// is no number: no country's code does. The log's own form takes such a one, for entries may have it; nobody gives a new one.
struct GivenNumber: Decodable, Sendable, Hashable {
    let number: PhoneNumber

    /// Reads a number; `nil` for one without its country's code, and for what is none.
    init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax else { return nil }
        var kept = text.replacing("(0)", with: "").filter { !" .-()".contains($0) }
        if kept.hasPrefix("00") { kept = "+" + kept.dropFirst(2) }
        guard !kept.hasPrefix("+0"), let number = PhoneNumber(kept) else { return nil }
        self.number = number
    }

    /// Reads a member of a body.
    ///
    /// - Throws: ``Problem`` with the way to write it, rather than that it does not fit.
    init(from decoder: any Decoder) throws {
        guard let number = GivenNumber(try decoder.singleValueContainer().decode(String.self))
        else {
            let pointer = decoder.codingPath.map { "/" + $0.stringValue }.joined()
            throw Problem(
                .malformedJSON,
                detail: "\(pointer) is no number: \(Self.wanted)",
                facts: ["pointer": .string(pointer)]
            )
        }
        self = number
    }

    /// Twice what anybody writes.
    private static let bytesMax = 64

    static let wanted =
        "write it with its country code, which never begins with 0, such as +44 7712 345678"
}
