// SPDX-License-Identifier: Apache-2.0

/// What can happen to a citizen's contacts, to the alerts that the citizen raises, and to the texts for everybody (source 4).
public enum SafetyEvent: EventFamily {
    case citizenSet(CitizenSet)
    case contactSet(ContactSet)
    case contactRemoved(ContactRemoved)
    case raised(SOSRaised)
    case moved(SOSMoved)
    case ended(SOSEnded)
    case contentSet(ContentSet)

    public static let kinds: [any EventPayload.Type] = [
        CitizenSet.self, ContactSet.self, ContactRemoved.self, SOSRaised.self, SOSMoved.self,
        SOSEnded.self, ContentSet.self,
    ]

    public var fact: Fact { .safety(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .citizenSet(let payload): payload
        case .contactSet(let payload): payload
        case .contactRemoved(let payload): payload
        case .raised(let payload): payload
        case .moved(let payload): payload
        case .ended(let payload): payload
        case .contentSet(let payload): payload
        }
    }
}

/// A citizen said how messages to contacts call them; the subject is the person.
public struct CitizenSet: EventPayload {
    public static let row = EventKind(
        "citizen.set/1",
        SafetyEvent.citizenSet,
        audience: .supervision,
        linksDigest: 0xE529_8DCC
    )

    public let person: PersonID
    public let name: Sealed<String>
    /// Two letters (ISO 639-1), in which the centre writes to the citizen.
    public let language: String

    public init(person: PersonID, name: Sealed<String>, language: String) {
        (self.person, self.name, self.language) = (person, name, language)
    }

    public var links: [SubjectLink] { [.caller(.person(person)), .owner(.person(person))] }
}

/// A citizen added a contact, or changed one; all that tells of the contact is sealed under a key of the contact's own.
public struct ContactSet: EventPayload {
    public static let row = EventKind(
        "contact.set/1",
        SafetyEvent.contactSet,
        audience: .supervision,
        linksDigest: 0xE1EB_C929
    )

    /// Whose contact it is.
    public let citizen: PersonID
    /// The contact: another person for each citizen who has the same friend.
    public let person: PersonID
    public let name: Sealed<String>
    public let mobile: Sealed<PhoneNumber>?
    public let email: Sealed<String>?
    /// Two letters (ISO 639-1), in which messages are written.
    public let language: String

    public init(
        citizen: PersonID,
        person: PersonID,
        name: Sealed<String>,
        mobile: Sealed<PhoneNumber>?,
        email: Sealed<String>?,
        language: String
    ) {
        self.citizen = citizen
        self.person = person
        self.name = name
        self.mobile = mobile
        self.email = email
        self.language = language
    }

    public var links: [SubjectLink] { [.caller(.person(citizen)), .owner(.person(person))] }
}

/// A citizen removed a contact; with it goes the contact's key.
public struct ContactRemoved: EventPayload {
    public static let row = EventKind(
        "contact.removed/1",
        SafetyEvent.contactRemoved,
        audience: .supervision,
        linksDigest: 0x2C94_F6F0
    )

    public let citizen: PersonID

    public init(citizen: PersonID) { self.citizen = citizen }

    public var links: [SubjectLink] { [.caller(.person(citizen))] }
}

/// A citizen calls for help; the alerts for the contacts are queued in the same append.
public struct SOSRaised: EventPayload {
    public static let row = EventKind(
        "sos.raised/1",
        SafetyEvent.raised,
        audience: .supervision,
        timeline: true,
        linksDigest: 0x9E22_D6F0,
        summary: [.init("trigger", \.trigger), .init("isDrill", \.isDrill), .init("fix", \.fix)]
    )

    public let person: PersonID
    public let trigger: Trigger
    /// Whether the contacts are told that it is practice.
    public let isDrill: Bool
    /// The last known place; `nil` where the phone could not tell.
    public let fix: Sealed<Fix>?

    public init(person: PersonID, trigger: Trigger, isDrill: Bool, fix: Sealed<Fix>?) {
        self.person = person
        self.trigger = trigger
        self.isDrill = isDrill
        self.fix = fix
    }

    public var links: [SubjectLink] { [.caller(.person(person)), .owner(.person(person))] }

    /// By which gesture.
    public enum Trigger: String, Codable, Hashable, Sendable, CaseIterable {
        case swipe, hold, key
    }
}

/// The phone of a citizen who called for help is somewhere else, or knows its place now.
public struct SOSMoved: EventPayload {
    public static let row = EventKind(
        "sos.moved/1",
        SafetyEvent.moved,
        audience: .supervision,
        timeline: true,
        linksDigest: 0xCF7A_0CA1,
        summary: [.init("fix", \.fix)]
    )

    public let person: PersonID
    public let fix: Sealed<Fix>

    public init(person: PersonID, fix: Sealed<Fix>) { (self.person, self.fix) = (person, fix) }

    public var links: [SubjectLink] { [.owner(.person(person))] }
}

/// A citizen says that the call for help is over; from then on its place is shown to no contact.
public struct SOSEnded: EventPayload {
    public static let row = EventKind(
        "sos.ended/1",
        SafetyEvent.ended,
        audience: .supervision,
        lowDisk: .take,
        timeline: true,
        linksDigest: 0x6BE5_2B2A,
        summary: [.init("reason", \.reason)]
    )

    public let person: PersonID
    public let reason: Reason

    public init(person: PersonID, reason: Reason) { (self.person, self.reason) = (person, reason) }

    public var links: [SubjectLink] { [.caller(.person(person))] }

    /// How it ended.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        case safe
        case falseAlarm = "false_alarm"
    }
}

/// The centre wrote a text for everybody, or changed or hid one (source 4, UC-46 and UC-47); nothing in it is personal.
public struct ContentSet: EventPayload {
    public static let row = EventKind(
        "content.set/1",
        SafetyEvent.contentSet,
        audience: .desk
    )

    public let section: Section
    /// Two letters (ISO 639-1).
    public let language: String
    public let title: String
    /// Markdown.
    public let text: String
    public let address: String?
    public let phone: String?
    /// Where it is; `nil` for what has no place.
    public let place: ContentPlace?
    /// Whether it is shown to everybody.
    public let isShown: Bool

    public init(
        section: Section,
        language: String,
        title: String,
        text: String,
        address: String? = nil,
        phone: String? = nil,
        place: ContentPlace? = nil,
        isShown: Bool
    ) {
        self.section = section
        self.language = language
        self.title = title
        self.text = text
        self.address = address
        self.phone = phone
        self.place = place
        self.isShown = isShown
    }

    public var links: [SubjectLink] { [] }

    /// Under which heading it is read.
    public enum Section: String, Codable, Hashable, Sendable, CaseIterable {
        case rights, resources
    }
}

/// A place that everybody may know, in degrees (WGS 84).
public struct ContentPlace: Codable, Hashable, Sendable {
    public let latitude: Double
    public let longitude: Double

    public init(latitude: Double, longitude: Double) {
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}
