// SPDX-License-Identifier: Apache-2.0
/// The unkeyed container of ``CanonicalDecoding``: an array.
struct CanonicalElements: UnkeyedDecodingContainer {
    let decoding: CanonicalDecoding
    let frame: CanonicalDecoding.Place
    private let total: Int
    private(set) var currentIndex = 0

    init(decoding: CanonicalDecoding, frame: CanonicalDecoding.Place) {
        self.decoding = decoding
        self.frame = frame
        total = decoding.frames[frame.depth].members.count
    }

    var codingPath: [any CodingKey] { decoding.codingPath }
    var count: Int? { total }
    var isAtEnd: Bool { currentIndex >= total }

    mutating func decodeNil() throws -> Bool {
        try enter(Never?.self)
        guard decoding.decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try enter(type)
        let value = try decoding.read(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try enter([String: Any].self)
        currentIndex += 1
        return try decoding.container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try enter([Any].self)
        currentIndex += 1
        return try decoding.unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        try enter((any Decoder).self)
        currentIndex += 1
        return decoding
    }

    /// Goes to the next element.
    private func enter(_ type: Any.Type) throws {
        try decoding.goOn(at: frame)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type,
                .init(codingPath: codingPath, debugDescription: "the array has no more elements")
            )
        }
        decoding.frames[frame.depth].current = currentIndex
        let first = decoding.frames[frame.depth].members.lowerBound
        decoding.value = decoding.members[first + currentIndex].value
    }
}
