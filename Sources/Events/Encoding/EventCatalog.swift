// SPDX-License-Identifier: Apache-2.0
/// The list of all kinds: encoder, decoder, documentation and golden tests walk it.
public struct EventCatalog: Sendable {
    /// One kind, whatever its payload.
    public struct Row: Sendable {
        /// The kind as it stands in the log.
        public let kind: Kind
        public let traits: EventTraits
        let decode: @Sendable (any EventDataDecoder) throws -> Fact
        private let make: @Sendable (any Decoder) throws -> Fact

        init<Payload: EventPayload>(_ type: Payload.Type) {
            let row = type.row
            kind = row.kind
            traits = row.traits
            decode = { row.fact(try $0.decode(payload: type)) }
            make = { row.fact(try type.init(from: $0)) }
        }

        /// Makes a fact of the kind of what any decoder gives.
        public func fact(from decoder: any Decoder) throws -> Fact { try make(decoder) }

        /// Whether it is only read and no more written: what it says is lifted to a later kind.
        public var isRetired: Bool { traits.readAs != kind }
    }

    /// Every kind of the vocabulary, in the order of the families.
    public static let current = EventCatalog(Fact.families.flatMap { $0.kinds })

    /// Every row, in the order of the families.
    public let rows: [Row]
    private let rowOfKind: [Kind: Row]

    init(_ payloads: [any EventPayload.Type]) {
        rows = payloads.map { Row($0) }
        rowOfKind = Dictionary(uniqueKeysWithValues: rows.map { ($0.kind, $0) })
    }

    /// The kinds that are written today.
    public var written: [Kind] { rows.filter { !$0.isRetired }.map(\.kind) }

    /// The row of a kind; `nil` if this program does not know it.
    public subscript(kind: Kind) -> Row? { rowOfKind[kind] }

    /// The kinds of the rows of which something holds.
    public func kinds(where holds: (EventTraits) -> Bool) -> Set<Kind> {
        Set(rows.filter { holds($0.traits) }.map(\.kind))
    }
}

/// Decodes the `data` of one event as a payload.
protocol EventDataDecoder {
    /// Reads the payload, with its sealed fields still sealed.
    func decode<Payload: EventPayload>(payload type: Payload.Type) throws -> Payload
}
