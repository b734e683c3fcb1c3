// SPDX-License-Identifier: Apache-2.0
/// A dotted or slashed ASCII name, as subjects, actors and kinds are spelt.
///
/// The form is `[a-z][a-z0-9_.-]*(/[A-Za-z0-9._~-]{1,128})*`, at most 160 bytes.
public protocol NameText: Hashable, Sendable, Codable, LosslessStringConvertible {
    /// The checked text.
    var text: String { get }
    /// Takes a text that is known to have the form.
    init(unchecked text: String)
}

extension NameText {
    /// Checks the form; `nil` if the text does not have it.
    public init?(_ description: String) {
        guard isName(description) else { return nil }
        self.init(unchecked: description)
    }

    public var description: String { text }

    /// Reads and checks the text.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let name = Self(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "\"\(text)\" is no name such as session/0199…"
                )
            )
        }
        self = name
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Whether a text has the form of a subject, an actor or a kind.
func isName(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { isName($0) }
}

/// Whether bytes have the form of a subject, an actor or a kind.
func isName(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first, isLower(first), bytes.count <= EventLimits.nameBytesMax else {
        return false
    }
    var partLength = -1
    for byte in bytes {
        if byte == UInt8(ascii: "/") {
            guard partLength != 0 else { return false }
            partLength = 0
        } else if partLength < 0 {
            guard isLower(byte) || isDigit(byte) || "_.-".utf8.contains(byte) else { return false }
        } else {
            guard isLower(byte) || isUpper(byte) || isDigit(byte) || "._~-".utf8.contains(byte)
            else {
                return false
            }
            partLength += 1
            guard partLength <= 128 else { return false }
        }
    }
    return partLength != 0
}

/// Whether a text can be a ledger's origin: the part of a URL behind its scheme, as C2SP recommends.
func isOrigin(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
        (1...EventLimits.originBytesMax).contains(bytes.count)
            && bytes.allSatisfy { byte in
                isLower(byte) || isUpper(byte) || isDigit(byte) || ".-_/:".utf8.contains(byte)
            }
    }
}

private func isLower(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
}
private func isUpper(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
}
private func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
}
