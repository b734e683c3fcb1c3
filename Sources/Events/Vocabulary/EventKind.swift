// SPDX-License-Identifier: Apache-2.0

/// All that the program must know of one kind of event; it stands beside the payload.
///
/// Catalog, rights, topics, timelines, what is taken when the disk is low, documentation and golden tests are derived from it.
public struct EventKind<Payload: EventPayload>: Sendable {
    /// The kind as it stands in the log; written once, never reused.
    public let kind: Kind
    let traits: EventTraits
    let fact: @Sendable (Payload) -> Fact
    let summary: [SummaryMember<Payload>]

    /// Describes a kind that is written.
    ///
    /// - Parameters:
    ///   - kind: As it stands in the log.
    ///   - event: The case of its family.
    ///   - audience: Who may read it, next to what is asked of the thing that it stands on.
    ///   - desk: Whether the operators' topic tells it, where it stands on neither a session nor an incident.
    ///   - known: Whether the whole desk is told that it happened, also in a private session, without the entry.
    ///   - lowDisk: Whether it is taken where the disk has little room left.
    ///   - timeline: Whether it has a line in the timeline of an incident.
    ///   - linksDigest: What the ``EventPayload/links`` of the kind's golden sample come to, 0 for none. An index that was made with
    ///     others is foreign; otherwise it would go on without a link on which conditions rest. A test says the number.
    ///   - summary: What its line in a timeline says, in this order; nothing else of it is shown.
    init<Family: EventFamily>(
        _ kind: Kind,
        _ event: @escaping @Sendable (Payload) -> Family,
        audience: EventAudience,
        desk: Bool = false,
        known: Bool = false,
        lowDisk: EventTraits.LowDisk = .refuse,
        timeline: Bool = false,
        linksDigest: UInt32 = 0,
        summary: [SummaryMember<Payload>] = []
    ) {
        self.kind = kind
        traits = EventTraits(
            audience: audience,
            isOnDesk: desk,
            isKnown: known,
            lowDisk: lowDisk,
            isInTimeline: timeline,
            linksDigest: linksDigest,
            readAs: kind
        )
        fact = { event($0).fact }
        self.summary = summary
    }
}

extension EventKind where Payload: RetiredPayload {
    /// Describes a kind that is only read: but for its links it is what its successor is.
    init(lifting kind: Kind, linksDigest: UInt32 = 0) {
        let next = Payload.Successor.row
        self.kind = kind
        var traits = next.traits
        traits.linksDigest = linksDigest
        self.traits = traits
        fact = { next.fact($0.lifted) }
        summary = []
    }
}

/// Who may read the entries of a kind, next to what is asked of the thing that they stand on.
public enum EventAudience: Hashable, Sendable {
    /// Every reader of the conversation, including its caller.
    case conversation
    /// Every reader of the conversation except its callers: what the centre writes for itself.
    case centre
    /// The centre's desk, and who supervises.
    case desk
    /// Who supervises.
    case supervision
}

/// What a kind is, apart from its payload.
public struct EventTraits: Hashable, Sendable {
    public let audience: EventAudience
    /// Whether the operators' topic tells it, where it stands on neither a session nor an incident.
    public let isOnDesk: Bool
    /// Whether the whole desk is told that it happened, also in a private session, without the entry.
    public let isKnown: Bool
    public let lowDisk: LowDisk
    /// Whether it has a line in the timeline of an incident.
    public let isInTimeline: Bool
    var linksDigest: UInt32
    /// The kind as which it is read: itself, or the current one of a kind that is no more written.
    public let readAs: Kind

    /// To which room of the disk, or of the map, it is taken; see ``LogLimits/freeBytesMin``.
    public enum LowDisk: Hashable, Sendable {
        /// Only where there is room.
        case refuse
        /// Also where little is left: whoever has a desk must be able to come in, come back, hand on, take over and close what is
        /// open, and end the rights of others; and what is over by its time alone ends. None of it can be repeated by who is not known.
        case take
        /// To the last: whoever closes, holds or erases must be able to. Who only looks is not (ruling 41): strangers could use it up.
        case takeToTheLast
    }
}

/// One named part of what an event says, for people; personal parts stay sealed.
public struct SummaryPart: Hashable, Sendable {
    public let name: String
    public let value: Value

    /// What stands behind the name.
    public enum Value: Hashable, Sendable {
        case text(String)
        /// To be opened with the keys of whoever may read, or shown as sealed.
        case sealed(SealedField)
    }

    public init(name: String, value: Value) {
        self.name = name
        self.value = value
    }
}

/// A member of a payload that its line in a timeline shows; what is `nil`, or not sealed yet, is left out.
struct SummaryMember<Payload>: Sendable {
    let part: @Sendable (Payload) -> SummaryPart?

    private init(_ name: String, text: @escaping @Sendable (Payload) -> String?) {
        part = { text($0).map { SummaryPart(name: name, value: .text($0)) } }
    }

    private init(_ name: String, sealed: @escaping @Sendable (Payload) -> SealedField?) {
        part = { sealed($0).map { SummaryPart(name: name, value: .sealed($0)) } }
    }

    init<Value: CustomStringConvertible & SendableMetatype>(
        _ name: String,
        _ member: any KeyPath<Payload, Value> & Sendable
    ) {
        self.init(name, text: { $0[keyPath: member].description })
    }

    init<Value: CustomStringConvertible & SendableMetatype>(
        _ name: String,
        _ member: any KeyPath<Payload, Value?> & Sendable
    ) {
        self.init(name, text: { $0[keyPath: member]?.description })
    }

    /// A word.
    init<Word: RawRepresentable<String> & SendableMetatype>(
        _ name: String,
        _ member: any KeyPath<Payload, Word> & Sendable
    ) {
        self.init(name, text: { $0[keyPath: member].rawValue })
    }

    init<Value>(_ name: String, _ member: any KeyPath<Payload, Sealed<Value>> & Sendable) {
        self.init(name, sealed: { $0[keyPath: member].field })
    }

    init<Value>(_ name: String, _ member: any KeyPath<Payload, Sealed<Value>?> & Sendable) {
        self.init(name, sealed: { $0[keyPath: member]?.field })
    }
}

extension Sealed {
    fileprivate var field: SealedField? {
        guard case .closed(let field) = self else { return nil }
        return field
    }
}
