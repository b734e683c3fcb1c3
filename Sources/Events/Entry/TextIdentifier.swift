// SPDX-License-Identifier: Apache-2.0
/// A short name that people choose: 1 to 128 of `A-Za-z0-9._~-`.
public protocol TextIdentifier: Hashable, Sendable, Codable, LosslessStringConvertible {
    /// The checked text.
    var text: String { get }
    /// Takes a text that is known to have the form.
    init(unchecked text: String)
}

extension TextIdentifier {
    /// Checks the form; `nil` if the text does not have it.
    public init?(_ description: String) {
        guard !description.utf8.contains(UInt8(ascii: "/")), isName("x/" + description) else {
            return nil
        }
        self.init(unchecked: description)
    }

    public var description: String { text }

    /// Reads and checks the text.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "\"\(text)\" is no identifier of 1 to 128 letters, digits or ._~-"
                )
            )
        }
        self = value
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Someone with an account: `123456789`.
///
/// It stands in file names, so it is short and speakable.
public struct UserID: TextIdentifier {
    public let text: String
    public init(unchecked text: String) { self.text = text }
}

/// The organisation that owns an event; feeds and rights go by it.
public struct OrganisationID: TextIdentifier {
    public let text: String
    public init(unchecked text: String) { self.text = text }

    /// The organisation of a site that has only one.
    public static let main = OrganisationID(unchecked: "main")
}

/// What makes a repeated command the same command: unique per actor.
public struct CommandID: TextIdentifier {
    public let text: String
    public init(unchecked text: String) { self.text = text }
}
