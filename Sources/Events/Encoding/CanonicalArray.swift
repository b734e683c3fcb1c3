// SPDX-License-Identifier: Apache-2.0
/// The unkeyed container of ``CanonicalEncoding``: an array.
struct CanonicalArray: UnkeyedEncodingContainer {
    let encoding: CanonicalEncoding
    let frame: CanonicalEncoding.Place
    private(set) var count = 0

    init(encoding: CanonicalEncoding, frame: CanonicalEncoding.Place) {
        self.encoding = encoding
        self.frame = frame
    }

    var codingPath: [any CodingKey] { encoding.codingPath }

    mutating func encodeNil() throws {
        try begin()
        encoding.writer.write("null")
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try begin()
        try encoding.write(value)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        beginNested()
        return encoding.container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        beginNested()
        return encoding.unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        beginNested()
        return encoding
    }

    private mutating func begin() throws {
        try encoding.goOn(at: frame)
        if count > 0 { encoding.writer.write(UInt8(ascii: ",")) }
        count += 1
        encoding.frames[frame.depth].elements = count
    }

    /// As ``begin()``, where Swift lets nothing be thrown: misuse is a mistake in a payload of ours.
    private mutating func beginNested() {
        do {
            try begin()
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
