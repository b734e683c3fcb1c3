// SPDX-License-Identifier: Apache-2.0
/// The list of all kinds: encoder, decoder, documentation and golden tests walk it.
public struct EventCatalog: Sendable {
    /// One kind: its payload's type and the way into the closed families.
    public struct Row: Sendable {
        /// The kind as it stands in the log.
        public let kind: Kind
        /// Whether it is only read and no more written: what it says is lifted to a later kind.
        public let isRetired: Bool
        let decode: @Sendable (any EventDataDecoder) throws -> Fact

        init<Payload: EventPayload>(
            _ type: Payload.Type,
            isRetired: Bool = false,
            fact: @escaping @Sendable (Payload) -> Fact
        ) {
            kind = type.kind
            self.isRetired = isRetired
            decode = { fact(try $0.decode(payload: type)) }
        }
    }

    /// Every row, in the order of the families.
    public let rows: [Row]
    private let rowOfKind: [Kind: Row]

    init(_ rows: [Row]) {
        self.rows = rows
        rowOfKind = Dictionary(uniqueKeysWithValues: rows.map { ($0.kind, $0) })
    }

    /// The kinds that are written today.
    public var written: [Kind] { rows.filter { !$0.isRetired }.map(\.kind) }

    /// The row of a kind; `nil` if this program does not know it.
    public subscript(kind: Kind) -> Row? { rowOfKind[kind] }
}

/// Decodes the `data` of one event as a payload.
protocol EventDataDecoder {
    /// Reads the payload, with its sealed fields still sealed.
    func decode<Payload: EventPayload>(payload type: Payload.Type) throws -> Payload
}
