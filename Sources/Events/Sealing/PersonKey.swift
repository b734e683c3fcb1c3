// SPDX-License-Identifier: Apache-2.0
internal import Crypto

/// The secret under which everything about one person is sealed: 32 random bytes.
///
/// It is kept in place rather than behind a reference, so that a million of them stay small.
public struct PersonKey: Hashable, Sendable {
    private let words: SIMD4<UInt64>

    /// Takes 32 bytes; `nil` for any other number.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        var words = SIMD4<UInt64>.zero
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
        self.words = words
    }

    /// Makes a new one from the system's chance.
    public static func random() -> PersonKey {
        var generator = SystemRandomNumberGenerator()
        return PersonKey(using: &generator)
    }

    /// Makes a new one from the chance given; only the system's makes a secret.
    public init(using generator: inout some RandomNumberGenerator) {
        words = SIMD4(generator.next(), generator.next(), generator.next(), generator.next())
    }

    /// The secret of one field, which opens that field and no other.
    ///
    /// - Parameters:
    ///   - event: The event that holds the field.
    ///   - pointer: Where it stands in `data`, as a JSON pointer.
    /// - Returns: The secret; the same event and place give the same.
    public func fieldSecret(event: EventID, pointer: String) -> FieldSecret {
        var place = [UInt8]()
        place.reserveCapacity(37 + pointer.utf8.count)
        place.append(contentsOf: event.description.utf8)
        place.append(0)
        place.append(contentsOf: pointer.utf8)
        return FieldSecret(words: HMACSHA256.code(of: place, key: words))
    }

    /// A code of a message that neither a field nor a file has, for theirs begin with an id or `blob`.
    func code(of message: [UInt8]) -> SIMD4<UInt64> {
        HMACSHA256.code(of: message, key: words)
    }

    /// The secret of one sealed file; no field has it, for a field's place begins with the id of an event.
    func blobSecret(salt: [UInt8]) -> FieldSecret {
        FieldSecret(words: HMACSHA256.code(of: Array("blob".utf8) + [0] + salt, key: words))
    }

    var symmetricKey: SymmetricKey {
        withUnsafeBytes(of: words) { SymmetricKey(data: $0) }
    }
}

extension PersonKey: CustomStringConvertible {
    /// Says nothing, so that no key gets into a log file.
    public var description: String { "PersonKey(…)" }
}
