// SPDX-License-Identifier: Apache-2.0
/// The keyed container of ``CanonicalEncoding``: an object.
struct CanonicalObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoding: CanonicalEncoding
    let frame: CanonicalEncoding.Place

    var codingPath: [any CodingKey] { encoding.codingPath }

    mutating func encodeNil(forKey key: Key) throws {
        try begin(key.stringValue)
        encoding.writer.write("null")
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try begin(key.stringValue)
        try encoding.write(value)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        beginNested(key.stringValue)
        return encoding.container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        beginNested(key.stringValue)
        return encoding.unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        beginNested("super")
        return encoding
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        beginNested(key.stringValue)
        return encoding
    }

    private func begin(_ name: String) throws {
        try encoding.goOn(at: frame)
        encoding.writer.beginMember(name)
        encoding.frames[frame.depth].inMember = true
    }

    /// As ``begin(_:)``, where Swift lets nothing be thrown: misuse is a mistake in a payload of ours.
    private func beginNested(_ name: String) {
        do {
            try begin(name)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
