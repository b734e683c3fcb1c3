// SPDX-License-Identifier: Apache-2.0
import Events

/// A value that payloads hold and that is not drawn member by member.
private protocol Drawn {
    static func drawn(using arbitrary: inout Arbitrary) -> Self
}

extension String: Drawn {
    fileprivate static func drawn(using arbitrary: inout Arbitrary) -> String { arbitrary.text() }
}
extension Int: Drawn {
    fileprivate static func drawn(using arbitrary: inout Arbitrary) -> Int { arbitrary.integer() }
}
extension Double: Drawn {
    fileprivate static func drawn(using arbitrary: inout Arbitrary) -> Double { arbitrary.double() }
}
extension Bool: Drawn {
    fileprivate static func drawn(using arbitrary: inout Arbitrary) -> Bool { arbitrary.bool() }
}
extension Timestamp: Drawn {
    fileprivate static func drawn(using arbitrary: inout Arbitrary) -> Timestamp {
        arbitrary.timestamp()
    }
}
extension Identifier: Drawn {
    /// A person is one of those who are there, so that what is sealed for them has a key.
    fileprivate static func drawn(using arbitrary: inout Arbitrary) -> Identifier {
        arbitrary.person() as? Identifier ?? arbitrary.id()
    }
}
extension UserID: Drawn {
    fileprivate static func drawn(using arbitrary: inout Arbitrary) -> UserID { arbitrary.user() }
}
extension OrganisationID: Drawn {
    fileprivate static func drawn(using arbitrary: inout Arbitrary) -> OrganisationID {
        arbitrary.organisation()
    }
}
extension Subject: Drawn {
    fileprivate static func drawn(using arbitrary: inout Arbitrary) -> Subject {
        arbitrary.subject()
    }
}
extension Actor: Drawn {
    fileprivate static func drawn(using arbitrary: inout Arbitrary) -> Actor { arbitrary.actor() }
}
extension PhoneNumber: Drawn {
    fileprivate static func drawn(using arbitrary: inout Arbitrary) -> PhoneNumber {
        arbitrary.phone()
    }
}
extension SHA256Digest: Drawn {
    fileprivate static func drawn(using arbitrary: inout Arbitrary) -> SHA256Digest {
        arbitrary.digest()
    }
}
extension Fix: Drawn {
    fileprivate static func drawn(using arbitrary: inout Arbitrary) -> Fix { arbitrary.fix() }
}

/// A value that holds another, which is drawn by the decoder.
private protocol DrawnAround {
    static func drawn(by decoder: DrawingDecoder) throws -> Self
}

extension Sealed: DrawnAround {
    fileprivate static func drawn(by decoder: DrawingDecoder) throws -> Sealed {
        .open(try decoder.draw(Value.self), of: decoder.arbitrary.person())
    }
}
extension Array: DrawnAround where Element: Decodable {
    fileprivate static func drawn(by decoder: DrawingDecoder) throws -> [Element] {
        try (0..<decoder.arbitrary.number(0...4)).map { _ in try decoder.draw(Element.self) }
    }
}
extension Dictionary: DrawnAround where Key: Decodable, Value: Decodable {
    fileprivate static func drawn(by decoder: DrawingDecoder) throws -> [Key: Value] {
        var drawn: [Key: Value] = [:]
        for _ in 0..<decoder.arbitrary.number(0...6) {
            drawn[try decoder.draw(Key.self)] = try decoder.draw(Value.self)
        }
        return drawn
    }
}

/// Draws a payload by its `Decodable`: a new kind needs no generator of its own.
///
/// Members may be absent, lists are short, words are any of their closed list, and everything else is what ``Arbitrary`` draws.
final class DrawingDecoder: Decoder {
    var arbitrary: Arbitrary
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(_ arbitrary: Arbitrary) {
        self.arbitrary = arbitrary
    }

    /// Draws a value.
    ///
    /// - Throws: Where the type takes only some values and none of these declarations says which.
    func draw<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let drawn: Any =
            switch type {
            case let type as any Drawn.Type: type.drawn(using: &arbitrary)
            case let type as any DrawnAround.Type: try type.drawn(by: self)
            case let type as any CaseIterable.Type: one(of: type)
            default: try Value(from: self)
            }
        guard let drawn = drawn as? Value else { throw undrawn(type) }
        return drawn
    }

    private func one(of type: (some CaseIterable).Type) -> Any {
        arbitrary.element(of: Array(type.allCases))
    }

    private func undrawn(_ type: Any.Type) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "nothing says how \(type) is drawn"))
    }

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members<Key>(drawing: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw undrawn([Any].self) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw undrawn(Any.self)
    }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let drawing: DrawingDecoder
        let codingPath: [any CodingKey] = []
        let allKeys: [Key] = []

        func contains(_ key: Key) -> Bool { !drawing.arbitrary.one(in: 3) }
        func decodeNil(forKey key: Key) -> Bool { false }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try drawing.draw(type)
        }

        func nestedContainer<Nested>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) -> KeyedDecodingContainer<Nested> {
            drawing.container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try drawing.unkeyedContainer()
        }

        func superDecoder() -> any Decoder { drawing }
        func superDecoder(forKey key: Key) -> any Decoder { drawing }
    }
}
