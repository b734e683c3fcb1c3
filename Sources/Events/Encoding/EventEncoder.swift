// SPDX-License-Identifier: Apache-2.0
/// Writes what stands in an entry as `data`: canonical JSON with personal fields sealed.
public struct EventEncoder: Sendable {
    private let keys: any PersonKeys
    private let nonces: NonceSource

    /// Makes an encoder.
    ///
    /// - Parameters:
    ///   - keys: The keys that seal; each person's must exist before the first event about that person.
    ///   - nonces: Where the nonce of each sealed field comes from.
    public init(keys: any PersonKeys, nonces: NonceSource = .random) {
        self.keys = keys
        self.nonces = nonces
    }

    /// Encodes the payload of one event.
    ///
    /// - Parameters:
    ///   - fact: What happened; values that are `.open` are sealed on the way.
    ///   - id: The event's id, from which the keys of its sealed fields derive.
    /// - Returns: Canonical JSON; the same fact gives other bytes each time if it has sealed fields, for their nonces differ.
    /// - Throws: ``EventEncodingError`` when a number has no canonical form or a person has no key.
    public func encode(_ fact: Fact, id: EventID) throws(EventEncodingError) -> [UInt8] {
        let payload = fact.payload
        let encoding = CanonicalEncoding(sealer: FieldSealer(event: id, keys: keys, nonces: nonces))
        do throws(CanonicalEncodingError) {
            try encoding.run(payload)
        } catch {
            throw EventEncodingError(kind: type(of: payload).kind, event: id, cause: error)
        }
        return encoding.writer.bytes
    }
}

/// Why an event was not encoded; nothing was written.
public struct EventEncodingError: Error, Hashable, Sendable {
    public let kind: Kind
    public let event: EventID
    public let cause: CanonicalEncodingError
}

extension EventEncodingError: CustomStringConvertible {
    public var description: String {
        "event \(event) of kind \(kind) was not encoded: \(cause)"
    }
}
