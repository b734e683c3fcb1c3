// SPDX-License-Identifier: Apache-2.0
public import Events

/// What a projector does with each kind that it names; all others are skipped without being decoded.
///
/// ```swift
/// static let handlers = Handlers {
///     On(ReportSubmitted.self) { submitted, event, rows in … }
///     On(ReportStatusChanged.self) { change($0, of: $1, in: $2) }
/// }
/// ```
public struct Handlers: Sendable {
    /// The kinds that are named, and those that are read as one of them.
    public let kinds: Set<Kind>
    private let handlers: [ObjectIdentifier: On]

    /// Takes handlers together; one kind twice is a fault of the program.
    public init(@Builder _ handlers: () -> [On]) {
        let list = handlers()
        self.handlers = Dictionary(uniqueKeysWithValues: list.map { ($0.payload, $0) })
        kinds = list.reduce(into: []) { $0.formUnion($1.kinds) }
    }

    /// Does what was said of the event's kind; nothing for a kind that is not named.
    public func apply(_ event: RecordedEvent, to rows: RowWriter) {
        let payload = event.fact.payload
        handlers[ObjectIdentifier(type(of: payload))]?.handle(payload, event, rows)
    }

    /// Takes single handlers and groups of them.
    @resultBuilder public enum Builder {
        public static func buildExpression(_ handler: On) -> [On] { [handler] }
        public static func buildExpression(_ group: Handlers) -> [On] {
            Array(group.handlers.values)
        }
        public static func buildBlock(_ parts: [On]...) -> [On] { parts.flatMap(\.self) }
    }
}

/// What is done with the events of one kind.
public struct On: Sendable {
    let payload: ObjectIdentifier
    let kinds: Set<Kind>
    let handle: @Sendable (any EventPayload, RecordedEvent, RowWriter) -> Void

    /// Names a kind.
    ///
    /// - Parameters:
    ///   - type: Its payload; older kinds that are read as it come as it.
    ///   - handle: Writes the rows; it cannot refuse.
    public init<Payload: EventPayload>(
        _ type: Payload.Type,
        _ handle: @escaping @Sendable (Payload, RecordedEvent, RowWriter) -> Void
    ) {
        payload = ObjectIdentifier(type)
        kinds = type.kinds
        self.handle = { payload, event, rows in
            if let payload = payload as? Payload { handle(payload, event, rows) }
        }
    }
}
