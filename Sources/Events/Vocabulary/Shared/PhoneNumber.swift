// SPDX-License-Identifier: Apache-2.0
/// A telephone number in E.164 form: `+` and 7 to 15 digits; spaces, dots, dashes and brackets are dropped on reading.
public struct PhoneNumber: Hashable, Sendable, Codable, LosslessStringConvertible {
    /// `+` and digits.
    public let text: String

    /// Reads a number; `nil` if it is not E.164.
    public init?(_ description: String) {
        let kept = description.filter { !" .-()".contains($0) }
        guard kept.hasPrefix("+"), (8...16).contains(kept.utf8.count),
            kept.dropFirst().utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
        else { return nil }
        text = kept
    }

    public var description: String { text }

    /// Reads and checks the text.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let number = PhoneNumber(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "no telephone number: + and 7 to 15 digits are needed"
                )
            )
        }
        self = number
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
