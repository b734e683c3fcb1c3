// SPDX-License-Identifier: Apache-2.0

/// What can happen to a person's data.
public enum PersonEvent: EventFamily {
    case erased(PersonErased)
    case numberCorrected(PersonNumberCorrected)

    public static let kinds: [any EventPayload.Type] = [
        PersonErased.self, PersonNumberCorrected.self,
    ]

    public var fact: Fact { .person(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .erased(let payload): payload
        case .numberCorrected(let payload): payload
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

/// A number that an earlier version read wrongly is another one, by the numbering plans; whoever has that one is the same person.
///
/// The subject is the person. What was recorded under the wrong number stays as it is.
public struct PersonNumberCorrected: EventPayload {
    public static let row = EventKind(
        "person.number_corrected/1",
        PersonEvent.numberCorrected,
        audience: .supervision,
        linksDigest: 0xF393_C6A8,
        summary: [.init("phone", \.phone)]
    )

    public let person: PersonID
    /// The number as it is read now.
    public let phone: Sealed<PhoneNumber>
    /// Who of the organisation had that number already: with them the person is one from here on.
    public let sameAs: [PersonID]

    public init(person: PersonID, phone: Sealed<PhoneNumber>, sameAs: [PersonID]) {
        self.person = person
        self.phone = phone
        self.sameAs = sameAs
    }

    public var links: [SubjectLink] {
        [.owner(.person(person))] + sameAs.map { .member(.person($0)) }
    }
}
