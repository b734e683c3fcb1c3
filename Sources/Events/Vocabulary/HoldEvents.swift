// SPDX-License-Identifier: Apache-2.0

/// Legal holds: they block erasure, and the removal of footage.
public enum HoldEvent: EventFamily {
    case placed(HoldPlaced)
    case lifted(HoldLifted)

    public static let kinds: [any EventPayload.Type] = [
        HoldPlaced.self, HoldLifted.self,
    ]

    public var fact: Fact { .hold(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .placed(let payload): payload
        case .lifted(let payload): payload
        }
    }
}

/// A hold ended.
public struct HoldLifted: EventPayload {
    public static let row = EventKind(
        "hold.lifted/1",
        HoldEvent.lifted,
        audience: .supervision,
        lowDisk: .takeToTheLast
    )

    public let hold: HoldID
    public let reason: String
    /// Two people.
    public let approvedBy: [UserID]

    public init(hold: HoldID, reason: String, approvedBy: [UserID]) {
        self.hold = hold
        self.reason = reason
        self.approvedBy = approvedBy
    }

    public var links: [SubjectLink] { [] }
}

/// Data must be kept.
public struct HoldPlaced: EventPayload {
    public static let row = EventKind(
        "hold.placed/1",
        HoldEvent.placed,
        audience: .supervision,
        lowDisk: .takeToTheLast,
        linksDigest: 0xE471_8D00
    )

    public let hold: HoldID
    /// A person, session or incident, or a camera, of which no footage is removed.
    public let scope: Subject
    /// Whom it covers at the time.
    public let persons: [PersonID]
    public let reason: String
    public let authority: String

    public init(
        hold: HoldID,
        scope: Subject,
        persons: [PersonID],
        reason: String,
        authority: String
    ) {
        self.hold = hold
        self.scope = scope
        self.persons = persons
        self.reason = reason
        self.authority = authority
    }

    public var links: [SubjectLink] {
        [.about(scope)] + persons.map { .about(.person($0)) }
    }
}
