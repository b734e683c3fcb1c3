// SPDX-License-Identifier: Apache-2.0

/// Legal holds: they block erasure.
public enum HoldEvent: Hashable, Sendable {
    case placed(HoldPlaced)
    case lifted(HoldLifted)

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
    public static let kind: Kind = "hold.lifted/1"

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
    public static let kind: Kind = "hold.placed/1"

    public let hold: HoldID
    /// A person, session or incident.
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
