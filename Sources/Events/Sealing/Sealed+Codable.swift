// SPDX-License-Identifier: Apache-2.0
extension Sealed: Codable {
    private enum Key: String, CodingKey {
        case sealed
    }

    /// Reads the wire form and keeps it closed; the decoder must know which event it reads.
    public init(from decoder: any Decoder) throws {
        if let decoding = decoder as? CanonicalDecoding {
            self = .closed(try decoding.readSealed())
            return
        }
        let path = decoder.codingPath
        let text = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .sealed)
        guard let event = decoder.userInfo[.event] as? EventID,
            let dot = text.firstIndex(of: "."), let person = PersonID(String(text[..<dot]))
        else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: path, debugDescription: "no sealed value <key id>.<base64url>")
            )
        }
        let box = String(text[text.index(after: dot)...])
        self = .closed(
            SealedField(person: person, event: event, pointer: jsonPointer(path), box: box)
        )
    }

    /// Writes the wire form; a value that is still open can be written by ``EventEncoder`` alone.
    public func encode(to encoder: any Encoder) throws {
        if let encoding = encoder as? CanonicalEncoding { return try encoding.write(self) }
        guard case .closed(let field) = self else {
            throw EncodingError.invalidValue(
                person,
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription: "an open value is sealed by the event encoder only"
                )
            )
        }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(field.text, forKey: .sealed)
    }
}

extension CodingUserInfoKey {
    // The raw value is not empty, so this initialiser cannot fail.
    static let event = CodingUserInfoKey(rawValue: "event").unsafelyUnwrapped
}

/// The JSON pointer (RFC 6901) of a coding path.
func jsonPointer(_ path: [any CodingKey]) -> String {
    path.reduce(into: "") { pointer, key in
        let name = key.intValue.map(String.init) ?? key.stringValue
        pointer += "/"
        for character in name {
            switch character {
            case "~": pointer += "~0"
            case "/": pointer += "~1"
            default: pointer.append(character)
            }
        }
    }
}
