// SPDX-License-Identifier: Apache-2.0

/// What can happen to an incident: it groups sessions about the same event.
public enum IncidentEvent: EventFamily {
    case opened(IncidentOpened)
    case sessionLinked(IncidentSessionLinked)
    case sessionUnlinked(IncidentSessionUnlinked)
    case merged(IncidentMerged)
    case unmerged(IncidentUnmerged)
    case addressSet(IncidentAddressSet)
    case classified(IncidentClassified)
    case noteAdded(IncidentNoteAdded)
    case footageKept(IncidentFootageKept)

    public static let kinds: [any EventPayload.Type] = [
        IncidentOpened.self, IncidentSessionLinked.self, IncidentSessionUnlinked.self,
        IncidentMerged.self, IncidentUnmerged.self, IncidentAddressSet.self,
        IncidentClassified.self, IncidentNoteAdded.self, IncidentFootageKept.self,
    ]

    public var fact: Fact { .incident(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .opened(let payload): payload
        case .sessionLinked(let payload): payload
        case .sessionUnlinked(let payload): payload
        case .merged(let payload): payload
        case .unmerged(let payload): payload
        case .addressSet(let payload): payload
        case .classified(let payload): payload
        case .noteAdded(let payload): payload
        case .footageKept(let payload): payload
        }
    }
}

/// The address of the incident became known, or better known.
public struct IncidentAddressSet: EventPayload {
    public static let row = EventKind(
        "incident.address_set/1",
        IncidentEvent.addressSet,
        audience: .conversation,
        timeline: true,
        summary: [
            .init("address", \.address), .init("plusCode", \.plusCode), .init("source", \.source),
        ]
    )

    public let address: Sealed<String>
    /// The Open Location Code of the place.
    public let plusCode: Sealed<String>?
    public let source: Source

    public init(address: Sealed<String>, plusCode: Sealed<String>? = nil, source: Source) {
        self.address = address
        self.plusCode = plusCode
        self.source = source
    }

    public var links: [SubjectLink] { [] }

    /// Where the address came from.
    public enum Source: String, Codable, Hashable, Sendable, CaseIterable {
        case caller
        case `operator`
        case resolver
    }
}

/// This incident turned out to be part of another; its id means the other from now on.
///
/// Its sessions were linked to the other in the same append. Nothing of it is rewritten.
public struct IncidentMerged: EventPayload {
    public static let row = EventKind(
        "incident.merged/1",
        IncidentEvent.merged,
        audience: .conversation,
        timeline: true,
        linksDigest: 0xEABD_E83D,
        summary: [
            .init("into", \.into), .init("sessions", \.sessions.count), .init("reason", \.reason),
        ]
    )

    /// The incident that goes on.
    public let into: IncidentID
    /// The sessions that moved with it.
    public let sessions: [SessionID]
    public let reason: String

    public init(into: IncidentID, sessions: [SessionID], reason: String) {
        self.into = into
        self.sessions = sessions
        self.reason = reason
    }

    public var links: [SubjectLink] { [.member(.incident(into))] }
}

/// An incident was opened, together with its first session, for one that left another, or for a guard's alarm that was taken up.
public struct IncidentOpened: EventPayload {
    public static let row = EventKind(
        "incident.opened/1",
        IncidentEvent.opened,
        audience: .conversation,
        timeline: true,
        summary: [
            .init("type", \.type), .init("priority", \.priority), .init("summary", \.summary),
        ]
    )

    /// The centre's word for it; `unclassified` at first.
    public let type: String
    /// 1 is the most urgent, 5 the least.
    public let priority: Int
    public let summary: Sealed<String>?

    public init(type: String, priority: Int, summary: Sealed<String>? = nil) {
        self.type = type
        self.priority = priority
        self.summary = summary
    }

    public var links: [SubjectLink] { [] }
}

/// A session came to belong to this incident.
public struct IncidentSessionLinked: EventPayload {
    public static let row = EventKind(
        "incident.session_linked/1",
        IncidentEvent.sessionLinked,
        audience: .conversation,
        timeline: true,
        linksDigest: 0x2746_90B7,
        summary: [.init("session", \.session), .init("from", \.from), .init("reason", \.reason)]
    )

    public let session: SessionID
    /// The incident it belonged to before.
    public let from: IncidentID?
    public let reason: String

    public init(session: SessionID, from: IncidentID? = nil, reason: String) {
        self.session = session
        self.from = from
        self.reason = reason
    }

    public var links: [SubjectLink] {
        [.member(.session(session))] + (from.map { [.about(.incident($0))] } ?? [])
    }
}

/// A session turned out not to belong to this incident.
///
/// Where it belongs now says the `incident.session_linked` in the same append.
public struct IncidentSessionUnlinked: EventPayload {
    public static let row = EventKind(
        "incident.session_unlinked/1",
        IncidentEvent.sessionUnlinked,
        audience: .conversation,
        timeline: true,
        linksDigest: 0x41A2_ADB9,
        summary: [.init("session", \.session), .init("to", \.to), .init("reason", \.reason)]
    )

    public let session: SessionID
    /// The incident to which it went.
    public let to: IncidentID
    public let reason: String

    public init(session: SessionID, to: IncidentID, reason: String) {
        self.session = session
        self.to = to
        self.reason = reason
    }

    public var links: [SubjectLink] { [.member(.session(session)), .about(.incident(to))] }
}

/// This incident is one of its own again.
///
/// The sessions that had moved with it, and did not move on, were linked to it in the same append.
public struct IncidentUnmerged: EventPayload {
    public static let row = EventKind(
        "incident.unmerged/1",
        IncidentEvent.unmerged,
        audience: .conversation,
        timeline: true,
        linksDigest: 0x19A3_A4BE,
        summary: [
            .init("from", \.from), .init("sessions", \.sessions.count), .init("reason", \.reason),
        ]
    )

    /// The incident that it had been merged into.
    public let from: IncidentID
    /// The sessions that came back.
    public let sessions: [SessionID]
    public let reason: String

    public init(from: IncidentID, sessions: [SessionID], reason: String) {
        self.from = from
        self.sessions = sessions
        self.reason = reason
    }

    public var links: [SubjectLink] { [.member(.incident(from))] }
}
