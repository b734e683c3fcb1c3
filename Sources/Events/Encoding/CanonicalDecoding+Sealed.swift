// SPDX-License-Identifier: Apache-2.0
extension CanonicalDecoding {
    /// Reads the wire form of a sealed value, which keeps it closed.
    func readSealed() throws -> SealedField {
        let head = "{\"sealed\":\"".utf8
        let text = bytes[value]
        guard let event, text.starts(with: head), text.suffix(2).elementsEqual("\"}".utf8),
            let dot = text.firstIndex(of: UInt8(ascii: ".")),
            let person = PersonID(
                String(decoding: text[(value.lowerBound + head.count)..<dot], as: UTF8.self)
            )
        else { throw mismatch(SealedField.self) }
        let box = text[(dot + 1)..<(value.upperBound - 2)]
        guard box.allSatisfy(isBase64URL) else { throw mismatch(SealedField.self) }
        return SealedField(
            person: person,
            event: event,
            pointer: pointer,
            box: String(decoding: box, as: UTF8.self)
        )
    }
}

private func isBase64URL(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
    default: false
    }
}
