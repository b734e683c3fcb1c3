// SPDX-License-Identifier: Apache-2.0
/// Reads the payload of an event back, with its sealed fields still sealed.
public struct EventDecoder: Sendable {
    private let catalog: EventCatalog

    public init(catalog: EventCatalog = .current) {
        self.catalog = catalog
    }

    /// Decodes an entry.
    ///
    /// - Throws: ``EventDecodingError`` with the entry's position.
    public func decode(_ entry: Entry) throws(EventDecodingError) -> RecordedEvent {
        let envelope = entry.envelope
        let fact = try entry.data.withUnsafeBufferPointer { data throws(EventDecodingError) in
            try decode(data, of: envelope.kind, id: envelope.id, at: envelope.position)
        }
        return RecordedEvent(envelope: envelope, fact: fact)
    }

    /// Decodes the `data` of one event.
    ///
    /// - Parameters:
    ///   - data: Canonical JSON, as it stands in the entry.
    ///   - kind: The entry's `type`; an old kind is lifted to the shape that is current.
    ///   - id: The event's id, from which the keys of its sealed fields derive.
    ///   - position: Where the entry stands, for errors.
    /// - Returns: What happened; its sealed fields stay sealed.
    /// - Throws: ``EventDecodingError`` for a kind that the catalog does not have, or data that are not of the kind's shape.
    public func decode(
        _ data: UnsafeBufferPointer<UInt8>,
        of kind: Kind,
        id: EventID,
        at position: LogPosition? = nil
    ) throws(EventDecodingError) -> Fact {
        guard let row = catalog[kind] else {
            throw .unknownKind(kind, event: id, at: position)
        }
        let decoding = CanonicalDecoding(data, event: id)
        do {
            return try row.decode(decoding)
        } catch {
            throw .malformed(
                kind: kind,
                event: id,
                at: position,
                pointer: decoding.pointer,
                reason: decodingReason(error)
            )
        }
    }

    /// Decodes the `data` of one event that has no place in a log yet.
    public func decode(
        _ data: ArraySlice<UInt8>,
        of kind: Kind,
        id: EventID
    ) throws(EventDecodingError) -> Fact {
        try data.withUnsafeBufferPointer { data throws(EventDecodingError) in
            try decode(data, of: kind, id: id)
        }
    }
}

extension CanonicalDecoding: EventDataDecoder {
    func decode<Payload: EventPayload>(payload type: Payload.Type) throws -> Payload {
        try run(type)
    }
}

/// What a failed decoding says, without the values that it saw.
func decodingReason(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, _): "the member \"\(key.stringValue)\" is missing"
    case DecodingError.typeMismatch(let type, _): "the value is no \(type)"
    case DecodingError.valueNotFound(let type, _): "there is no value for \(type)"
    case DecodingError.dataCorrupted(let context): context.debugDescription
    default: "\(error)"
    }
}
