// SPDX-License-Identifier: Apache-2.0
/// A number that travels as a decimal string, because JSON numbers are exact only to 2⁵³.
///
/// No log has a place above 2⁶³−1, so a text that names one is none.
public protocol DecimalText: Codable, LosslessStringConvertible {
    /// The number itself.
    var rawValue: UInt64 { get }
    /// Names the place with that number.
    init(_ rawValue: UInt64)
}

extension DecimalText {
    /// Reads the decimal digits, without sign or leading zeros, of a number below 2⁶³.
    public init?(_ description: String) {
        guard let value = NumberText.whole(description, in: 0...UInt64(Int64.max)),
            String(value) == description
        else { return nil }
        self.init(value)
    }

    /// The decimal digits.
    public var description: String { String(rawValue) }

    /// Reads the decimal string.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "\"\(text)\" is no decimal number below 2^63"
                )
            )
        }
        self = value
    }

    /// Writes the decimal string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
