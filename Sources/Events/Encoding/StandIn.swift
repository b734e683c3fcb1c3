// SPDX-License-Identifier: Apache-2.0
// Stands in for an hour until the canonical encoder lands; `codec` deletes this file when it does.
import Foundation

public struct PersonKey: Sendable, Hashable {}
public protocol PersonKeys: Sendable { func key(of person: PersonID) -> PersonKey? }
public struct NoKeys: PersonKeys {
    public init() {}
    public func key(of person: PersonID) -> PersonKey? { nil }
}
public struct EventEncoder: Sendable {
    public init(keys: any PersonKeys) {}
    public func encode(_ fact: Fact, id: EventID) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(fact.payload))
    }
}
private struct FoundationDecoder: EventDataDecoder {
    let data: Data
    let id: EventID
    func decode<P: EventPayload>(_ type: P.Type) throws -> P {
        let decoder = JSONDecoder()
        decoder.userInfo[.event] = id
        return try decoder.decode(type, from: data)
    }
}
public struct EventDecoder: Sendable {
    public init(catalog: EventCatalog = .current) {}
    public func decode(_ entry: Entry) throws -> RecordedEvent {
        guard let row = EventCatalog.current[entry.envelope.kind] else {
            throw EntryError(reason: "unknown kind \(entry.envelope.kind)")
        }
        let data = FoundationDecoder(data: Data(entry.data), id: entry.envelope.id)
        return RecordedEvent(envelope: entry.envelope, fact: try row.decode(data))
    }
}
