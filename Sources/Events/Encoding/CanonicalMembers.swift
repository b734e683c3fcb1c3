// SPDX-License-Identifier: Apache-2.0
/// The keyed container of ``CanonicalDecoding``: an object.
struct CanonicalMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoding: CanonicalDecoding
    let frame: CanonicalDecoding.Place

    var codingPath: [any CodingKey] { decoding.codingPath }

    var allKeys: [Key] {
        guard isOpen else { return [] }
        return decoding.members[decoding.frames[frame.depth].members].compactMap {
            Key(stringValue: decoding.name(of: $0))
        }
    }

    func contains(_ key: Key) -> Bool {
        isOpen && decoding.find(key.stringValue, in: decoding.frames[frame.depth]) != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        try enter(key.stringValue)
        return decoding.decodeNil()
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try enter(key.stringValue)
        return try decoding.read(type)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard try has(key.stringValue), !decoding.decodeNil() else { return nil }
        return try decoding.read(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try enter(key.stringValue)
        return try decoding.container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try enter(key.stringValue)
        return try decoding.unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        try enter("super")
        return decoding
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        try enter(key.stringValue)
        return decoding
    }

    private var isOpen: Bool {
        frame.depth < decoding.frames.count && decoding.frames[frame.depth].serial == frame.serial
    }

    private func enter(_ name: String) throws {
        guard try has(name) else {
            throw DecodingError.keyNotFound(
                JSONPathKey(stringValue: name),
                .init(codingPath: codingPath, debugDescription: "the object has no such member")
            )
        }
    }

    /// Goes to a member, if the object has it.
    private func has(_ name: String) throws -> Bool {
        try decoding.goOn(at: frame)
        decoding.frames[frame.depth].current = nil
        let open = decoding.frames[frame.depth]
        guard let number = decoding.find(name, in: open) else { return false }
        decoding.frames[frame.depth].current = number
        decoding.value = decoding.members[open.members.lowerBound + number].value
        return true
    }
}
