// SPDX-License-Identifier: Apache-2.0

/// What can happen to a person's data.
public enum PersonEvent: EventFamily {
    case erased(PersonErased)

    public static let kinds: [any EventPayload.Type] = [
        PersonErased.self
    ]

    public var fact: Fact { .person(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .erased(let payload): payload
        }
    }
}

/// The person's key was destroyed: what it sealed cannot be read any more.
public struct PersonErased: EventPayload {
    public static let row = EventKind(
        "person.erased/1",
        PersonEvent.erased,
        audience: .supervision,
        lowDisk: .takeToTheLast
    )

    public let person: PersonID
    public let by: UserID?
    /// The two people who agreed, where the person stood behind an account.
    public let approvedBy: [UserID]?
    public let reason: String

    public init(
        person: PersonID,
        by: UserID? = nil,
        approvedBy: [UserID]? = nil,
        reason: String
    ) {
        self.person = person
        self.by = by
        self.approvedBy = approvedBy
        self.reason = reason
    }

    public var links: [SubjectLink] { [] }
}
